"""Find the one line of the cart that is meant: by name, look, owner, or as last spoken of."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from daybook.demo.model.grammar.answers.deciding.altering.units import BY, Unit
from daybook.demo.model.grammar.answers.deciding.lately import changed_last
from daybook.demo.model.grammar.language.chat.names import has_model
from daybook.demo.model.grammar.language.intents.references import (
    By,
    Every,
    Extreme,
    It,
    Named,
    Nth,
    Other,
    Reference,
    Sku,
)
from daybook.demo.model.grammar.language.words import kind_of_item, plain_noun, stems
from daybook.demo.model.grammar.seen.prompt import Line, Prompt
from daybook.demo.model.grammar.seen.referents import Found, Unclear, in_cart
from daybook.demo.model.grammar.seen.scene import Scene

_PAIR: Final = 2


def meant(
    unit: Unit | None, spoken: Sequence[Unit], scene: Scene, prompt: Prompt
) -> Reference | None:
    """Return the line that a unit means, as its sku; one that pages must tell stays a superlative.

    `spoken` are the goods that the same text names elsewhere.
    """
    if unit is not None and unit.whose.startswith("="):
        return _with(unit.whose[1:], scene)
    if unit is not None and unit.whose == "last":
        last = changed_last(scene, prompt)
        return None if last is None else Sku(last)
    if unit is not None and unit.whose:
        return _of(unit.whose, scene, prompt)
    item = It() if unit is None else unit.item
    match item:
        case It(many=True) if scene.together:
            return None
        case It():
            return _it(spoken, scene, prompt)
        case Every():
            return Sku(scene.cart[0].sku) if len(scene.cart) == 1 else None
        case None:
            return None
        case Named(words):
            return _named(words, scene, prompt)
        case Extreme(by, words):
            return _extreme(by, words, scene, prompt)
        case Sku() | Nth() | Other():
            return _found(item, scene, prompt)


def _found(item: Reference, scene: Scene, prompt: Prompt) -> Sku | None:
    inside = in_cart(item, scene, prompt.now.currency)
    is_one = isinstance(inside, Found) and len(inside.skus) == 1
    return Sku(inside.skus[0]) if is_one and isinstance(inside, Found) else None


def _it(spoken: Sequence[Unit], scene: Scene, prompt: Prompt) -> Sku | None:
    """Return what was named in the same text, else what was changed last, or is spoken of."""
    named = {
        found.sku
        for unit in spoken
        if isinstance(unit.item, Named | Sku)
        and isinstance(found := meant(unit, (), scene, prompt), Sku)
    }
    if len(named) == 1:
        return Sku(named.pop())
    if named or any(isinstance(one.item, Sku) or has_model(one.said) for one in spoken):
        return None
    if (sku := changed_last(scene, prompt)) is not None:
        return Sku(sku)
    if scene.together or scene.choosing or scene.faded:
        return None
    if scene.focus is not None:
        return Sku(scene.focus) if scene.in_cart(scene.focus) is not None else None
    return Sku(scene.cart[0].sku) if len(scene.cart) == 1 else None


def _named(words: tuple[str, ...], scene: Scene, prompt: Prompt) -> Reference | None:
    if (found := _found(Named(words, definite=True), scene, prompt)) is not None:
        return found
    if words[-1] == "down" and len(words) > 1:
        # "Bottles down to 6": no feathers are meant.
        return _named(words[:-1], scene, prompt)
    fitting = [line for line in scene.cart if _has(words, line, scene)]
    if len(fitting) == 1:
        return Sku(fitting[0].sku)
    changed = changed_last(scene, prompt)
    inside = in_cart(Named(words), scene, prompt.now.currency)
    if isinstance(inside, Unclear) and changed in {row.sku for row in inside.among}:
        return Sku(str(changed))
    by = [BY[word] for word in words if word in BY]
    return _extreme(by[0], words[1:], scene, prompt) if by and words[0] in BY else None


def _has(words: Iterable[str], line: Line, scene: Scene) -> bool:
    """Tell whether a page that was read says the words of a thing: "the blue one"."""
    page = scene.pages.get(line.sku)
    said = stems(re.findall(r"\w+", line.name.lower()))
    if page is not None:
        said |= stems(re.findall(r"\w+", " ".join(page.attributes.values()).lower()))
    return all(stems([word]) <= said for word in words)


def _extreme(by: By, words: tuple[str, ...], scene: Scene, prompt: Prompt) -> Reference | None:
    """Return the most of something among the lines of the one kind that there are several of."""
    kinds = [kind_of_item(line.name, line.sku) for line in scene.cart]
    several = {kind for kind in kinds if kind is not None and kinds.count(kind) > 1}
    if not words and len(scene.cart) > _PAIR and len(several) == 1:
        words = tuple(plain_noun(several.pop()).split())
    if len(scene.cart) < _PAIR:
        return None
    return _found(Extreme(by, words), scene, prompt) or (
        Extreme(by, words) if by in _ON_PAGES and len(several) <= 1 else None
    )


_ON_PAGES: Final = (
    "heaviest",
    "lightest",
    "brightest",
    "warmest",
    "largest",
    "smallest",
    "tallest",
)


def _with(amount: str, scene: Scene) -> Sku | None:
    """Return the one line whose page holds an amount: "the one with 230 m"."""
    found = [
        line.sku
        for line in scene.cart
        if line.sku in scene.pages
        and any(
            amount in re.findall(r"\d+(?:\.\d+)?", value)
            for value in scene.pages[line.sku].attributes.values()
        )
    ]
    return Sku(found[0]) if len(found) == 1 else None


# ---- whose it is ------------------------------------------------------------------------------

_WOMEN: Final = (
    r"her|hers|she|wife|missus|girlfriend|mum|mom|mother|sister|daughter|aunt|niece|grandma|gran"
    r"|nan|granny|woman|lady|girl|gf"
)
_MEN: Final = (
    r"him|his|he|husband|hubby|boyfriend|dad|father|brother|son|uncle|nephew|grandpa|grandson"
    r"|grandad|boy|bf|bloke|man"
)
_NAME: Final = re.compile(
    r"\b(?:for|gives?|and|is|says?) ([A-Z][a-z]+)\b|\b([A-Z][a-z]+) (?:wants?|needs?|says)"
)
_MINE: Final = r"me|mine|myself|i"


def _of(whose: str, scene: Scene, prompt: Prompt) -> Sku | None:
    """Return the one line that was put in for somebody, as the turn that did it tells."""
    told = {line.sku: _told_of(line, prompt) for line in scene.cart}
    if whose.startswith("for "):
        word = re.escape(whose.removeprefix("for "))
        there = [sku for sku, text in told.items() if re.search(rf"\b{word}\b", text.lower())]
        return Sku(there[0]) if len(there) == 1 else None
    words = {"her": _WOMEN, "him": _MEN, "me": _MINE}.get(whose, "they|them|their|kids")
    fitting = [sku for sku, text in told.items() if re.search(rf"\b(?:{words})\b", text.lower())]
    named = [
        sku
        for sku, text in told.items()
        for found in _NAME.finditer(text)
        if re.search(rf"\b{found[1] or found[2]}\b", prompt.turn.text)
    ]
    if whose == "me":
        others = [
            sku
            for sku, text in told.items()
            if re.search(rf"\b(?:{_WOMEN}|{_MEN})\b", text.lower()) or _NAME.search(text)
        ]
        fitting = [sku for sku in told if sku not in others]
    for among in (dict.fromkeys(named), fitting):
        if len(among) == 1:
            return Sku(next(iter(among)))
    return None


def _told_of(line: Line, prompt: Prompt) -> str:
    """Return the part of what was said that put a line into the cart."""
    for turn in reversed(prompt.past):
        if any(
            call.tool == "add_to_cart" and str(call.args.get("sku")).upper() == line.sku
            for call in turn.calls
        ):
            parts = re.split(r"[.,;!?\n]+|\band\b(?! for)", turn.text)
            model = line.name.split()[0].lower()
            named = [part for part in parts if model in part.lower()]
            return " ".join(named) if named else turn.text
    return ""
