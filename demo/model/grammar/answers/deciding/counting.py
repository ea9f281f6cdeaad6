"""Read a count of what was spoken of: how many of it there shall be. Pure."""

import re
from collections.abc import Sequence
from typing import Final

from daybook.demo.model.grammar.answers.asked.offered import LISTS
from daybook.demo.model.grammar.answers.asked.questions import ASK_ADD
from daybook.demo.model.grammar.answers.deciding.adding import meant
from daybook.demo.model.grammar.answers.deciding.clauses import (
    Clause,
    is_decided,
    turns_back,
)
from daybook.demo.model.grammar.answers.deciding.lately import (
    MOST,
    PAIR,
    asked_for_sum,
    changed_last,
    told_last,
)
from daybook.demo.model.grammar.language.intents.cart import Add, SetQuantity
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.references import Nth, Sku
from daybook.demo.model.grammar.seen.prompt import Prompt
from daybook.demo.model.grammar.seen.scene import Scene


def of_count(
    clauses: Sequence[Clause], scene: Scene, prompt: Prompt, question: str
) -> tuple[Intent, ...] | None:
    """Return what changes where only counts and pronouns are said."""
    if (places := _places(clauses, scene, prompt)) is not None:
        return places
    counts = [
        one for one in clauses if one.role == "counts" or (one.role == "points" and one.count)
    ]
    points = [one for one in clauses if one.role == "points"]
    if any(turns_back(one) or one.role == "refuses" for one in clauses):
        return None
    offered = ASK_ADD.fullmatch(question)
    if offered is not None and (line := scene.in_cart(offered[1])) is not None:
        says_all = _IN_ALL.match(clauses[0].shape) or any(one.total for one in counts)
        is_one = len(counts) == 1 and not counts[0].more and not _is_much(counts)
        is_all = says_all and is_one and not points
        return (SetQuantity(Sku(line.sku), counts[0].count),) if is_all else None
    focus = told_last(scene, prompt)
    halved = scene.in_cart(focus) if focus is not None else None
    if halved is not None and any(one.role == "halves" for one in clauses) and not counts:
        if (done := _set_already(halved.sku, prompt)) is not None:
            return (SetQuantity(Sku(halved.sku), done),)
        is_even = halved.quantity % PAIR == 0
        return (SetQuantity(Sku(halved.sku), halved.quantity // PAIR),) if is_even else None
    if any(one.role == "halves" for one in clauses):
        return None
    if (sku := changed_last(scene, prompt)) is not None:
        line = scene.in_cart(sku)
        assert line is not None, "it was changed, and is there"
        return _recounted(counts, line.quantity, Sku(sku), question) if not _open(points) else None
    if offered is not None:
        return _of_offer(counts, points, clauses, Sku(offered[1]), int(offered[2] or 1))
    is_free = focus is not None and halved is None and not question.endswith("?")
    thanks = any(_THANKS.search(one.shape) for one in counts)
    if focus is not None and is_free and (points or thanks or any(map(is_decided, clauses))):
        return _of_offer(counts, points, clauses, Sku(focus), 1)
    asked = asked_for_sum(prompt, scene)
    if asked is not None and len(counts) == 1 and not counts[0].more and not _is_much(counts):
        return (Add(Sku(asked), counts[0].count),) if scene.in_cart(asked) is None else None
    return None


_THANKS: Final = re.compile(r"\b(?:thanks|thank you|cheers|ta)\b")


def _set_already(sku: str, prompt: Prompt) -> int | None:
    """Return how many this turn has made it: what there was before is no longer known."""
    counts = [
        call.args.get("quantity")
        for call in prompt.turn.calls
        if call.tool == "set_quantity" and str(call.args.get("sku")).upper() == sku
    ]
    return next((count for count in counts if isinstance(count, int)), None)


_IN_ALL: Final = re.compile(r"(?:(?:ok|yes|right|and) )*(?:so|then|make)\b")


def _places(clauses: Sequence[Clause], scene: Scene, prompt: Prompt) -> tuple[Intent, ...] | None:
    """Read numbers alone, right after a list, as its places: "1 and 3"."""
    lists = bool(prompt.past) and LISTS.search(prompt.past[-1].answer) is not None
    bare = [one for one in clauses if re.fullmatch(r"#(?: please| then)?", one.shape)]
    if not lists or len(bare) < PAIR or len(bare) < len(clauses):
        return None
    skus = [meant(Nth(one.count), scene, prompt) for one in bare]
    are_new = all(isinstance(sku, Sku) and scene.in_cart(sku.sku) is None for sku in skus)
    if not are_new or len({repr(sku) for sku in skus}) < len(skus):
        return None
    return tuple(Add(sku) for sku in skus if sku is not None)


def _open(points: Sequence[Clause]) -> bool:
    return any(not one.count for one in points)


def _is_much(counts: Sequence[Clause]) -> bool:
    return any(not 0 < one.count <= MOST for one in counts)


def _recounted(
    counts: Sequence[Clause], there: int, item: Sku, question: str
) -> tuple[Intent, ...] | None:
    """Read how many there shall be: "two more on top, so five in total"."""
    if _is_much(counts) or question.endswith("?"):
        return None
    more = [one.count for one in counts if one.more]
    others = [one.count for one in counts if not one.more]
    if len(more) == 1 and (not others or others == [there + more[0]]):
        return (Add(item, more[0], more=True),)
    return (SetQuantity(item, others[0]),) if len(others) == 1 and not more else None


def _of_offer(
    counts: Sequence[Clause],
    points: Sequence[Clause],
    clauses: Sequence[Clause],
    item: Sku,
    offered: int,
) -> tuple[Intent, ...] | None:
    """Read a count, or "ok that one, size 38", as a yes to an offer."""
    if any(one.more for one in counts) or len(counts) > 1 or len(points) > 1 or _is_much(counts):
        return None
    if any(re.match(_NO, one.shape) for one in clauses if one.role != "tells"):
        return None
    if counts:
        return (Add(item, counts[0].count),)
    if len(clauses) == 1 and _CLOSES.fullmatch(clauses[0].shape):
        return (Add(item, offered),)
    marked = any(is_decided(one) for one in clauses if one.role != "tells")
    return (Add(item, offered),) if points and marked else None


_CLOSES: Final = re.compile(r"(?:(?:ok|yes|right|fine|great|and|it is) )*(?:sold|deal)(?: then)?")
_NO: Final = r"(?:no|nah|nope|wait|not|too bad)\b"
