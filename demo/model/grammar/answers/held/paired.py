"""Take pairs for what is sold by the pair, though something else was spoken of last. Pure."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from daybook.demo.model.grammar.answers.deciding.adding import PAIRED
from daybook.demo.model.grammar.language.chat.frames.doubtful import doubtful
from daybook.demo.model.grammar.language.chat.frames.things import things_in
from daybook.demo.model.grammar.language.intents.cart import Add, Remove, SetQuantity
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.references import Every, It, Reference, Sku
from daybook.demo.model.grammar.language.plain import tokens_of
from daybook.demo.model.grammar.language.words import kind_of_item
from daybook.demo.model.grammar.seen.prompt import Prompt
from daybook.demo.model.grammar.seen.scene import Scene, scene_of

_PAIRS: Final = frozenset({"pair", "pairs", "prs"})


def of_pairs(found: tuple[Intent, ...], text: str, prompt: Prompt) -> tuple[Intent, ...]:
    """Return the changes, those that count pairs of what comes one by one as of what has them."""
    tokens = tokens_of(text)
    if not _PAIRS & {token.text for token in tokens}:
        return found
    things, _ = things_in(tokens)
    if any(not isinstance(one.item, It | Every) for one in things):
        return found
    return tuple(_of_pairs(found, scene_of(prompt)))


def _of_pairs(found: tuple[Intent, ...], scene: Scene) -> Iterator[Intent]:
    pairs = [one for one in scene.cart if kind_of_item(one.name, one.sku) in PAIRED]
    for one in found:
        match one:
            case SetQuantity(item) | Remove(item) | Add(item, more=True):
                is_other = _is_single(item, scene) and bool(pairs)
                is_one = is_other and len(pairs) == 1
                yield (
                    replace(one, item=Sku(pairs[0].sku))
                    if is_one
                    else (doubtful(one) if is_other else one)
                )
            case _:
                yield one


def _is_single(item: Reference, scene: Scene) -> bool:
    """Tell whether a line of the cart comes one by one."""
    sku = item.sku if isinstance(item, Sku) else scene.focus if isinstance(item, It) else None
    line = None if sku is None else scene.in_cart(sku)
    return line is not None and kind_of_item(line.name, line.sku) not in PAIRED
