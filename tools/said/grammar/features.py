"""What people who sell make up of a thing: parts, origins, praise, how long it lasts: data.

Patterns of a clause as `plain` writes it. Each finds the word by which what was read would tell of it.
"""

from __future__ import annotations

import re
from typing import Final

_PARTS: Final = (
    *(
        "pump",
        "windscreen",
        "wind shield",
        "charger",
        "usb",
        "bluetooth",
        "app",
        "solar panel",
        "remote",
    ),
    *(
        "carabiner",
        "karabiner",
        "whistle",
        "compass",
        "thermometer",
        "strap",
        "belt",
        "hood",
        "lining",
    ),
    *(
        "pocket",
        "zip",
        "zipper",
        "pillow",
        "groundsheet",
        "footprint",
        "porch",
        "vestibule",
        "gaiter",
    ),
    *(
        "spike",
        "crampon",
        "insole",
        "lace",
        "laces",
        "lid",
        "cup",
        "straw",
        "sleeve",
        "handle",
        "hook",
    ),
    *(
        "battery",
        "batteries",
        "cable",
        "adapter",
        "case",
        "pouch",
        "bag",
        "box",
        "basket",
        "baskets",
    ),
    *(
        "repair kit",
        "spare parts",
        "spare",
        "manual",
        "instructions",
        "mirror",
        "fan",
        "lock",
        "rain cover",
        "door",
        "window",
        "doors",
        "windows",
    ),
    *(
        "hip belt",
        "tip",
        "tips",
        "grip",
        "grips",
        "wrist loop",
        "membrane",
        "fuel",
        "canister",
        "cartridge",
        "gas cartridge",
        "fuel bottle",
        "pump",
        "windshield",
        "charger",
        "whistle",
        "lighter",
    ),
    *(
        "projector",
        "whiteboard",
        "kitchen",
        "balcony",
        "bathroom",
        "minibar",
        "breakfast",
        "parking",
    ),
    *(
        "wifi",
        "air conditioning",
        "sea view",
        "pool",
        "gym",
        "insurance",
        "seal",
        "seals",
        "tool",
        "kettle",
    ),
    *(
        "night vision",
        "red light",
        "strobe",
        "gps",
        "heating",
        "reflector",
        "reflective",
        "rings",
        "pan",
        "pot",
    ),
)
_PLACES: Final = (
    r"(?:sweden|norway|finland|denmark|germany|austria|switzerland|italy|france|spain|portugal|poland|czechia|scotland|england|"
    r"britain|ireland|canada|america|usa|china|japan|korea|vietnam|india|bangladesh|nepal|taiwan|europe|oregon|colorado|"
    r"swedish|norwegian|finnish|german|austrian|swiss|italian|french|american|canadian|chinese|japanese|local|hand)"
)
_NUMBER: Final = r"(?:\d{1,5}(?:[.,]\d+)?|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|a dozen)"
_PART: Final = "|".join(sorted(_PARTS, key=len, reverse=True))

FEATURES: Final[tuple[re.Pattern[str], ...]] = tuple(
    re.compile(pattern)
    for pattern in (
        # It comes with something.
        rf"\b(?:comes?|came|brings?|delivered|supplied|sold|ships?) (?:\w+ ){{0,3}}?with (?:an? |its |the |two |one |free |extra )*(?:\w+ ){{0,2}}?(?P<what>{_PART})\b",
        rf"\b(?:it|they|which|this one|that one|all(?: of them| \w+)?|both|each|every one|these|those|the \w+(?: \w+)?) (?:also |even )*(?:has|have|includes?|features?|sports?) (?:an? |its |the |two |one |built in |integrated |extra )*(?:\w+ )?(?P<what>{_PART})\b",
        rf"\byou(?:'ll| will)? (?:also )?get (?:an? |the |two )*(?:\w+ )?(?P<what>{_PART})\b.{{0,30}}\b(?:with it|in the box|along|on top|as well|free|included)\b",
        rf"\b(?P<what>{_PART})s? (?:is |are |comes? )(?:also |all )*(?:included|along(?: free)?|with it|in the box|part of it|thrown in|on top|free)\b",
        rf"\bincluding (?:an? |the |two )*(?:\w+ )?(?P<what>{_PART})\b",
        rf"^\W*(?:and |also |even )*(?:has|have|comes? with|includes?) (?:an? |its |the |two |one |built in |integrated |extra )*(?:\w+ )?(?P<what>{_PART})\b",
        r"\b(?:is|are|'s|'re|it) (?:also |even |very |fully |completely |quite |really )*(?:\w+ )?(?P<what>rechargeable|usb|dimmable|foldable|breathable|windproof|waterproof|water resistant|"
        r"padded|insulated|fleece lined|fur lined|adjustable|silent|whisper quiet|noiseless|reversible|seamless|stretchy|reflective|self inflating|freestanding|fireproof|"
        r"flame retardant|uv resistant|unbreakable|shatterproof|dishwasher safe|microwave safe|anti slip|non slip|removable|detachable|telescopic|magnetic|wireless|heated|odourless)\b",
        r"^\W*(?P<what>(?:usb )?rechargeable)(?: (?:by|via|with|through|over) [a-z]+){0,2}\W*$",
        r"\b(?P<what>(?:tested|approved|recommended|endorsed|trusted|developed|designed) by)\b",
        # Where, by whom and since when it is made.
        rf"\b(?:made|sewn|built|produced|designed|manufactured|crafted|handmade) (?:\w+ )?(?:in|by) (?:the )?(?P<what>{_PLACES})\b",
        rf"\b(?P<what>{_PLACES}) (?:made|built|sewn|design|engineering|craftsmanship|quality)\b",
        r"\b(?:maker|manufacturer|producer|designer|factory|brand)s? (?:also |even )*(?P<what>recommends?|says|promises|tests|tested|advises|claims|replaces|repairs|warns|suggests)\b",
        # Praise that somebody would have had to count or to award.
        r"\b(?P<what>best ?sellers?|best selling|top sellers?|number one|awards?|award winning|test winner|prize|editor's choice|bestselling|limited edition|discontinued|"
        r"most popular|favou?rites?(?: of| among| with)?|crowd favou?rite|all time favou?rite|flying off the shelves|selling (?:like hot cakes|fast|out fast)|sells out (?:fast|quickly)|new (?:this|for the) season|last season(?:'s)?|"
        r"brand new model|new arrivals?|out of production|newest(?! (?:first|last|on top|to oldest))|newly arrived|just (?:came|come) in|patent(?:ed)?)\b",
        r"\b(?P<what>vegan|organic|(?<!a )fair ?trade|climate neutral|carbon neutral|pfas free|pfc free|bluesign|oeko tex|certified|handmade|hand made|hypoallergenic|antibacterial|bpa free)\b",
        # How long it does something, how warm, how far.
        rf"\b(?:lasts?|burns?|runs?|shines?|glows?|works?|lights?) (?:for |up to |about |around |some |over )*(?P<what>{_NUMBER} (?:hours?|days?|weeks?|nights?|years?))\b",
        rf"\b(?:keeps?|stays?|kept)\b.{{0,25}}\b(?:hot|cold|warm|cool)\b.{{0,12}}\b(?P<what>{_NUMBER} (?:hours?|days?|nights?))\b",
        rf"\b(?P<what>{_NUMBER} hours?) (?:of )?(?:battery|light|burn|run|burning|running)\b",
        # In what else it is there.
        r"\b(?:comes?|available|sold|there|made) (?:also |only |as well )*in (?P<what>(?:two|three|four|five|six|seven|several|many|other|different|more|all|\d) (?:\w+ )?(?:colou?rs|sizes|versions|shades|styles|lengths))\b",
        r"\b(?:in|has) (?P<what>half sizes|wide (?:fits?|versions?)|narrow (?:fits?|versions?)|extra wide|left handed|kids sizes|women's sizes|men's sizes)\b",
        r"\b(?P<what>other (?:colou?rs|sizes|shades|versions)) (?:are|still)\b",
        r"\b(?:machine|hand) (?P<what>wash(?:able|ed)?)\b",
        rf"\b(?:only )?(?:for use|usable|works?|tested|good) (?:up to|below|above|under|down to) (?P<what>{_NUMBER} (?:met(?:re|er)s|feet|degrees))\b",
    )
)
"""A clause that tells of a thing what is seldom so; `what` is what would have been read."""
