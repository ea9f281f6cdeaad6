"""Put into the cart what a decision names: goods, with their counts. Pure."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from daybook.demo.model.grammar.answers.asked.offered import LISTS
from daybook.demo.model.grammar.answers.deciding.clauses import (
    Clause,
    is_decided,
    turns_back,
)
from daybook.demo.model.grammar.answers.deciding.lately import MOST, PAIR, added_last
from daybook.demo.model.grammar.language.chat.names import has_model
from daybook.demo.model.grammar.language.intents.cart import Add, Keep, Swap
from daybook.demo.model.grammar.language.intents.goods import Mention, Pick
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.references import (
    Every,
    Extreme,
    Named,
    Nth,
    Reference,
    Sku,
)
from daybook.demo.model.grammar.language.plain import tokens_of
from daybook.demo.model.grammar.language.tokens import Token
from daybook.demo.model.grammar.language.words import (
    kind_called,
    kind_of,
    kind_of_item,
    plain_noun,
)
from daybook.demo.model.grammar.seen.prompt import Prompt
from daybook.demo.model.grammar.seen.referents import Found, on_view
from daybook.demo.model.grammar.seen.results import Row
from daybook.demo.model.grammar.seen.scene import Scene, matches, scene_of


def of_goods(
    clauses: Sequence[Clause], scene: Scene, prompt: Prompt, question: str, *, goes_on: bool
) -> tuple[Intent, ...] | None:
    """Return what is put in, or put in another's place, where goods are named."""
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
    item = meant(clause.thing.item, scene, prompt)
    if item is None or (quantity or 1) > MOST or _is_vague(clause, item):
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
    said = clause.thing.item if clause.thing is not None else item
    if not (isinstance(item, Named) and isinstance(said, Named)):
        return False
    return clause.vague and kind_of(said.words) is None


def _leaves_alone(clause: Clause, sku: str, scene: Scene, prompt: Prompt) -> bool:
    """Tell whether one alone shall stay of those that the last turn put in: "just the X"."""
    calls = prompt.past[-1].calls if prompt.past else ()
    added = {str(call.args.get("sku")).upper() for call in calls if call.tool == "add_to_cart"}
    is_only = re.search(r"\b(?:just|only) @", clause.shape) is not None
    return is_only and sku in added and len(added) > 1 and added == {x.sku for x in scene.cart}


_PUTS_RIGHT: Final = re.compile(r"(?:sorry|no|nope|nah|wait|actually|or|rather)\b")


def _several(
    named: Sequence[Clause], clauses: Sequence[Clause], scene: Scene, prompt: Prompt
) -> tuple[Intent, ...] | None:
    """Read several that are named: places of the list that is on view, or counted goods."""
    if any(turns_back(one) or one.role == "refuses" for one in clauses):
        return None
    if any(_PUTS_RIGHT.match(one.shape) for one in clauses[1:]):
        return None
    things = [one.thing for one in named if one.thing is not None]
    items = [meant(thing.item, scene, prompt) for thing in things]
    places = all(isinstance(thing.item, Nth) for thing in things)
    counted = any(thing.quantity for thing in things)
    has_mark = any(is_decided(one) for one in clauses if one.role != "tells")
    if not (places or counted or has_mark) or any(thing.more for thing in things):
        return None
    found: list[Intent] = []
    for thing, item in zip(things, items, strict=True):
        is_there = isinstance(item, Sku) and scene.in_cart(item.sku) is not None
        if item is None or is_there or (thing.quantity or 1) > MOST:
            return None
        found.append(Add(item, thing.quantity or 1))
    return tuple(found) if len({repr(one) for one in items}) == len(found) else None


def meant(item: Reference, scene: Scene, prompt: Prompt) -> Sku | Named | None:
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
    kind = scene.kind if kind_called(words) is None else None
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
    if kind_called(words) is not None or (kind is None and len(words) > PAIR):
        return Named(words)
    is_said = kind is not None and not told and kind == _kind_said(prompt)
    return Named((*words, *plain_noun(kind).split())) if kind is not None and is_said else None


def of_the_kind_said(intent: Intent, prompt: Prompt) -> Intent:
    """Take the most of no kind for one of those that the person named: "the cheapest kids one"."""
    match intent:
        case Pick(Extreme(by, words)) | Mention(Extreme(by, words)) | Add(Extreme(by, words)) if (
            words and kind_called(words) is None and not has_model(words)
        ):
            pass
        case _:
            return intent
    kind = _kind_said(prompt) if scene_of(prompt).kind is None else None
    if kind is None:
        return intent
    return replace(intent, item=Extreme(by, (*words, *plain_noun(kind).split())))


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
    return refuses is not None and added_last(prompt) is not None and not question.endswith("?")


def _in_its_place(
    item: Sku | Named, quantity: int | None, clauses: Sequence[Clause], scene: Scene, prompt: Prompt
) -> tuple[Intent, ...] | None:
    """Put what is named in the place of the one line of its kind; without any it is only added."""
    words = item.words if isinstance(item, Named) else ()
    kind = kind_of_item(scene.name_of(item.sku), item.sku) if isinstance(item, Sku) else None
    kind = kind or kind_of(words)
    lines = [line for line in scene.cart if kind_of_item(line.name, line.sku) == kind]
    last = added_last(prompt)
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


def of_both(
    clauses: Sequence[Clause], scene: Scene, prompt: Prompt, *, firmly: bool
) -> tuple[Intent, ...] | None:
    """Read "you know what, both", of two that were told of together last."""
    roles = [one.role for one in clauses]
    marked = any(is_decided(one) for one in clauses) or "tells" in roles or firmly
    (item, *_) = [one.thing.item for one in clauses if one.role == "both" and one.thing]
    most = item.most if isinstance(item, Every) else None
    found = on_view(item if most is not None else Every(PAIR, exact=True), scene)
    if not marked or not {*roles} <= {"both", "decides", "tells"} or not isinstance(found, Found):
        return None
    is_told = all(sku in prompt.past[-1].answer or scene.name_of(sku) in prompt.past[-1].answer
                  for sku in found.skus) if prompt.past else False  # fmt: skip
    is_new = not any(scene.in_cart(sku) for sku in found.skus)
    is_pair = len(found.skus) == (most or PAIR) and roles.count("both") == 1
    return tuple(Add(Sku(sku)) for sku in found.skus) if is_told and is_new and is_pair else None


PAIRED: Final = frozenset({"hiking-boots", "socks", "trekking-poles"})


def are_single(clauses: Sequence[Clause], prompt: Prompt) -> bool:
    """Tell whether goods are named that come one by one: what a pair of them is, is asked."""
    scene = scene_of(prompt)
    items = [meant(one.thing.item, scene, prompt) for one in clauses if one.thing is not None]
    kinds = [
        kind_of_item(scene.name_of(item.sku), item.sku)
        if isinstance(item, Sku)
        else kind_of(item.words)
        for item in items
        if item is not None
    ]
    return not any(kind in PAIRED for kind in kinds)


_GOES_ON: Final = re.compile(r"(?:oh )?(?:and|also|plus)\b")


def goes_on_adding(tokens: Sequence[Token], prompt: Prompt) -> bool:
    """Tell whether more is named right after something was put in: "and the X"."""
    begins = " ".join(token.text for token in tokens[:2])
    return _GOES_ON.match(begins) is not None and added_last(prompt) is not None
