"""Goods and counts that stand side by side, put together where they are one."""

from collections.abc import Sequence
from dataclasses import replace

from daybook.demo.model.grammar.answers.deciding.lately import PAIR
from daybook.demo.model.grammar.answers.deciding.wanting.turning import JOINS, MARKS, TURNS
from daybook.demo.model.grammar.language.chat.frames.kinds import Thing
from daybook.demo.model.grammar.language.chat.frames.things import Count
from daybook.demo.model.grammar.language.chat.names import has_model
from daybook.demo.model.grammar.language.intents.references import Named, Nth
from daybook.demo.model.grammar.language.tokens import Token
from daybook.demo.model.grammar.language.words import kind_of


def put_together(
    tokens: Sequence[Token], things: Sequence[Thing], counts: Sequence[Count]
) -> tuple[list[Thing], list[Count]]:
    """Put a kind and the model beside it together, and a model and the count right behind it."""
    found: list[Thing] = []
    for thing in things:
        last = found[-1] if found else None
        between = [one.text for one in tokens[last.end : thing.start]] if last else []
        if last is not None and (both := _one_of_both(last, thing, between)) is not None:
            found[-1] = both
        else:
            found.append(thing)
    found = _put_right(tokens, found)
    left: list[Count] = []
    for count in counts:
        behind = next((n for n, one in enumerate(found) if one.end == count.start), None)
        after = tokens[count.end].text if count.end < len(tokens) else "."
        ends = after in MARKS | JOINS | {"please", "for", "then", "thanks"}
        if behind is not None and found[behind].quantity is None and ends and not count.each:
            found[behind] = replace(found[behind], quantity=count.value, end=count.end)
        else:
            left.append(count)
    return [_one_of(tokens, one) for one in found], left


def _put_right(tokens: Sequence[Token], things: list[Thing]) -> list[Thing]:
    """Read "x2, no 3" as three."""
    found: list[Thing] = []
    for thing in things:
        is_no = isinstance(thing.item, Nth) and tokens[thing.start].text == "no" and bool(found)
        if is_no and found[-1].quantity is not None and isinstance(thing.item, Nth):
            found[-1] = replace(found[-1], quantity=thing.item.n, end=thing.end)
        else:
            found.append(thing)
    return found


def _one_of_both(kind: Thing, model: Thing, between: list[str]) -> Thing | None:
    """Return "2 kids bags, the Timber Line ones" as one thing, and "Silver Birch run pack" too."""
    one, two = kind.item, model.item
    if not (isinstance(one, Named) and isinstance(two, Named)):
        return None
    if not has_model(one.words) and has_model(two.words) and between in ([], [","], ["-"], [":"]):
        own = two.words[:PAIR] if kind_of(two.words) == kind_of(one.words) else two.words
        words = (*own, *one.words) if model.quantity is None else ()
        is_one = bool(words) and has_model(own)
        return (
            Thing(Named(words, True), kind.start, model.end, kind.quantity, kind.more)
            if (is_one)
            else None
        )
    is_split = has_model(one.words) and kind_of(one.words) is None and not has_model(two.words)
    if is_split and len(between) == 1 and between[0].isalpha() and between[0] not in JOINS | TURNS:
        words = (*one.words, *between, *two.words)
        if model.quantity is None:
            return Thing(Named(words, True), kind.start, model.end, kind.quantity, kind.more)
    return None


def _one_of(tokens: Sequence[Token], thing: Thing) -> Thing:
    """Read "one of those kids headlamps" as one of them."""
    at = thing.start - (tokens[thing.start].text != "of")
    texts = [one.text for one in tokens[max(0, at - 1) : at + 1]]
    is_one = texts == ["one", "of"] and thing.quantity is None
    return replace(thing, start=at - 1, quantity=1) if is_one else thing
