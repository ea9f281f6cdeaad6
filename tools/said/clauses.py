"""What of a sentence is asserted: its clauses, without what only leads in, asks or sets a condition."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from daybook.tools.said.carried_on import carried_on
from daybook.tools.said.general import is_general
from daybook.tools.said.grammar.general import OF_USE
from daybook.tools.said.grammar.loose import SPELT_OUT
from daybook.tools.said.grammar.saying import (
    CONDITION_BEFORE,
    HEDGE,
    LED_IN,
    MODAL,
    ONLY_SPOKEN_OF,
    QUOTED,
    TAG,
    WHEN_IT_WAS,
)
from daybook.tools.said.text import Sentence, plain, unlinked

_HEDGED: Final = "\0"
_BETWEEN_COMMAS: Final = re.compile(rf",\s*{_HEDGED}\s*,")
_STRUCK: Final = re.compile(r"~~[^~\n]{0,80}~~")
_EMPHASIS: Final = re.compile(r"(?<![\w*])\*{1,3}(?=[\w$€£])|(?<=[\w.!?])\*{1,3}(?![\w*])")
_TICKED: Final = re.compile(r"\[[xX✓✔]\]|[✔✓✅☑]\ufe0f?")
_OPEN_BOX: Final = re.compile(r"^(\W*)\[ \]|[❌✗✘☐]\ufe0f?")
_CROSSED_OUT: Final = re.compile(
    r"^\W*(?:[❌✗✘☐✖]\ufe0f?)\W*(?=.*?\b(?:declin\w+|fail\w+|refus\w+|reject\w+|expired?|denied|lapsed|bounced|unsuccessful|timed out|sold out|out of stock|cancell?ed|removed|deleted|dropped|taken out|released|struck off|no|not|none|nothing|never|without|\w+n't)\b)",
    re.IGNORECASE,
)
"""A cross before what says by itself that something was not done."""
_MARK: Final = re.compile(r"[✔✓✅☑❌✗✘☐❓❔⏳🤷⚠]\ufe0f?")
_UNKNOWN: Final = re.compile(r"[❓❔⏳🤷⚠]")
_LEAST_MARKED: Final = 2
_LABEL: Final = re.compile(
    r"^(?P<mark>\W*(?:\d{1,2}[.)]\s+\W{0,3})?)(?P<label>[^\W\d](?:[\w' /$€£-]|[.,](?=\d)){1,40}?)\W{0,3}:(?!\d)\W{0,4}(?P<value>\S.*)$",
    re.DOTALL,
)
_COLUMN: Final = re.compile(
    r"^(?P<mark>\W*)(?P<label>[^\W\d][^:|\n]{1,40}?)\W{0,3}:(?!\d)\W{0,4}(?P<value>\S.*)$",
    re.DOTALL,
)
"""What stands before a cell: it may hold an amount."""

_MOST_IN_A_LABEL: Final = 5
_MOST_JUDGED: Final = 24
"""Clauses of one sentence that are judged: what holds more is no sentence."""

_SAYS_BY_ITSELF: Final = re.compile(
    r"^(?!what\b|how\b|when\b|why\b|who\b).*(?:\b(?:is|are|was|were|isn't|aren't|wasn't|weren't|hasn't|haven't)\b(?! \w+ed$)|n't\b)"
    r"|^(?:you|we|they|i|it|that|there)(?:'re|'ve|'s|'m|'ll|'d| failed)\b"
)
"""What stands before a colon where it is a clause, and labels nothing."""

_OF_WHAT_IS_LEFT: Final = re.compile(
    r"\b(?:open|outstanding|left|missing|pending|due|to (?:do|pay|settle)|owed|next steps?|other|else)\b"
)
"""A label of which nothing is good news."""

_BEFORE: Final = re.compile(
    r"^(?:before|previously|earlier|until now|originally|at first|old \w+|previous \w+)$"
)
"""A label of what was so, and is no longer."""

_CONDITION: Final = re.compile(
    r"^\W*(?:and |but |so )?(?:if|unless|in case|should (?:it|you|the))\b(?! you ask me)"
)

_ENDS_WITH_ONE: Final = re.compile(
    r"\b(?:once|when|after|as soon as) you(?:'ve| have) [\w ]{2,30}\W*$"
)
"""A condition at the end of a clause, on which the next one hangs: "first it is held, once you've agreed, booked"."""

_HAS_A_VERB: Final = re.compile(
    r"\b(?:is|are|was|were|has|have|can|cannot|will|would|may|must|goes|go|gets?|pays?|costs?|covers?|takes?|comes?|i|we|you|it|they)\b|'(?:s|re|ve|ll|d)\b"
)
_UNREAL: Final = re.compile(
    r"\b(?:if|unless|once) (?:i|we|you|it|there|they|the \w+|that|this) (?:had|were|was|could|did|hadn't|weren't|wasn't)\b|\bhad (?:you|it|we|i)\b|\b(?:would|'d) have\b",
    re.IGNORECASE,
)
"""Sets a condition that is not so."""
_BUT_IN_FACT: Final = re.compile(
    r", but (?:luckily|fortunately|happily|thankfully|in fact|actually|as it is|as it happens)\b"
    r"|[:;—–] ?(?=(?:it|they|this one|that one|the (?:\w+ ){1,3}?)(?:'s|'re| ?(?:is|are|has|have|was|were|uses?|weighs?|costs?|comes?|holds?)\b))",
    re.IGNORECASE,
)
"""Ends what only hangs on a condition: "had you waited it would be gone, but luckily ..."."""

_EITHER: Final = re.compile(r"^\W*(?:and |but |so |that )?either\b(?! way| case)")
_OR: Final = re.compile(r"\bor\b")
_AT_A_PRICE: Final = re.compile(
    r"\d(?: ?(?:usd|eur|dollars|euros))?$|\b(?:would|'d) be\b.*\d\.\d\d"
)
_BROUGHT: Final = re.compile(r"^(?:delivered|shipped|sent)(?: to (?:you|your door))?\W*$")
"""Behind a price: what is in it."""

_NONE: Final = re.compile(
    r"^(?:none|nothing|no|zero|nil|n/a|not yet|nope|-+|[$€£]?0(?:[.,]00)?(?: usd| eur)?|(?:usd )?0(?:[.,]00)?)(?: so far| yet| at all)?\W*$"
    r"|^(?:none|nothing|no|nope|not yet)\s?[,;(].*$"
)
_DONE: Final = re.compile(
    r"^(?:yes|ok|okay|done|complete|completed|success|successful)(?:\W*$|\s?[,;(](?!.*\b(?:but|not|if|once|when)\b).*$)"
)
_ASKS: Final = re.compile(
    r",?\s+(?:so |but |and |or |then )?(?:shall|should|would|do|can|could|want|may|will|are|is|what|how|which) "
    r"(?:i|we|you|there|it|about)\b[^,]*\?\W*$|"
    r",\s+(?:so |but |and |or |then )?(?:try|pick|choose|go with|go for|use|retry|take|fancy|care for|how about) [^,]*\?\W*$",
    re.IGNORECASE,
)
_AUX_FIRST: Final = re.compile(
    r"^\W*(?:(?:so|and|but|or|then|ok|okay|well|now|hm+)\W+)*(?:shall|should|would|do|does|did|can|could|want|may|will|are|is|was|"
    r"were|has|have|had|what|how|which|when|where|who|why|need|any|anything|ready|sound|sounds|care|fancy)\b",
    re.IGNORECASE,
)
_THAN_SAID: Final = re.compile(
    r"\b(?:(?:rather|sooner) than|instead of|(?<=so )than|(?<=this )than|(?<=that )than|(?<=it )than) (?:to )?(?:promis(?:e|ing)|claim(?:ing)?|pretend(?:ing)?|guess(?:ing)?|assum(?:e|ing)|assur(?:e|ing)|say(?:ing)?|tell(?:ing)?|insist(?:ing)?)\b[^.;:]*",
    re.IGNORECASE,
)
"""What somebody says that they do not say."""
_CELLS: Final = re.compile(r"\s*\|\s*")


@dataclass(frozen=True)
class Clauses:
    """The clauses of a sentence."""

    sentence: Sentence

    @cached_property
    def text(self) -> str:
        """Return the sentence without what only hedges it or asks behind it."""
        text = _STRUCK.sub(" ", unlinked(self.sentence.text)).replace("’", "'")
        text = _EMPHASIS.sub("", text)
        for pattern, plainly in SPELT_OUT:
            text = pattern.sub(plainly, text)
        text = TAG.sub("", _THAN_SAID.sub(" ", text))
        if not MODAL.search(text):
            # What is told of what was, "just after your card was charged", holds when that was.
            text = WHEN_IT_WAS.sub("; ", text)
        text = _BETWEEN_COMMAS.sub(" ", HEDGE.sub(_HEDGED, text)).replace(_HEDGED, " ")
        if _is_a_question(text):
            return _ASKS.sub(".", text) if not _AUX_FIRST.match(text) else text
        return text

    @property
    def is_question(self) -> bool:
        """Tell whether all of it is asked."""
        return _is_a_question(self.text)

    @cached_property
    def asserted(self) -> tuple[str, ...]:
        """Return what it asserts, as `plain` writes it: nothing of a question, a condition or of how things go."""
        if is_general(self.sentence):
            return ()
        return tuple(one for one in self.told if not OF_USE.search(one))

    @cached_property
    def told(self) -> tuple[str, ...]:
        """Return what it asserts, and what it tells of how things go."""
        text = self.text
        if CONDITION_BEFORE.search(text):
            text = (_BUT_IN_FACT.split(text, 1)[1:] or [""])[0]
        if self.is_question or not text.strip():
            return ()
        return tuple(_unconditional(_certain(self._parts(text)))[:_MOST_JUDGED])

    @cached_property
    def ruled(self) -> tuple[str, ...]:
        """Return what it tells, and what hangs on a condition that may be: so rules are told."""
        if self.is_question or not self.text.strip() or self.is_unreal:
            return self.told
        parts = _certain(self._parts(self.text))
        return tuple(
            one
            for at, one in enumerate(parts)
            if not CONDITION_BEFORE.match(one) or not any(map(_HAS_A_VERB.search, parts[at + 1 :]))
        )[:_MOST_JUDGED]

    @property
    def is_unreal(self) -> bool:
        """Tell whether it hangs on a condition that is not so: "if there were an express"."""
        return _UNREAL.search(self.text) is not None

    def _parts(self, text: str) -> list[str]:
        return carried_on(self._said(LED_IN.sub(" ", QUOTED.sub(" ", text))))

    def _said(self, text: str) -> list[str]:
        """Return the clauses of a text; of a row of a table those of its columns and cells."""
        if marked := _marked(text):
            return marked
        if text.count("|") < 2:
            return _labelled(text, _LABEL)
        cells = [cell for cell in _CELLS.split(text.strip().strip("|")) if cell.strip()]
        columns = self.sentence.columns
        if len(columns) == len(cells) > 2:
            pairs = [*zip(columns[1:], cells[1:], strict=True)]
            return [one for pair in pairs for one in _labelled(": ".join(pair), _COLUMN)]
        rest = [one for cell in cells[2:] for one in _labelled(cell, _LABEL)]
        if len(columns) == len(cells) == 2 and columns[1]:
            rest = _labelled(f"{columns[1]}: {cells[1]}", _COLUMN)
        return [*_labelled(": ".join(cells[:2]), _COLUMN), *rest]


def _certain(clauses: list[str]) -> list[str]:
    """Leave out both halves of what is told as "either ... or"; and what a price only includes."""
    found, hangs = list[str](), False
    for at, clause in enumerate(clauses):
        is_either = _EITHER.match(clause) is not None
        if is_either and any(_OR.search(one) for one in clauses[at:]):
            hangs = True
        is_in_it = bool(found) and _AT_A_PRICE.search(found[-1]) and _BROUGHT.match(clause)
        if not hangs and not is_in_it:
            found.append(clause)
        hangs = hangs and _OR.search(clause) is None
    return found


def _unconditional(clauses: list[str]) -> list[str]:
    """Leave out what hangs on a condition before it: "if it shows up, it went through"."""
    found, hangs = list[str](), False
    for clause in clauses:
        is_condition = _CONDITION.match(clause) is not None
        if not hangs or is_condition:
            found.append(clause)
        hangs = is_condition or _ENDS_WITH_ONE.search(clause) is not None
    return found


def is_open(clause: str) -> bool:
    """Tell whether a clause only speaks of something: in a condition, of the future."""
    return ONLY_SPOKEN_OF.search(clause) is not None


def _labelled(text: str, form: re.Pattern[str]) -> list[str]:
    """Return the clauses of a text; of a label and what is said of it both together."""
    bare = _CROSSED_OUT.sub(" ", text)
    unticked = _OPEN_BOX.sub(r"\1 not yet ", _TICKED.sub(" ", bare))
    found = form.match(unticked)
    if found is None or len(found["label"].split()) > _MOST_IN_A_LABEL:
        return _parts(unticked)
    label, value = plain(found["label"]), plain(found["value"])
    if form is _LABEL and _SAYS_BY_ITSELF.match(label):
        return _parts(unticked)
    if _BEFORE.match(label):
        return []
    if _NONE.match(value) and _OF_WHAT_IS_LEFT.search(label):
        return []
    if _NONE.match(value):
        return [f"nothing was {label}", f"no {label} was made"]
    if _DONE.match(value):
        return [f"it was {label}", f"{label} done"]
    first, *more = _parts(found["value"]) or [""]
    return [f"{label} {first}".strip(), *([first] if first else []), *more]


def _marked(text: str) -> list[str]:
    """Return the clauses of items of one line that are ticked or crossed: "paid ✅ mail ❌"."""
    marks = _MARK.findall(text)
    if len(marks) < _LEAST_MARKED:
        return []
    words = [plain(re.sub(r"[^\w\s.,$€£'#-]+", " ", one)).strip(" ,-") for one in _MARK.split(text)]
    first = words[0].rstrip(": ")
    items = words[1:] if not first or words[0].endswith(":") else words[:-1]
    if len(items) != len(marks):
        return []
    found = list[str]()
    for item, mark in zip(items, marks, strict=True):
        if _UNKNOWN.match(mark):
            continue
        if _TICKED.match(mark):
            found += [item, f"it was {item}", f"{item} done"]
        else:
            found += [f"nothing was {item}", f"no {item} was made"]
    return found


def _parts(text: str) -> list[str]:
    return [plain(one) for one in Sentence(text, 0, 0, False).clauses]


def _is_a_question(text: str) -> bool:
    return text.rstrip(" *_\"')").endswith("?")
