"""Commands and phrases: how a message is matched against a table of them.

A message is understood only as a whole. Each word of it must be accounted for by a phrase of the
table, or by phrases that are joined by "and", "then" or a comma; what a phrase leaves open (a
product, a kind of goods) must be accounted for by its command. So a negation, a condition, a
question or a further clause is never half understood.

In a phrase `[word]` may be left out, `a|b` is one of the two, and a word in capitals is left open.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from rapidfuzz import fuzz

from daybook.demo.model.prompt import Prompt

_LONGEST: Final = 400
"""Characters of a message that is looked at; a longer one is not understood."""
_MOST_JOINED: Final = 6
_TYPO: Final = 88
"""Likeness, of 100, at which a word of five letters or more is taken for one of a name."""

_NUMBERS: Final = ("a", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_ORDINALS: Final = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")

PARTS: Final = {
    "N": (rf"(?P<n>\d{{1,4}}|an|{'|'.join(_NUMBERS)})", "a number"),
    "ITEM": (r"(?P<item>.+)", "a SKU, `the first`, `number 2`, `it`, or words of a name"),
    "ITEMS": (r"(?P<item>.+)", "one or several items, each with an optional number"),
    "WHAT": (r"(?P<what>[\w'&/-]+(?: [\w'&/-]+){0,7}?)", "a kind of product"),
    "MOST": (
        r"(?:under|below) [$€£]?(?P<most>\d{1,6}(?:\.\d\d?)?)(?: ?(?:[$€£]|usd|dollars|euros?))?",
        "`under` or `below` and a price",
    ),
    "PRICE": (r"[$€£]?(?P<most>\d{1,6}(?:\.\d\d?)?)(?: ?(?:[$€£]|usd|dollars|euros?))?", "a price"),
    "SIZE": (r"(?P<size>\d{1,2}(?:\.5)?|x{0,3}[sml])", "a size"),
    "HOST": (r"(?P<host>[\w.:-]+)", "the name of a merchant, or a part of it"),
    "CARD": (r"(?P<card>card_\w+)", "the id of a card"),
    "ADDRESS": (r"(?P<address>addr_\w+)", "the id of an address"),
    "CHOICE": (r"(?P<choice>[\w-]+)", "the id of a card or address"),
    "ORDER": (r"(?P<order>[a-z]{2}-\d+)", "an order number"),
    "GOAL": (r"(?P<goal>[\w'-]+(?: [\w'-]+){0,9})", "what the advice is for"),
    "SUBJECT": (r"(?P<subject>[a-z]+(?: [a-z]+){0,2})", "the name of a fact, such as `shoe size`"),
    "VALUE": (r"(?P<value>[$€£]?[\w.,-]*\w(?: [\w'-]+){0,3})", "its value, such as `43`"),
}
"""What may stand for a word in capitals, and how the documentation describes it."""

_TURNS: Final = frozenset(
    """not no never none without don't dont doesn't except but if or nor unless until maybe than
    then and that what which who why how when is are was were am be i you he she we they can could
    should would will shall do does did because although instead later cancel remove help""".split()  # noqa: SIM905
)
"""Words that turn the sense of others: free words that hold one are not understood."""

_POLITE: Final = re.compile(r"^(?:please|ok(?:ay)?|now),? |,? please$", re.IGNORECASE)
_JOIN: Final = re.compile(r"[,;.]? (?:and then|and|then) |[,;.] ", re.IGNORECASE)
_ITEM_JOIN: Final = re.compile(r",? and |, ", re.IGNORECASE)
_COUNTED: Final = re.compile(
    rf"{PARTS['N'][0]} (?:(?:x|of|pairs? of) )?(?P<rest>(?!\d+$).+)", re.IGNORECASE
)
_PLACE: Final = re.compile(
    rf"(?:the )?(?P<word>{'|'.join(_ORDINALS)}|last)(?: one)?|(?:number |#)?(?P<at>\d{{1,2}})",
    re.IGNORECASE,
)
_IT: Final = frozenset({"it", "this", "that", "this one", "that one"})


@dataclass(frozen=True)
class Wish:
    """A tool that shall be called."""

    tool: str
    args: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Reply:
    """What the model answers: a text, or calls.

    Attributes:
        is_unclear: the text asks what is meant, so nothing of the message is done.
    """

    text: str = ""
    wishes: tuple[Wish, ...] = ()
    is_unclear: bool = False


@dataclass(frozen=True)
class Command:
    """One row of a table of commands.

    Attributes:
        example: a message that it understands.
        does: what it does, for the documentation.
        calls: the tools that the example calls, in order.
        after: messages before the example, without which it means nothing.
        is_question: it may end with a question mark.
        is_alone: it cannot be joined with others.
        is_effect: it acts on the world, so it is the last of those that are joined and waits
            until the others have succeeded.
    """

    name: str
    phrases: tuple[str, ...]
    example: str
    does: str
    calls: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    is_question: bool = False
    is_alone: bool = False
    is_effect: bool = False


TALK: Final = (
    Command("yes", ("yes",), "yes", "agrees to the last question", is_alone=True),
    Command("no", ("no [thanks]", "stop"), "no", "does nothing", is_alone=True),
    Command("thanks", ("thanks", "thank you"), "thanks", "does nothing", is_alone=True),
    Command("hello", ("hello|hi|help", "what can you do"), "hello", "says what it understands",
            is_question=True, is_alone=True),
)  # fmt: skip
"""What is understood in every domain."""

Groups = Mapping[str, str | None]
Act = Callable[[str, Groups, bool], Reply | None]
"""Decides on a command and what its phrase left open; None if that is not accounted for.

The last argument tells whether the command is the first of its message. "it" and "the first" in a
later one may mean what an earlier one brings, which is not known yet.
"""

Understood = tuple[Command, Groups, Reply]
"""A command that a message holds, what its phrase left open, and the decision on it."""


@dataclass(frozen=True)
class Product:
    """Something that can be meant: its id, its name, and the merchant that sells it."""

    id: str
    name: str = ""
    merchant: str = ""

    def __str__(self) -> str:
        at = f" at {self.merchant}" if self.merchant else ""
        return f"{self.name}{at} ({self.id})"


def understand(text: str, table: Sequence[Command], act: Act) -> list[Understood] | None:
    """Return the commands of a message in order; None if a word of it is not accounted for."""
    said = _plain(text)
    if not said or len(said) > _LONGEST:
        return None
    return _one(said, table, act) or _joined(said, table, act)


def effect_of(text: str, table: Sequence[Command], act: Act) -> Reply | None:
    """Return the decision on the effect that a message is, or with which it ends."""
    said = _plain(text)
    for tail in (said, *(said[join.end() :] for join in _JOIN.finditer(said))):
        found = _one(tail, table, act)
        if found is not None and found[0][0].is_effect:
            return found[0][2]
    return None


def decided(heard: list[Understood] | None, examples: Sequence[str]) -> Reply:
    """Put the decisions of a message together; an effect waits for what is to be done before."""
    if heard is None:
        return Reply(not_understood(examples))
    unclear = [reply for _, _, reply in heard if reply.is_unclear]
    if unclear:
        return unclear[0]
    wishes = [one for command, _, reply in heard for one in reply.wishes if not command.is_effect]
    effects = [one for command, _, reply in heard for one in reply.wishes if command.is_effect]
    if wishes or effects:
        return Reply("", tuple(wishes or effects))
    return Reply("\n\n".join(reply.text for _, _, reply in heard))


def talk(name: str, prompt: Prompt, examples: Sequence[str]) -> Reply:
    """Decide on a command of every domain; "yes" repeats the calls that wait for an answer."""
    if name == "yes":
        last = prompt.past[-1].calls if prompt.past else []
        asked = [Wish(call.tool, dict(call.args)) for call in last if call.question]
        return Reply("", tuple(asked)) if asked else Reply(not_understood(examples))
    if name == "no":
        return Reply("All right. Nothing was changed.")
    return Reply("You are welcome." if name == "thanks" else not_understood(examples))


def not_understood(examples: Sequence[str]) -> str:
    """Say in one sentence what is understood, and how to set a real model."""
    *first, last = (f"“{one}”" for one in examples)
    return (
        f"I am the stand-in for a model and understand only phrases such as {', '.join(first)} or"
        f" {last}; for a real model set `OPENAI_API_KEY`, or `OPENAI_BASE_URL` and"
        " `OPENAI_MODEL` for a local server."
    )


def calls(tool: str, **args: Any) -> Reply:
    """Return the reply that calls one tool."""
    return Reply("", (Wish(tool, args),))


def cents(most: str | None) -> int | None:
    """Return an amount in integer cents; None if there is none."""
    return round(float(most) * 100) if most else None


def searched(what: str) -> str | None:
    """Return what to search for; None if a word turns the sense of the others."""
    if _TURNS & set(re.findall(r"[a-z']+", what.lower())):
        return None
    return re.sub(r"^(?:an?|some|the) ", "", what, flags=re.IGNORECASE)


def number(text: str) -> int:
    """Return the number that digits or a word write."""
    said = text.lower()
    return int(said) if said.isdigit() else max(1, _NUMBERS.index("a" if said == "an" else said))


def counted(said: str) -> list[tuple[int, str]]:
    """Split "the first and two pairs of SOCK-002" into how many of what: 1 where none is said."""
    parts = [(_COUNTED.fullmatch(one), one) for one in _ITEM_JOIN.split(said)]
    return [(number(found["n"]), found["rest"]) if found else (1, one) for found, one in parts]


def is_place(said: str) -> bool:
    """Tell whether words name a place in a list, or what was spoken of last."""
    return _PLACE.fullmatch(said) is not None or said.lower() in _IT


def meant(
    said: str, listed: Sequence[Product], others: Iterable[Product], it: Product | None
) -> list[Product] | None:
    """Return the products that words mean: several if it is not clear which, [] if none is there.

    None if a word is not accounted for.

    Args:
        listed: the list that was shown last, for "the first".
        others: what else can be named.
        it: the product that was spoken of last.
    """
    place = _PLACE.fullmatch(said)
    if place is not None:
        word = (place["word"] or "").lower()
        at = _ORDINALS.index(word) + 1 if word in _ORDINALS else int(place["at"] or 0)
        return list(listed[-1:] if word == "last" else listed[at - 1 : at] if at else [])
    if said.lower() in _IT:
        return [it] if it is not None else []
    known = list(dict.fromkeys((*listed, *others)))
    exact = [one for one in known if one.id.lower() == said.lower()]
    return exact or [one for one in known if _is_called(one.name, said)] or None


def _is_called(name: str, said: str) -> bool:
    """Tell whether each word is one of a name, up to the plural and a typing error."""
    there = _folded(name)
    words = [one for one in _folded(said) if one not in ("the", "my", "a", "an", "some")]
    return not {*words} <= {*_NUMBERS} and all(
        word in there or (len(word) > 4 and any(fuzz.ratio(word, one) >= _TYPO for one in there))
        for word in words
    )


def _folded(text: str) -> list[str]:
    return [re.sub(r"(?<=[^s])s$", "", word) for word in re.findall(r"[^\s-]+", text.lower())]


def _plain(text: str) -> str:
    """Return a message on one line, without the short forms that phrases write out."""
    said = " ".join(text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").split())
    return re.sub(r"(?i)\bwhat'?s\b", "what is", re.sub(r"(?i)\bi'm\b", "I am", said))


def _one(
    said: str, table: Sequence[Command], act: Act, *, is_first: bool = True
) -> list[Understood] | None:
    body = said.rstrip(" .!?")
    asks = "?" in said[len(body) :]
    body = _POLITE.sub("", body)
    for command in table:
        for phrase in command.phrases:
            found = _regex(phrase).fullmatch(body)
            if found is None or (asks and not command.is_question):
                continue
            reply = act(command.name, found.groupdict(), is_first)
            if reply is not None:
                return [(command, found.groupdict(), reply)]
    return None


def _joined(said: str, table: Sequence[Command], act: Act, at: int = 1) -> list[Understood] | None:
    if at >= _MOST_JOINED:
        return None
    for join in _JOIN.finditer(said):
        first = _one(said[: join.start()], table, act, is_first=at == 1)
        if first is None or first[0][0].is_alone or first[0][0].is_effect:
            continue
        tail = said[join.end() :]
        rest = _one(tail, table, act, is_first=False) or _joined(tail, table, act, at + 1)
        if rest is not None and not any(command.is_alone for command, _, _ in rest):
            return [*first, *rest]
    return None


@cache
def _regex(phrase: str) -> re.Pattern[str]:
    """Compile a phrase, as the module describes it."""
    text = re.sub(r" \[([^]]+)\]", r"(?: \1)?", phrase)
    text = re.sub(r"^\[([^]]+)\] ", r"(?:\1 )?", text)
    text = re.sub(r"[\w']+(?:\|[\w']+)+", r"(?:\g<0>)", text)
    names = re.compile(rf"\b(?:{'|'.join(PARTS)})\b")
    return re.compile(names.sub(lambda one: PARTS[one[0]][0], text), re.IGNORECASE)
