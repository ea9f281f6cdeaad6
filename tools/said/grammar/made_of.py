"""How English says what a thing is made of, how high it is, and of what colour: data."""

from __future__ import annotations

import re
from typing import Final

MADE_OF: Final = re.compile(
    r"\b(?:propane|butane|kerosene|petrol|diesel|canisters?|cotton|polyester|polyamide|cashmere|acrylic|bamboo|fleece|"
    r"alcohol|spirit|paraffin|vibram|goretex|primaloft|thinsulate|pertex|coolmax|polartec|leather|wool(?:en)?|nylon|canvas|fur|velvet|denim|linen|silk|steel|stainless|plastic|kevlar|dyneema|cordura|silnylon|polycarbonate|ceramic|latex|wooden|cork|synthetic|suede|nubuck|full grain leather|gore tex|titanium|carbon|aluminium|aluminum|fibreglass|foam|rubber|merino|goose down|duck down)\b"
)
"""What things are made of, or burn, and no other word for it."""

WOVEN: Final = r"(?:merino|wool|cotton|polyester|nylon|elastane|down|silk|polyamide|viscose)"
"""Of what a share may be told."""

HEIGHTS: Final = ("ankle", "crew", "knee", "mid", "low", "calf")

SHADES: Final[tuple[frozenset[str], ...]] = (
    frozenset({"grey", "gray", "graphite", "slate", "charcoal", "anthracite", "silver", "black"}),
    frozenset({"green", "moss", "olive", "forest", "khaki", "sage", "teal", "mint"}),
    frozenset({"blue", "navy", "teal", "slate", "indigo", "turquoise", "azure"}),
    frozenset({"purple", "plum", "violet", "lilac", "aubergine", "burgundy"}),
    frozenset({"red", "rust", "burgundy", "crimson", "scarlet", "maroon", "brick"}),
    frozenset({"brown", "tan", "rust", "sand", "beige", "chestnut", "khaki"}),
    frozenset({"yellow", "orange", "mustard", "ochre", "amber", "gold", "sand"}),
    frozenset({"white", "cream", "ivory", "beige", "sand"}),
    frozenset({"pink", "rose", "magenta"}),
)
"""Colours, those together that people call by one another's names."""

COLOURS: Final = frozenset[str]().union(*SHADES)

_MAY_BE_NO_COLOUR: Final = {
    "rose",
    "tan",
    "mint",
    "sage",
    "silver",
    "gold",
    "sand",
    "rust",
    "cream",
}
A_COLOUR: Final = re.compile(
    rf"\b(?:{'|'.join(sorted(COLOURS - _MAY_BE_NO_COLOUR))})\b(?! (?:light|flag|tape|friday|tie|gas))"
)
"""Is a colour, whatever stands around it."""

ALIKE: Final = {"thick": "heavy", "thin": "light"}
"""How else some sorts of parts are called."""
SORTS_OF_PARTS: Final = {
    "lock": re.compile(r"\b(twist|flick|lever|push button|screw|click|clamp|cam) locks?\b"),
    "grip": re.compile(r"\b(cork|foam|rubber|plastic|eva|leather) (?:grips?|handles?)\b"),
    "shape": re.compile(r"\b(mummy|rectangular|barrel|quilt) (?:shape\w*|cut|bag)\b"),
    "cushion": re.compile(
        r"(?<!compared with )(?<!for )(?<!to )\b(light|medium|heavy|thick|thin)(?:ly)? cushion(?:s|ing|ed)?\b|\bcushion(?:ing)?(?: is)? (light|medium|heavy|thick|thin)\b"
    ),
    "fuel": re.compile(r"\b(gas|petrol|alcohol|white gas|wood|kerosene) (?:stove|burner|cooker)\b"),
}
"""Of what sort a part of a thing is said to be, by the attribute that tells it."""
