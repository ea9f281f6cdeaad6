"""How an answer speaks of a cart, whatever it says of it."""

from __future__ import annotations

import re
from typing import Final

CART: Final = r"(?:cart|basket)"
"""What a cart is called."""

THERE: Final = (
    rf"(?:(?:in|into|to|inside|of) (?:(?:your|the|her|his|their|this) )?{CART}|in there|in it)"
)
"""In the cart, or in what was spoken of."""

IN_CART: Final = rf"(?:in|into|to|inside) (?:(?:your|the|her|his|their) )?{CART}"
"""In the cart."""

MODAL: Final = re.compile(
    r"\b(?:(?:will|'ll|would|can|could|may|might|shall|should|if|whether|once|want|wants|please|"
    r"let me|to be)\b|tell me)"
)
"""Of what may be, or will be, or is wished."""

WITHIN: Final = re.compile(
    rf"\b(?:is|are|'s|'re|stays?|remains?|sits?|sitting|waiting|still|left|kept|chilling|"
    rf"showing)\b(?: \w+){{0,3}} {IN_CART}\b|^\W*(?:\w+ ){{1,4}}in (?:your |the )?{CART}\W*$|"
    rf"\b{CART} (?:still |now |currently )*(?:has|holds|contains|shows|"
    rf"lists)\b(?! (?:been|nothing|changed|not))",
    re.I,
)
"""Says that something is in the cart."""

LISTED: Final = re.compile(
    rf"^\W*(?:still |now )?(?:in )?(?:your|the) {CART}(?: now| right now| still)? (?!(?:total|being|is|isn't|was|wasn't|itself|alone|as|and|because|since|while|when|until|unless|for|on|with|without|will|would|can|could|does|doesn't|stays?|stayed|remains?|goes|went|empties|unchanged|untouched|empty)\b)\w"
)
"""A row under "In your cart:"."""

ADDED: Final = re.compile(
    rf"^\W*added\b|\b(?:updated|changed) (?:your|the) {CART} (?:with|to)\b|\b(?:filled|loaded|stocked) (?:your|the) {CART}\b|\b(?:added|put|popped|dropped|tossed|placed|threw|slipped)\b.*\b{CART}\b|"
    rf"\b(?:put|placed|added|got) (?:\w+ ){{1,6}}in (?:its|their) (?:place|stead)\b|"
    r"\b(?:have|has|'ve|i|we) (?:just |now |also )*added\b|\b(?:was|were|been) added\b",
    re.IGNORECASE,
)
"""Says that something was put in."""
