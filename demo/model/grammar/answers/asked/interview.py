"""What a text means to the interviewer: answers to its questions, and what else is wanted.

The questions are fixed sentences and stand last in an answer, so they are recognised in the
history.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from daybook.demo.model.grammar.language.chat.bounds.limits import price_bounds
from daybook.demo.model.grammar.language.chat.names import has_model
from daybook.demo.model.grammar.language.intents.cart import Add, ShowCart
from daybook.demo.model.grammar.language.intents.goods import (
    AskKinds,
    AskPrice,
    AskProperty,
    Details,
    Mention,
    NewGoal,
    Reviews,
    Search,
    Suggest,
)
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.orders import ShowProfile
from daybook.demo.model.grammar.language.intents.past import (
    Advise,
    AskKnown,
    Forget,
    ForgetAll,
    GoOn,
    NoMatter,
    NoteBrief,
    Remember,
)
from daybook.demo.model.grammar.language.intents.references import Named
from daybook.demo.model.grammar.language.intents.talk import (
    Agree,
    Finished,
    NotUnderstood,
    Refuse,
    Talk,
)
from daybook.demo.model.grammar.language.words import ADJECTIVES, kind_of, plain_noun
from daybook.demo.model.grammar.seen.brief import person_in, read_brief
from daybook.demo.model.grammar.seen.prompt import Prompt, question_of

INTERVIEWER: Final = "interviewer"

ASK_GOAL: Final = "What is it for?"
ASK_CATEGORY: Final = "What kind of thing shall it be?"
ASK_PRICE: Final = "What may it cost at most?"
ASK_SIZE: Final = "Which size do you wear?"
ASK_OTHERS_SIZE: Final = "Which size shall it be?"
_SIZES_ASKED: Final = (ASK_SIZE, ASK_OTHERS_SIZE)

_STOPS: Final = re.compile(r"\b(?:cancel|stop|quit|never ?mind|forget it|leave it|enough)\b")
_JUST_SHOW: Final = re.compile(
    r"\bjust (?:show|give|find|get)\b|\w.*\bwhat (?:do|have) you (?:have|got|sell|there)\b"
)
_AMOUNT: Final = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d\d)?|\d{1,7}(?:\.\d\d)?")
_SIZE: Final = re.compile(r"\b(?:\d{1,2}(?:\.\d)?|x{0,3}[sml])\b", re.IGNORECASE)
_WORD: Final = re.compile(r"[\w-]+")
_LONGEST_GOAL: Final = 160
_LONGEST_WISH: Final = 60

_ANSWERED_HERE: Final = (
    Remember,
    Forget,
    ForgetAll,
    AskKnown,
    ShowProfile,
    ShowCart,
    Talk,
    AskKinds,
)


@dataclass
class _Heard:
    """What was heard so far in one text."""

    note: NoteBrief = field(default_factory=NoteBrief)
    others: list[Intent] = field(default_factory=list)
    unknown: list[NotUnderstood] = field(default_factory=list)
    skipped: bool = False
    declined: bool = False
    wishes: bool = False


def answers(intents: Sequence[Intent], prompt: Prompt) -> tuple[Intent, ...]:
    """Read a text as an answer to the interviewer; what it says of the brief is noted first."""
    text = prompt.turn.text
    asked = question_of(prompt.past[-1]) if prompt.past else ""
    heard = _Heard(declined=bool(_STOPS.search(text.lower()) or _JUST_SHOW.search(text.lower())))
    for intent in intents:
        _hear(intent, heard)
    if not heard.wishes:
        _take_as_answer(asked, text, heard)
    if _ASKS_TO_SEE.search(text.lower()) and _knows_what(heard, prompt):
        heard.declined = True
    tells = _TELLS.search(text.lower()) and not _WANTS_AN_ANSWER.search(text.lower())
    if heard.note != NoteBrief() or tells:
        # The rest of a text that was an answer needs no words of its own, nor what is only told.
        heard.unknown.clear()
    noted = [heard.note] if heard.note != NoteBrief() else []
    wish = _of_that_kind(_in_short(intents, text), prompt) if heard.wishes else ""
    gone_on = GoOn(heard.skipped, heard.declined or (heard.wishes and not wish), wish)
    return (*noted, *heard.others, *([] if heard.declined else heard.unknown), gone_on)


def of_one(intent: Intent) -> bool:
    """Tell whether an intent is of a product that is named: it wants no interview."""
    item = getattr(intent, "item", None)
    is_named = isinstance(item, Named) and has_model(item.words)
    return is_named and isinstance(intent, Add | AskPrice | AskProperty | Details | Reviews)


def _in_short(intents: Sequence[Intent], text: str) -> str:
    """Return a wish as it can be handed over: in a few words; "" where it takes more."""
    meant = [one for one in intents if not isinstance(one, Talk)]
    if len(text) <= _LONGEST_WISH or len(meant) != 1 or not of_one(meant[0]):
        return text if len(text) <= _LONGEST_WISH else ""
    match meant[0]:
        case Add(Named(words), count):
            short = f"add {count} {' '.join(words)}"
        case Reviews(Named(words)):
            short = f"reviews of the {' '.join(words)}"
        case AskPrice(Named(words)):
            short = f"price of the {' '.join(words)}"
        case AskProperty(Named(words), (asked,)):
            short = f"{asked} of the {' '.join(words)}"
        case Details(Named(words)):
            short = f"tell me about the {' '.join(words)}"
        case _:
            return ""
    return short if len(short) <= _LONGEST_WISH else ""


def _of_that_kind(wish: str, prompt: Prompt) -> str:
    """Name the kind that is talked of where a wish only says "ones": "the lightest ones?"."""
    kind = read_brief(prompt.now.brief).category
    if not kind or kind_of([word.lower() for word in _WORD.findall(wish)]) is not None:
        return wish
    return _ONES.sub(plain_noun(kind), wish)[:_LONGEST_WISH]


_ONES: Final = re.compile(r"\bones?\b", re.IGNORECASE)
_TELLS: Final = re.compile(
    r"\b(?:i|we|he|she|they|it|its|it's|he's|she's|hes|shes|im|i'm|the|my|this|that|there"
    r"|too (?:many|much)|overwhelm\w*|confus\w*|lost)\b"
)
_WANTS_AN_ANSWER: Final = re.compile(
    r"\?|^\W*(?:(?:and|so|ok|but|hi|hello|please|just)\W+)*(?:what|whats|how|which|who|where"
    r"|when|why"
    r"|is|are|do|does|did|can|could|will|would|may|should|tell|show|find|give|get|add|put|buy|order"
    r"|remove|cancel|list|let|help|open|compare|i (?:want|need|would)|i'd|we (?:want|need))\b"
)
_ASKS_TO_SEE: Final = re.compile(
    r"\b(?:anything|something|any|got|do you have|have you|you have|is there|are there)\b[^?.!]*\?"
    r"|\b(?:show|let) (?:me|us)\b"
)


def _knows_what(heard: _Heard, prompt: Prompt) -> bool:
    """Tell whether it is known by now what kind of thing is looked for."""
    known = read_brief(prompt.now.brief)
    return (
        heard.note.category is not None
        or bool(known.category)
        or kind_of([word.lower() for word in _WORD.findall(prompt.turn.text)]) is not None
    )


def _hear(intent: Intent, heard: _Heard) -> None:
    match intent:
        case Search() if intent == Search():
            heard.declined = True
        case Search():
            _hear_search(intent, heard)
        case NewGoal(goal, search):
            _hear_search(search, heard)
            heard.note = replace(heard.note, goal=goal)
        case Advise(goal):
            heard.note = replace(heard.note, goal=goal or heard.note.goal)
        case Mention(Named(words)) if kind_of(words) is not None:
            heard.note = replace(heard.note, category=kind_of(words))
        case Remember(subject=subject, value=value):
            heard.others.append(intent)
            if subject.endswith("size"):
                heard.note = replace(heard.note, size=value)
            elif subject == "budget":
                heard.note = replace(heard.note, max_price=_cents(value))
        case NoMatter() | Refuse():
            heard.skipped = True
        case Finished() | Suggest():
            heard.declined = True
        case NotUnderstood():
            heard.unknown.append(intent)
        case Agree() | Mention():
            pass
        case _ if isinstance(intent, _ANSWERED_HERE):
            heard.others.append(intent)
        case _:
            heard.wishes = True


def _hear_search(search: Search, heard: _Heard) -> None:
    words = search.query.split()
    category = search.category or kind_of(words)
    must_have = tuple(word for word in words if word in ADJECTIVES and kind_of([word]) is None)
    heard.note = replace(
        heard.note,
        category=category or heard.note.category,
        max_price=search.max_price or heard.note.max_price,
        must_have=tuple(dict.fromkeys((*heard.note.must_have, *must_have))),
    )
    if category is None and search.max_price is None and search.query:
        heard.unknown.append(NotUnderstood(search.query))


def _take_as_answer(asked: str, text: str, heard: _Heard) -> None:
    """Take what the words alone do not say, but say after the question."""
    note, left_open = heard.note, heard.skipped or heard.declined
    words = [word.lower() for word in _WORD.findall(text)]
    if note.category is None and (kind := kind_of(words)) is not None and not left_open:
        note = replace(note, category=kind)
    if note.max_price is None and not left_open:
        limit = _cents(text) if asked == ASK_PRICE else price_bounds(text.lower())[1]
        note = replace(note, max_price=limit)
    if asked in (ASK_SIZE, ASK_OTHERS_SIZE) and note.size is None and (found := _SIZE.search(text)):
        note = replace(note, size=found.group().upper())
    elif asked == ASK_GOAL and note.goal is None and not (left_open or heard.others):
        note = replace(note, goal=" ".join(text.split())[:_LONGEST_GOAL] or None)
    heard.note = replace(note, for_whom=person_in(text) or None)


def _cents(text: str) -> int | None:
    found = _AMOUNT.search(text)
    if found is None:
        return None
    whole, _, part = found.group().replace(",", "").partition(".")
    return (int(whole) * 100 + int((part + "00")[:2])) or None
