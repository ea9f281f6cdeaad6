"""What people say of a thing who have it, and what only somebody who has it can say: data."""

from __future__ import annotations

import re
from typing import Final

REVIEWER: Final = re.compile(
    r"\b(?:reviews?|reviewers?|customers?|buyers?|people|folks?|somebody|someone|one (?:person|says|of them|writes|buyer)|another|others|users?|he|she|they)\b"
)
"""In a clause that tells what a review says."""

JUDGED: Final = re.compile(
    r"\b(?P<what>leak\w*|broke\w*|tore|torn|ripped|came (?:off|apart|loose)|fell (?:off|apart)|blister\w*|squeak\w*|rust\w*|smell\w*|shrink\w*|shrank|fade[sd]?|"
    r"runs? (?:large|small|big|narrow|wide|short|long|tight|true)|too (?:big|small|tight|loose|heavy|cold|hot|short|long|narrow|wide|warm|noisy|bulky|expensive|stiff)|"
    r"noisy|loud|rattl\w+|scratch\w*|hard to (?:clean|open|close|fold|light|pack)|uncomfortable|dented|slippery|fragile|flimsy|disappoint\w*|returned (?:it|them)|sent (?:it|them) back|snapped|cracked|itch\w*|sweat\w*|wet feet|soaked|stopped working|"
    r"gave up|wobbl\w*|jam(?:s|med)|stuck|heavier than|larger than|smaller than|a size (?:down|smaller|larger|bigger|up)|half a size (?:down|smaller|larger|bigger))\b"
)
"""A fault, or how it fits, of which a review would tell in the same words."""

SPAN: Final = re.compile(
    r"\b(?P<n>\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|a dozen) (?P<unit>years?|months?|weeks?|winters?|summers?|seasons?|kilomet(?:re|er)s|km|miles|hikes|trips|nights)\b"
)
