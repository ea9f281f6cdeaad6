"""Judge a turn: right, a sensible question, refused, or misunderstood. Pure.

A question is sensible where one is wanted, or where nothing was changed and it asks about the very
thing: it names a word of what was said, or puts products or orders to choose from.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from evals.talk.playing import Happened, Listed
from evals.talk.scenes import Scene, Wants

FALLBACK: Final = ("I did not understand",)
"""What the stand-in says where a sentence is outside its grammar."""

_ACTS: Final = frozenset({"checkout", "cancel_order", "send_email"})
_WORD: Final = re.compile(r"[a-z0-9]+")
_LITTLE: Final = frozenset(
    {
        "the", "and", "for", "you", "what", "that", "this", "with", "your", "have", "please",
        "can", "are", "was", "not", "but", "any", "some", "will", "would", "them", "they",
    }
)  # fmt: skip
_NUMBERED: Final = re.compile(r"^\s*\d{1,3}\. |^- DB-\d+", re.MULTILINE)
_CHANGES: Final = frozenset({"remember", "forget"})


class Verdict(StrEnum):
    """What became of a turn."""

    RIGHT = "right"
    ASKED = "sensible question"
    REFUSED = "wrongly refused"
    MISUNDERSTOOD = "misunderstood"


@dataclass(frozen=True)
class Judged:
    """A turn's verdict: why it is not right, and whether the cart was changed wrongly."""

    scene: Scene
    number: int
    happened: Happened
    verdict: Verdict
    why: str = ""
    wrong_effect: bool = False
    subject: str = ""

    @property
    def said(self) -> str:
        """Return what the person said."""
        return self.scene.turns[self.number].say


def subject_of(wants: Wants, before: Mapping[str, int] | None = None) -> str:
    """Name what a turn is about, by what is wanted of it."""
    for subject, tools in _SUBJECTS.items():
        if set(wants.calls) & tools:
            return subject
    if isinstance(wants.cart, dict) and wants.cart != dict(before or {}):
        return "cart"
    if wants.asks or wants.may_ask:
        return "open"
    return "said" if wants.says or wants.never else "no effect"


_SUBJECTS: Final[Mapping[str, frozenset[str]]] = {
    "promises": frozenset({"get_policy"}),
    "memory": frozenset({"remember", "forget"}),
    "buying": frozenset({"checkout", "cancel_order", "send_email"}),
    "orders": frozenset({"list_orders", "get_order", "query_history"}),
    "products": frozenset({"get_product", "get_reviews", "compare_reviews"}),
    "search": frozenset({"search_products", "start_interview", "list_categories"}),
}


def judged(scene: Scene, happened: Sequence[Happened]) -> list[Judged]:
    """Judge every turn of a scene that was played."""
    found = []
    shown: tuple[Listed, ...] = ()
    wanted_before: Mapping[str, int] = {}
    answers = ""
    for number, (turn, one) in enumerate(zip(scene.turns, happened, strict=True)):
        wanted = _wanted_cart(turn.wants, one, wanted_before, shown or one.listed)
        effect = _effect(wanted, wanted_before, one)
        if wanted is not None:
            one = replace(one, due=tuple(_change(wanted_before, wanted)))
        verdict, why = _judge(turn.say, turn.wants, one, effect, answers)
        wrong = effect == "wrong" or (effect == "part" and verdict is not Verdict.ASKED)
        subject = subject_of(turn.wants, wanted_before)
        found.append(Judged(scene, number, one, verdict, why, wrong, subject))
        shown = one.listed or shown
        wanted_before = one.after if wanted is None else wanted
        answers += one.answer
    return found


def _wanted_cart(
    wants: Wants, one: Happened, before: Mapping[str, int], shown: Sequence[Listed]
) -> Mapping[str, int] | None:
    """Return the cart that is wanted, with the places of a list read as its products."""
    if wants.cart is None:
        return None
    if wants.cart == "same":
        return before
    cart: dict[str, int] = {}
    for name, count in wants.cart.items():
        place = int(name[1:]) - 1 if name.startswith("#") else -1
        sku = name if place < 0 else shown[place].sku if place < len(shown) else name
        cart[sku] = cart.get(sku, 0) + count
    return cart


def _effect(wanted: Mapping[str, int] | None, before: Mapping[str, int], one: Happened) -> str:
    """Say how the cart was changed: "right", "none" where more was wanted, "part" or "wrong".

    What an earlier turn left undone is not held against this one: changes are compared.
    """
    if wanted is None:
        return "right"
    made, due = _change(one.before, one.after), _change(before, wanted)
    if all(
        one.after.get(sku, 0) == wanted.get(sku, 0) or made.get(sku, 0) == due.get(sku, 0)
        for sku in {*one.after, *wanted, *made, *due}
    ):
        return "right"
    if not made:
        return "none"
    return "part" if made.items() <= due.items() else "wrong"


def _change(before: Mapping[str, int], after: Mapping[str, int]) -> dict[str, int]:
    skus = {*before, *after}
    changes = {sku: after.get(sku, 0) - before.get(sku, 0) for sku in skus}
    return {sku: count for sku, count in changes.items() if count}


def _judge(
    said: str, wants: Wants, one: Happened, effect: str, answers: str
) -> tuple[Verdict, str]:
    if effect == "wrong":
        return Verdict.MISUNDERSTOOD, f"the cart became {dict(one.after)}"
    if forbidden := _forbidden(wants, one):
        return Verdict.MISUNDERSTOOD, forbidden
    if any(words in one.answer for words in FALLBACK):
        return Verdict.REFUSED, "not understood"
    may_ask = wants.asks or wants.may_ask
    missing = "; ".join(_missing(wants, one, answers))
    if effect == "right" and not missing and not (wants.asks and not wants.calls):
        return Verdict.RIGHT, ""
    if asks(one.answer) and (may_ask or _is_about(said, one)) and effect in ("none", "part"):
        return Verdict.ASKED, ""
    if asks(one.answer) and effect == "right" and (may_ask or _is_about(said, one)):
        return Verdict.ASKED, ""
    if effect in ("none", "part"):
        missing = "; ".join(part for part in ("the cart lacks what was wanted", missing) if part)
    return Verdict.MISUNDERSTOOD, missing or "it does not ask"


def _forbidden(wants: Wants, one: Happened) -> str:
    """Say what was done or said that must not be."""
    answer = one.answer.lower()
    if wrong := [words for words in wants.never if words.lower() in answer]:
        return f"it says {', '.join(wrong)}"
    if wants.limit is not None:
        dear = [p.sku for p in one.listed if p.price is not None and p.price > wants.limit]
        if dear:
            return f"above the limit: {', '.join(dear)}"
    judged_calls = wants.calls or wants.cart is not None or wants.asks
    if judged_calls and (acted := [t for t in one.acted if t in _ACTS and t not in wants.calls]):
        return f"it did {', '.join(acted)}"
    return ""


def _missing(wants: Wants, one: Happened, answers: str) -> Iterator[str]:
    """Name what was wanted and did not come."""
    if wants.calls and not any(_has_called(tool, one, answers) for tool in wants.calls):
        yield f"no call of {' or '.join(wants.calls)}"
    answer = one.answer.lower()
    for choices in wants.says:
        if not any(words.lower() in answer for words in choices):
            yield f"it does not say {' or '.join(choices)}"


def _has_called(tool: str, one: Happened, answers: str) -> bool:
    """Tell whether a tool was called, or its result is told from what stands in the prompt."""
    if tool in one.calls:
        return True
    if tool == "get_cart":
        return "Total:" in one.answer or "cart is empty" in one.answer
    if tool in ("get_order", "list_orders"):
        return "DB-" in one.answer or "no orders" in one.answer
    if tool in ("get_product", "search_products"):
        # A price, or which one is the cheapest: what was listed before is told again.
        told = set(re.findall(r"\b[A-Z]{4}-\d{3}\b", one.answer))
        return bool(told) and all(sku in answers for sku in told)
    return False


def asks(answer: str) -> bool:
    """Tell whether an answer asks: it ends with a question, or has choices with numbers."""
    return "?" in answer or _NUMBERED.search(answer) is not None


def _is_about(said: str, one: Happened) -> bool:
    """Tell whether a question is about the very thing that was said, and nothing was changed."""
    if set(one.calls) & _CHANGES:
        return False
    question = [line for line in one.answer.split("\n") if "?" in line]
    if not question:
        return False
    if one.due and any(sku in question[-1] for sku in one.due):
        return True
    words = {_stem(word) for word in _WORD.findall(said.lower())} - _LITTLE
    asked = {_stem(word) for word in _WORD.findall(question[-1].lower())}
    return bool({word for word in words if len(word) > 2} & asked) or "Which" in question[-1]


def _stem(word: str) -> str:
    return word[:-1] if word.endswith("s") and len(word) > 3 else word
