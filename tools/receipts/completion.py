"""Find the places at which a text claims that an effect was carried out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate, takewhile
from typing import Final, Literal, NamedTuple

from daybook.tools.receipts.claims import Form, Lexicon
from daybook.tools.receipts.text import Sentence, has_date
from daybook.tools.receipts.words import PHRASES, TABLES, WORDS, compiled

Frame = Literal["active", "passive", "state", "noun"]


class Claim(NamedTuple):
    """A claim that an effect was carried out.

    Attributes:
        kinds: names of the kinds that it can be of.
        frame: "I charged", "was charged", "is charged", or "charge completed".
        is_started: it claims no more than that the effect was begun.
    """

    kinds: frozenset[str]
    frame: Frame
    is_started: bool
    start: int
    end: int


_HARMLESS: Final = compiled("harmless")
"""Negations and modals that take nothing back."""
_UNREAL: Final = frozenset().union(
    *(
        WORDS[group]
        for group in ("unreal", "negations", "denials", "modals", "conditions", "hedges")
    )
)
_FRAMES: Final[dict[str, list[tuple[Frame, re.Pattern[str]]]]] = {}
for _use, _frame, _pattern in TABLES["frames"]["before"]:
    _FRAMES.setdefault(_use, []).append((_frame, re.compile(rf"(?:^|\s)(?:{_pattern})$")))
"""What stands right before a word form of a language and use, adverbs left out."""
_SPECIAL: Final[dict[str, str]] = TABLES["special"]
"""What stands before a word that claims in this phrase alone."""
_DENIED: Final = WORDS["denials"] | WORDS["negations"] - {"without", "ohne", "sin", "sans"}
_GENERAL: Final = WORDS["general"] | WORDS["conditions"] | WORDS["after"]
_FILLERS: Final = WORDS["links"] | WORDS["adverbs"]
_VOID: Final = compiled("void")
_HELPERS: Final = compiled("helpers")
_BY: Final = compiled("by")
_AS_SOON_AS: Final = compiled("as_soon_as")
_OTHERWISE: Final = {
    "ordered": frozenset(["by", "according", "alphabetically"]),
    "pedido": frozenset(["que", "confirmación", "aprobación", "información", "datos"]),
}
"""Beside these words a participle means something else."""


def is_unreal(sentence: Sentence) -> bool:
    """Tell whether a heading announces what has not happened, so that its list claims nothing."""
    return not _UNREAL.isdisjoint(sentence.texts)


class Claims:
    """The claims of one sentence.

    Args:
        sentence: of a text in lower case.
        lexicon: the word forms to look for.
        held: names of the kinds of which the thread has an effect.
    """

    def __init__(self, sentence: Sentence, lexicon: Lexicon, held: frozenset[str]) -> None:
        self._sentence, self._lexicon, self._held = sentence, lexicon, held
        self._texts = sentence.texts
        self._clauses = [word.clause for word in sentence.words]
        self._before: dict[int, list[str]] = {}

    def __iter__(self) -> Iterator[Claim]:
        """Yield what the sentence claims, whether it is so or not."""
        if self._sentence.ends_with == "?" or self._sentence.place in ("header", "quote"):
            return
        if self._sentence.place != "entry" or not self._explains_word():
            yield from self._phrases()
            yield from self._participles()

    def _explains_word(self) -> bool:
        """Tell of "- **Charged**: your card was debited", where nothing of the kind was tried."""
        label = [*takewhile(lambda text: text != ":", self._texts[:6])]
        forms = [form for text in label for form in self._lexicon.forms.get(text, ())]
        is_label = ":" in self._texts[:6]
        return is_label and any(form.is_alone and form.kind not in self._held for form in forms)

    def _phrases(self) -> Iterator[Claim]:
        starts = [*accumulate((len(text) + 1 for text in self._texts), initial=0)]
        text = " ".join(self._texts)
        for kind, pattern in PHRASES:
            if found := pattern.search(text):
                at = sum(start <= found.start() for start in starts) - 1
                last = sum(start < found.end() for start in starts[:-1]) - 1
                near = [*self._inside(at)[-4:], *found[0].split()]
                frame: Frame = "passive" if WORDS["i"].isdisjoint(near) else "active"
                claim = self._claimed(frozenset({kind}), frame, False, at, last)
                if not self._is_blocked(at, last, claim):
                    yield claim

    def _participles(self) -> Iterator[Claim]:
        last: tuple[int, Frame] | None = None
        for at, text in enumerate(self._texts):
            for form in self._lexicon.forms.get(text, ()):
                inside = self._inside(at)
                frame = self._frame(at, form)
                ends = {*inside[-1:], *_without_adverbs(inside)[-1:]}
                if not frame and WORDS["and"] & ends:
                    mine = form.language == "en" and _is_mine(inside)
                    joined: Frame | None = "active" if mine else None
                    frame = last[1] if last and last[0] == self._clauses[at] else joined
                claim = self._claim(at, form, frame)
                if claim and not self._is_blocked(at, at, claim):
                    last = (self._clauses[at], claim.frame)
                    yield claim
                    break

    def _claimed(
        self, kinds: frozenset[str], frame: Frame, is_started: bool, at: int, last: int
    ) -> Claim:
        words = self._sentence.words
        return Claim(kinds, frame, is_started, words[at].start, words[last].end)

    def _inside(self, at: int) -> list[str]:
        """Return what stands before a word in its clause."""
        if at not in self._before:
            pairs = zip(self._texts[:at], self._clauses[:at], strict=True)
            self._before[at] = [text for text, clause in pairs if clause == self._clauses[at]]
        return self._before[at]

    def _later(self, at: int) -> list[str]:
        span = slice(at + 1, at + 13)
        pairs = zip(self._texts[span], self._clauses[span], strict=True)
        return [text for text, clause in pairs if clause == self._clauses[at]]

    def _frame(self, at: int, form: Form) -> Frame | None:
        inside, text = self._inside(at), self._texts[at]
        tail = " ".join(_without_adverbs(inside))
        if inside[-1:] and inside[-1] in ("wie", "como", "comme", "as"):
            return None
        if text in _SPECIAL:
            return "passive" if re.search(rf"\b(?:{_SPECIAL[text]})$", tail) else None
        if form.language == "de":
            return _german(tail, " ".join(self._later(at)[:2]), form)
        for frame, pattern in _FRAMES.get(f"{form.language} {form.use}", ()):
            if pattern.search(tail):
                is_void = frame in ("passive", "state") and _VOID.search(tail)
                return None if is_void else frame
        return None

    def _claim(self, at: int, form: Form, frame: Frame | None) -> Claim | None:
        text = self._texts[at]
        if frame == "active" and not form.kind and text in WORDS["status"]:
            return None
        noun, kinds = at, frozenset[str]()
        if form.is_alone:
            alike = self._lexicon.forms[text]
            kinds = frozenset(one.kind for one in alike if one.is_alone)
        else:
            noun, kinds = self._noun(at, form, frame)
            if text in WORDS["moving"]:
                kinds &= {"send", "refund", "transfer"} | self._held
            natural = (
                "send" if text in WORDS["sent"] else "order" if text in WORDS["placed"] else ""
            )
            if not frame and at > 1 and self._texts[at - 2] in WORDS["labels"]:
                noun, kinds = at, self._held
            if not kinds and (natural in self._held or (natural == "send" and frame == "active")):
                noun, kinds = at, frozenset({natural})
        if not kinds or (frame is None and form.use != "participle"):
            return None
        if frame is None and not self._is_fragment(at, noun, form):
            return None
        # A charge that was "sent" may still be in doubt.
        is_sent = text in WORDS["sent"] | WORDS["moving"] and "send" not in kinds
        is_started = form.is_started or is_sent
        return self._claimed(kinds, frame or "noun", is_started, min(noun, at), at)

    def _noun(self, at: int, form: Form, frame: Frame | None) -> tuple[int, frozenset[str]]:
        """Return where the nearest noun or object of a form stands, and its kinds."""
        texts, same = self._texts, self._clauses[at]
        before = [*range(at - 1, max(-1, at - 16), -1)]
        ahead = [
            *takewhile(
                lambda i: texts[i] not in WORDS["and"] and self._clauses[i] == same,
                range(at + 1, min(at + 9, len(texts))),
            )
        ]
        if frame == "active":
            before = [i for i in before if self._clauses[i] == same]
        if not frame:
            before = [i for i in before if at - i < 3 or not texts[i][:1].isdigit()]
        ahead = ahead if frame and texts[at] not in _SPECIAL else []
        is_first = frame == "active" and form.language != "de"
        for index in (*ahead, *before) if is_first else (*before, *ahead):
            objects = self._lexicon.objects.get(texts[index], set())
            nouns = self._lexicon.nouns.get(texts[index]) or objects & self._held
            if kinds := objects & {form.kind} if form.kind else nouns:
                return index, frozenset(kinds)
        return -1, frozenset()

    def _is_fragment(self, at: int, noun: int, form: Form) -> bool:
        """Tell whether a word claims without a finite verb: "Order placed", "Refunded: 20 USD"."""
        texts = self._texts
        begin = next((i for i in range(noun - 1, -1, -1) if texts[i] in "|:;,•→"), -1)
        cell = [text for text in texts[begin + 1 : noun] if text.isalnum()]
        cell = [text for text in cell if text not in WORDS["adverbs"]]
        if noun < at:
            gap = [text for text in texts[noun + 1 : at] if text not in _FILLERS]
            is_split = texts[noun][:1].isdigit() and "|" in texts[noun:at]
            return len(cell) <= 2 and not is_split and all(re.search(r"\d", text) for text in gap)
        if texts[at] in self._lexicon.nouns:
            return False
        if noun == at and not form.is_alone and at > 1 and texts[at - 2] in WORDS["labels"]:
            return True
        objects = self._lexicon.objects
        if begin >= 0 and not cell and any(form.kind in objects.get(t, ()) for t in texts[:at]):
            return True
        is_paid = texts[at].startswith(("paid", "bezahlt", "pagad", "payé"))
        if self._sentence.place == "row" or (is_paid and form.kind not in self._held):
            return False
        lead = [text for text in cell if text not in WORDS["leads"]]
        following = texts[at + 1] if at + 1 < len(texts) else ""
        if not following.isalnum() and following not in WORDS["and"] | {":"}:
            return len(lead) <= 1
        is_open = following in WORDS["and"] | {":", "to"} or following[:1].isdigit()
        return not lead and is_open

    def _is_blocked(self, first: int, at: int, claim: Claim) -> bool:
        """Tell whether a claim is negated, conditional, general, hedged or of the past."""
        texts = self._texts
        earlier, after, inside = texts[:first], texts[at + 1 : at + 9], self._inside(first)
        before = inside if claim.frame == "active" else earlier
        later = self._later(at)
        later = [*takewhile(lambda text: text not in ("and", "und", "y", "et", ","), later)]
        said = set(_HARMLESS.sub(" ", " ".join(inside)).split())
        is_apart = after[:1] and after[0] in ":|-\u2013\u2014("
        zero = r"(?:^|[$€£] ?|\s)0(?:[.,]00)?(?:\s|$)"
        if (
            (WORDS["negations"] | WORDS["after"]) & said
            or WORDS["hedges"].intersection(before)
            or {"nicht", "nichts", "kein", "keine"}.intersection(later)
            or _DENIED.intersection(after[1:2] if is_apart else after[:1])
            or WORDS["denials"].intersection(earlier[:3])
            or WORDS["drafts"].intersection(earlier)
            or WORDS["aside"].intersection(self._later(at)[:8])
            or (claim.is_started and WORDS["aside"].intersection(inside))
            or re.search(zero, " ".join([*earlier[-3:], "|", *after]))
            or _OTHERWISE.get(texts[at], frozenset()).intersection(after[:4])
            or WORDS["conditions"].intersection(before)
            or _AS_SOON_AS.search(" ".join(before))
        ):
            return True
        if claim.frame == "active":
            return False
        near = [*earlier[-14:], texts[at], *later]
        return bool(
            _DENIED.intersection(later)
            or (claim.frame == "noun" and WORDS["modals"] & said)
            or (claim.frame != "passive" and _GENERAL & said.union(later))
            or _BY.match(" ".join(after[:2]))
            or (not claim.kinds & self._held and self._is_general(claim, after))
            or (
                not claim.kinds & {"book", "reserve", "change"}
                and (WORDS["past"].intersection(near) or has_date(near))
            )
        )

    def _is_general(self, claim: Claim, after: list[str]) -> bool:
        """Tell whether a claim may tell of rules or others: the thread has none of its kind."""
        is_prose = self._sentence.place == "prose"
        if claim.frame != "noun":
            is_safe = claim.frame == "passive" and is_prose
            return not is_safe and WORDS["mine"].isdisjoint(self._texts)
        is_short = len(self._texts) <= 4 and (is_prose or self._sentence.place == "heading")
        is_loud = self._sentence.ends_with == "!" or not set("✅✔✓☑🎉").isdisjoint(self._texts)
        return after[:1] == [":"] or not (is_short or is_loud)


def _without_adverbs(words: list[str]) -> list[str]:
    return [word for word in words if word not in WORDS["adverbs"]]


def _is_mine(inside: list[str]) -> bool:
    """Tell whether "I checked the stock and" stands before a participle."""
    since = [*takewhile(lambda word: word not in ("i", "we"), reversed(inside))]
    return len(since) < len(inside) and (WORDS["modals"] | WORDS["others"]).isdisjoint(since)


def _german(tail: str, later: str, form: Form) -> Frame | None:
    """Judge by the helping verb, which stands far before the participle or right behind it."""
    if form.use == "infinitive":
        could = r"\b(?:konnte ich|ich konnte|konnten wir|wir konnten)\b"
        return "active" if re.search(could, tail) else None
    helpers = _HELPERS.findall(tail) or _HELPERS.findall(later)
    if not helpers or helpers[-1] in ("wird", "werden", "hat", "hast", "habt"):
        return None
    if helpers[-1].startswith("hab"):
        is_mine = re.search(r"\bwir\b" if helpers[-1] == "haben" else r"\bich\b", tail)
        return "active" if is_mine and "sie haben" not in tail else None
    return "state" if helpers[-1] in ("ist", "sind") and "worden" not in later else "passive"
