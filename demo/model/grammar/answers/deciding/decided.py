"""Read a decision: which goods, and how many, said by somebody who has made up their mind. Pure.

Nothing is decided by a question, a supposition or a story: every clause must be accounted for.
"""

import re
from collections.abc import Sequence
from typing import Final

from daybook.demo.model.grammar.answers.deciding.clauses import (
    Clause,
    clauses_of,
    is_decided,
    turns_back,
)
from daybook.demo.model.grammar.answers.offered import LISTS
from daybook.demo.model.grammar.answers.questions import ASK_ADD, agreed, is_of_cart
from daybook.demo.model.grammar.language.chat.names import has_model
from daybook.demo.model.grammar.language.chat.told import wants_nothing
from daybook.demo.model.grammar.language.intents import (
    Add,
    Checkout,
    ClearCart,
    Every,
    Intent,
    Keep,
    Named,
    Nth,
    Reference,
    SetQuantity,
    Sku,
    Swap,
    Times,
)
from daybook.demo.model.grammar.language.reading import tokens_of, understand
from daybook.demo.model.grammar.language.tokens import Token
from daybook.demo.model.grammar.language.words import kind_of, kind_of_item, plain_noun
from daybook.demo.model.grammar.seen.prompt import Prompt, question_of
from daybook.demo.model.grammar.seen.referents import Found, on_view
from daybook.demo.model.grammar.seen.results import Row
from daybook.demo.model.grammar.seen.scene import Scene, cart_before, matches, scene_of

_LONGEST: Final = 40
_MOST: Final = 34
"""A number above this may be a size, or a price."""
_PAIR: Final = 2
_CHANGES: Final = ("add_to_cart", "set_quantity")


def decided(text: str, prompt: Prompt) -> tuple[Intent, ...] | None:
    """Return the changes of the cart that a text decides on; None where it decides nothing."""
    tokens = tokens_of(text)
    question = question_of(prompt.past[-1]) if prompt.past else ""
    if not tokens or len(tokens) > _LONGEST or any(token.text == "?" for token in tokens):
        return None
    clauses = clauses_of(tokens)
    if not clauses or wants_nothing(tokens):
        return None
    roles = {one.role for one in clauses}
    if "clears" in roles:
        return (ClearCart(),) if roles <= {"clears", "decides", "tells", "loose"} else None
    if _is_open(question):
        return None
    if "loose" in roles or (_has_pair(tokens) and "names" in roles and _is_single(clauses, prompt)):
        return None
    scene = scene_of(prompt)
    if (again := _same_again(tokens, prompt)) is not None:
        return again
    if "both" in roles:
        return _both(clauses, scene, prompt)
    if "names" in roles:
        return _of_goods(clauses, scene, prompt, question, goes_on=_goes_on(tokens, prompt))
    return _of_count(clauses, scene, prompt, question)


_PAIRED: Final = frozenset({"hiking-boots", "socks", "trekking-poles"})
_SAME_AGAIN: Final = re.compile(
    r"(?:(?:and|ok|then|also|oh|plus|please) )*(?:the )?same (?:again|one again|thing again)?"
    r"(?: please| too| as well)*(?: for (?:my|the|our|me|him|her|us)(?: \w+)?)?(?: please)?"
)


def _has_pair(tokens: Sequence[Token]) -> bool:
    return any(token.text in ("pair", "pairs") for token in tokens)


def _is_single(clauses: Sequence[Clause], prompt: Prompt) -> bool:
    """Tell whether goods are named that come one by one: what a pair of them is, is asked."""
    scene = scene_of(prompt)
    items = [_meant(one.thing.item, scene, prompt) for one in clauses if one.thing is not None]
    kinds = [
        kind_of_item(scene.name_of(item.sku), item.sku)
        if isinstance(item, Sku)
        else kind_of(item.words)
        for item in items
        if item is not None
    ]
    return not any(kind in _PAIRED for kind in kinds)


def _same_again(tokens: Sequence[Token], prompt: Prompt) -> tuple[Intent, ...] | None:
    """Read "and the same again for my wife", right after something was put in, as so many more."""
    text = " ".join(token.text for token in tokens if token.text not in (".", "!", ","))
    calls = prompt.past[-1].calls if prompt.past else ()
    added = [call for call in calls if call.tool == "add_to_cart"]
    if _SAME_AGAIN.fullmatch(text) is None or len(added) != 1 or _added_last(prompt) is None:
        return None
    count = added[0].args.get("quantity")
    if not isinstance(count, int) or not 0 < count <= _MOST:
        return None
    return (Add(Sku(str(_added_last(prompt))), count, more=True),)


def _goes_on(tokens: Sequence[Token], prompt: Prompt) -> bool:
    """Tell whether more is named right after something was put in: "and the X"."""
    begins = " ".join(token.text for token in tokens[:2])
    return _GOES_ON.match(begins) is not None and _added_last(prompt) is not None


def _both(clauses: Sequence[Clause], scene: Scene, prompt: Prompt) -> tuple[Intent, ...] | None:
    """Read "you know what, both", of two that were told of together last."""
    roles = [one.role for one in clauses]
    marked = any(is_decided(one) for one in clauses) or "tells" in roles
    found = on_view(Every(_PAIR, exact=True), scene)
    if not marked or not {*roles} <= {"both", "decides", "tells"} or not isinstance(found, Found):
        return None
    is_told = all(sku in prompt.past[-1].answer or scene.name_of(sku) in prompt.past[-1].answer
                  for sku in found.skus) if prompt.past else False  # fmt: skip
    is_new = not any(scene.in_cart(sku) for sku in found.skus)
    is_pair = len(found.skus) == _PAIR and roles.count("both") == 1
    return tuple(Add(Sku(sku)) for sku in found.skus) if is_told and is_new and is_pair else None


def _is_open(question: str) -> bool:
    """Tell whether something was asked that a name or a number answers otherwise."""
    if ASK_ADD.fullmatch(question):
        return False
    asks = any(not isinstance(one, Checkout) for one in agreed(question))
    return asks or is_of_cart(question) or question.startswith(_ASKS_OF)


_ASKS_OF: Final = (
    "Which one do you want reviews of?",
    "Which one do you mean?",
    "What shall I look for?",
)


# ---- goods that are named ---------------------------------------------------------------------


def _of_goods(
    clauses: Sequence[Clause], scene: Scene, prompt: Prompt, question: str, *, goes_on: bool
) -> tuple[Intent, ...] | None:
    named = [one for one in clauses if one.role == "names"]
    counts = [one for one in clauses if one.role == "counts"]
    if any(one.role in ("points", "halves") for one in clauses) or len(counts) > 1:
        return None
    if len(named) > 1:
        return None if counts else _several(named, clauses, scene, prompt)
    (clause,) = named
    assert clause.thing is not None, "what is named is a thing"
    quantity = clause.thing.quantity or (counts[0].count if counts else None)
    if counts and (counts[0].more or clause.thing.quantity is not None):
        return None
    item = _meant(clause.thing.item, scene, prompt)
    if item is None or (quantity or 1) > _MOST or _is_vague(clause, item):
        return None
    line = scene.in_cart(item.sku) if isinstance(item, Sku) else None
    if line is not None and _leaves_alone(clause, line.sku, scene, prompt):
        return (Keep(Sku(line.sku)),)
    if line is not None:
        return (Add(item, quantity or 1, more=True),) if clause.thing.more else None
    if clause.thing.more:
        return None
    turned = any(turns_back(one) or one.role == "refuses" for one in clauses)
    if turned or _corrects(clauses, question, prompt):
        return _in_its_place(item, quantity, clauses, scene, prompt)
    has_mark = any(is_decided(one) for one in clauses if one.role != "tells")
    return (Add(item, quantity or 1),) if has_mark or quantity or goes_on else None


def _is_vague(clause: Clause, item: Sku | Named) -> bool:
    """Tell whether any one of a name was named, and no kind that makes it one: "a swift river"."""
    return clause.vague and isinstance(item, Named) and kind_of(item.words) is None


def _leaves_alone(clause: Clause, sku: str, scene: Scene, prompt: Prompt) -> bool:
    """Tell whether one alone shall stay of those that the last turn put in: "just the X"."""
    calls = prompt.past[-1].calls if prompt.past else ()
    added = {str(call.args.get("sku")).upper() for call in calls if call.tool == "add_to_cart"}
    is_only = re.search(r"\b(?:just|only) @", clause.shape) is not None
    return is_only and sku in added and len(added) > 1 and added == {x.sku for x in scene.cart}


_PUTS_RIGHT: Final = re.compile(r"(?:sorry|no|nope|nah|wait|actually|or|rather)\b")
_GOES_ON: Final = re.compile(r"(?:oh )?(?:and|also|plus)\b")


def _several(
    named: Sequence[Clause], clauses: Sequence[Clause], scene: Scene, prompt: Prompt
) -> tuple[Intent, ...] | None:
    """Read several that are named: places of the list that is on view, or counted goods."""
    if any(turns_back(one) or one.role == "refuses" for one in clauses):
        return None
    if any(_PUTS_RIGHT.match(one.shape) for one in clauses[1:]):
        return None
    things = [one.thing for one in named if one.thing is not None]
    items = [_meant(thing.item, scene, prompt) for thing in things]
    places = all(isinstance(thing.item, Nth) for thing in things)
    counted = any(thing.quantity for thing in things)
    has_mark = any(is_decided(one) for one in clauses if one.role != "tells")
    if not (places or counted or has_mark) or any(thing.more for thing in things):
        return None
    found: list[Intent] = []
    for thing, item in zip(things, items, strict=True):
        is_there = isinstance(item, Sku) and scene.in_cart(item.sku) is not None
        if item is None or is_there or (thing.quantity or 1) > _MOST:
            return None
        found.append(Add(item, thing.quantity or 1))
    return tuple(found) if len({repr(one) for one in items}) == len(found) else None


def _meant(item: Reference, scene: Scene, prompt: Prompt) -> Sku | Named | None:
    """Return the one product that is named: of all that were told of, or of the kind looked at."""
    match item:
        case Sku():
            return item
        case Nth():
            lists = bool(prompt.past) and LISTS.search(prompt.past[-1].answer) is not None
            found = on_view(item, scene) if lists else None
            is_one = isinstance(found, Found) and len(found.skus) == 1
            return Sku(found.skus[0]) if is_one and isinstance(found, Found) else None
        case Named(words) if has_model(words):
            return _named(words, scene, prompt)
        case _:
            return None


def _named(words: tuple[str, ...], scene: Scene, prompt: Prompt) -> Sku | Named | None:
    """Return what has a name: told of before, or else of the kind that the person spoke of."""
    kind = scene.kind if kind_of(words) is None else None
    told = [row for row in _rows(scene) if matches(words, row.name, row.sku)]
    alike = [row for row in told if kind is None or kind_of_item(row.name, row.sku) == kind]
    if told and not alike:
        alike = [row for row in told if kind_of_item(row.name, row.sku) == _kind_said(prompt)]
    latest = {row.sku for row in scene.latest}
    shown = [row for row in alike if row.sku in latest]
    for rows in (shown, alike):
        if len(rows) == 1:
            return Sku(rows[0].sku)
    if alike:
        return None
    gone = [sku for sku, name in prompt.now.removed.items() if matches(words, name, sku)]
    gone = [sku for sku in gone if kind in (None, kind_of_item(prompt.now.removed[sku], sku))]
    if gone:
        return Sku(gone[0]) if len(gone) == 1 else None
    if kind_of(words) is not None or (kind is None and len(words) > _PAIR):
        return Named(words)
    is_said = kind is not None and not told and kind == _kind_said(prompt)
    return Named((*words, *plain_noun(kind).split())) if kind is not None and is_said else None


def _rows(scene: Scene) -> list[Row]:
    """Return what was told of, and what was spoken of one by one."""
    spoken_of = [scene.known[sku] for sku in scene.recent if sku in scene.known]
    return list({row.sku: row for row in (*scene.told, *spoken_of)}.values())


def _kind_said(prompt: Prompt) -> str | None:
    """Return the kind of goods that the person named last, in their own words."""
    for turn in reversed(prompt.past):
        said = [token.text for token in tokens_of(turn.text) if token.text not in _VERBS_TOO]
        kinds = {kind_of([word]) for word in said} - {None}
        if kinds:
            return kinds.pop() if len(kinds) == 1 else None
    return None


_VERBS_TOO: Final = frozenset({"stick", "pack", "bag", "light", "shell", "boot"})


def _corrects(clauses: Sequence[Clause], question: str, prompt: Prompt) -> bool:
    """Tell whether a text begins with a no to what was just put into the cart."""
    refuses = re.match(r"(?:(?:wait|oh|sorry|hm+|actually) )*(?:no|nah|nope|wait|sorry|actually)\b",
                       clauses[0].shape)  # fmt: skip
    return refuses is not None and _added_last(prompt) is not None and not question.endswith("?")


def _in_its_place(
    item: Sku | Named, quantity: int | None, clauses: Sequence[Clause], scene: Scene, prompt: Prompt
) -> tuple[Intent, ...] | None:
    """Put what is named in the place of the one line of its kind; without any it is only added."""
    words = item.words if isinstance(item, Named) else ()
    kind = kind_of_item(scene.name_of(item.sku), item.sku) if isinstance(item, Sku) else None
    kind = kind or kind_of(words)
    lines = [line for line in scene.cart if kind_of_item(line.name, line.sku) == kind]
    last = _added_last(prompt)
    if len(lines) > 1:
        lines = [line for line in lines if line.sku == last]
    refused = [one.shape for one in clauses if one.role == "refuses"]
    if len(lines) == 1 and quantity in (None, lines[0].quantity):
        name = lines[0].name.lower()
        said = [word for shape in refused for word in shape.split()[1:] if word not in _NO_NAME]
        is_it = all(word in name for word in said)
        return (Swap(item, Sku(lines[0].sku)),) if is_it else None
    speaks_of_it = scene.focus is not None and scene.in_cart(scene.focus) is not None
    return (Add(item, quantity or 1),) if not lines and not speaks_of_it else None


_NO_NAME: Final = frozenset({"the", "that", "one", "not", "@", "and", "but"})


# ---- a count of what was spoken of ------------------------------------------------------------


def _of_count(
    clauses: Sequence[Clause], scene: Scene, prompt: Prompt, question: str
) -> tuple[Intent, ...] | None:
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
    focus = scene.focus if _is_told(scene, prompt) else None
    halved = scene.in_cart(focus) if focus is not None else None
    if halved is not None and any(one.role == "halves" for one in clauses) and not counts:
        if (done := _set_already(halved.sku, prompt)) is not None:
            return (SetQuantity(Sku(halved.sku), done),)
        is_even = halved.quantity % _PAIR == 0
        return (SetQuantity(Sku(halved.sku), halved.quantity // _PAIR),) if is_even else None
    if any(one.role == "halves" for one in clauses):
        return None
    if (sku := _changed_last(scene, prompt)) is not None:
        line = scene.in_cart(sku)
        assert line is not None, "it was changed, and is there"
        return _recounted(counts, line.quantity, Sku(sku), question) if not _open(points) else None
    if offered is not None:
        return _of_offer(counts, points, clauses, Sku(offered[1]), int(offered[2] or 1))
    is_free = focus is not None and halved is None and not question.endswith("?")
    thanks = any(_THANKS.search(one.shape) for one in counts)
    if focus is not None and is_free and (points or thanks or any(map(is_decided, clauses))):
        return _of_offer(counts, points, clauses, Sku(focus), 1)
    asked = _asked_for_sum(prompt, scene)
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
    if not lists or len(bare) < _PAIR or len(bare) < len(clauses):
        return None
    skus = [_meant(Nth(one.count), scene, prompt) for one in bare]
    are_new = all(isinstance(sku, Sku) and scene.in_cart(sku.sku) is None for sku in skus)
    if not are_new or len({repr(sku) for sku in skus}) < len(skus):
        return None
    return tuple(Add(sku) for sku in skus if sku is not None)


def _is_told(scene: Scene, prompt: Prompt) -> bool:
    """Tell whether the last answer is of what was spoken of last."""
    if scene.focus is None or not prompt.past or scene.faded:
        return False
    answer = prompt.past[-1].answer
    return scene.focus in answer or scene.name_of(scene.focus) in answer


def _open(points: Sequence[Clause]) -> bool:
    return any(not one.count for one in points)


def _is_much(counts: Sequence[Clause]) -> bool:
    return any(not 0 < one.count <= _MOST for one in counts)


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


def _changed_last(scene: Scene, prompt: Prompt) -> str | None:
    """Return the one line that the last turn changed, where it is still what is spoken of."""
    calls = prompt.past[-1].calls if prompt.past else ()
    skus = {str(call.args.get("sku")).upper() for call in calls if call.tool in _CHANGES}
    (sku,) = skus if len(skus) == 1 else (None,)
    return sku if sku is not None and scene.in_cart(sku) is not None else None


def _added_last(prompt: Prompt) -> str | None:
    """Return what the last turn put into the cart, where it was one product."""
    calls = prompt.past[-1].calls if prompt.past else ()
    added = [str(call.args.get("sku")).upper() for call in calls if call.tool in _CHANGES]
    cart = cart_before(prompt.now.cart, prompt.turn.calls)
    there = [sku for sku in dict.fromkeys(added) if any(line.sku == sku for line in cart)]
    return there[0] if len(there) == 1 else None


def _asked_for_sum(prompt: Prompt, scene: Scene) -> str | None:
    """Return the product of which it was asked last what so many would cost."""
    asked = (
        [one for one in understand(prompt.past[-1].text) if isinstance(one, Times)]
        if (prompt.past)
        else []
    )
    return scene.focus if asked else None
