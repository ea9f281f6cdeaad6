"""Ask before a product goes into the cart in a size in which it is not made."""

import re
from typing import Final

from daybook.demo.model.grammar import wording
from daybook.demo.model.grammar.answers.asked.questions import ask_add
from daybook.demo.model.grammar.desk import Desk, Do, Say, Step
from daybook.demo.model.grammar.page import size_told

_SIZE: Final = re.compile(
    r"\b(?:size|sizes?:|in|eu|european) (?:an? |eu |size )*"
    r"(\d{2}(?:\.5)?|xxs|xs|s|m|l|xl|xxl|xxxl|small|medium|large)\b(?! (?:pairs?|of|days?|weeks?"
    r"|usd|dollars|minutes|hours))"
)
_LETTER_OF: Final = {"small": "s", "medium": "m", "large": "l"}


def in_no_such_size(sku: str, quantity: int, desk: Desk) -> Step | None:
    """Return the step that finds out about a size that was said; None where nothing is against it.

    The cart holds no sizes: what would come is never told otherwise.
    """
    said = _SIZE.search(desk.prompt.turn.text.lower())
    if said is None:
        return None
    page = desk.scene.pages.get(sku)
    if page is None:
        read = any(
            call.tool == "get_product" and str(call.args.get("sku")).upper() == sku
            for call in desk.prompt.turn.calls
        )
        step = desk.ask_for("get_product", sku=sku)
        return step if isinstance(step, Do) and not read else None
    if size_told(page, [_LETTER_OF.get(said[1], said[1])]) != "No.":
        return None
    sizes = wording.attribute("sizes", page.attributes["sizes"])
    told = f"{wording.one_line(page.row.name)} does not come in {said[1].upper()}: {sizes}."
    return Say(told, question=ask_add(sku, quantity))
