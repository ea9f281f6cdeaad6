"""Words that more than one kind of evidence looks for."""

import re
from typing import Final

from daybook.demo.model.grammar.language.words import NUMBERS

MANY: Final = "|".join(word for word, number in NUMBERS.items() if number > 1)
"""The words for more than one, as alternatives of a pattern."""
COUNTED: Final = re.compile(
    rf"\b(\d{{1,2}}|{MANY}) (?:pairs?|pcs|pieces|of (?:them|those|these|it|the))\b"
)
"""A number of pieces: "two pairs", "three of them"."""
PLACE: Final = re.compile(
    r"\b(?:first|second|third|fourth|fifth|1st|2nd|3rd|4th|5th|number|top|bottom|middle|\d)\b"
)
"""A place in a list, or a number."""
BEST: Final = re.compile(
    r"\b(?:\w+est|cheap|less \w+|more \w+|other|better"
    r"|(?:cheap|light|dear|pric[iy]|warm|bigg|small|bright)\w*er)\b"
)
"""One that is more, or the most, of something."""
TOO: Final = re.compile(r"\b(?:too|also|as well)\b(?!.*\?)")
"""What says that something comes, or goes, as well."""
