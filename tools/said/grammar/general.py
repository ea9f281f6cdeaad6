"""How English says what holds in general, and of no thing that was read: data."""

from __future__ import annotations

import re
from typing import Final

GENERAL: Final = re.compile(
    r"\b(?:usual|usually|generally|typical|typically|commonly|normally|often|sometimes|ordinarily|traditionally|"
    r"as a (?:general )?(?:rule|guide|guideline)|rule of thumb|rough guide|in general|tends? to|the rule is|"
    r"(?:most|many|some|other|lots of|plenty of|few) (?:\w+ )?(?:people|hikers|campers|walkers|buyers|folks|runners|adults|kids|children|trips|users|shops|"
    r"tents|packs|backpacks|daypacks|rucksacks|boots|shoes|socks|lamps|headlamps|stoves|bottles|flasks|poles|jackets|bags|models|brands|makers|fabrics|materials|airlines|bottle cages)|"
    r"people (?:who|with|often|usually)|anyone who|those who|someone who|"
    r"(?:a|the) (?:\w+ )?(?:common|typical|usual|normal|standard|average|popular|classic|sensible|safe|good|useful|handy|simple) (?:rule|size|choice|range|figure|value|amount|weight|load|way|habit|practice|tip|trick|starting point|option|person|hiker|adult|trip|night)|"
    r"(?:quick|good|little|general|helpful|pro|small|safety) (?:tips?|reminders?|rules?|notes?|hints?)\b|"
    r"for (?:comparison|reference|context|orientation|scale)|by comparison|by way of comparison|"
    r"(?:always|never) (?:use|leave|store|wash|put|dry|keep|run|light|cook|take|bring|try|wear|pack|fill|carry|let|check|buy|choose|touch|set|pitch|dip|clean|overfill|refuel|operate|forget)\b|"
    r"(?:you'd|you would) (?:generally|usually|typically|normally|want|need)|(?:you|you'll|you will) (?:generally|usually|typically|normally)|worth (?:knowing|remembering|noting|mentioning|keeping)|"
    r"(?<![a-z] )(?<![\w'])(?:wash|rinse|dry|store|brush|hang|preheat|clean|avoid|measure|allow|count on|aim for|look for|plan for|plan on|expect|bring|wear|dress|handle|air) (?!you)(?:[a-z]+|\d)|"
    r"(?:european|us|uk|eu) sizes?|keep in mind|bear in mind|make sure|be sure to|remember to|don't forget|i'd (?:recommend|suggest|advise|budget|plan|aim|look)|"
    r"rule|advice|a day of (?:hiking|walking)|per person per day|a person needs|an adult needs)\b",
    re.IGNORECASE,
)
"""In a clause that tells how things are in general, or advises."""

OF_THIS: Final = re.compile(
    r"\b(?<!for )(?:it|its|it's|this|that|these|those|they|their|they're|both|each|all (?:three|two|four|five|six|of)|ours?|we|your|the (?:first|second|third|other|cheaper|dearer|lighter|heavier|latter|former)|here|in stock)\b",
    re.IGNORECASE,
)
"""In a clause that may speak of what was read."""

STUFF: Final = (
    r"(?:merino|wool|cotton|polyester|nylon|down|silk|fleece|leather|nubuck|suede|goose down|duck down|gas|propane|butane|alcohol|petrol|white gas|"
    r"aluminium|aluminum|carbon|carbon fibre|fibreglass|titanium|steel|stainless steel|plastic|silicone|rubber|canvas|synthetics?|synthetic (?:fill|fibre|bags?|insulation)|"
    r"membranes?|gore tex|bamboo|cork|foam|canisters?)"
)
ON_ITS_OWN: Final = re.compile(
    rf"^\W*(?:and |but |so |because |since |as |while |whereas |though )?(?:(?:burning|burnt|wet|dry|pure|natural|good|cold|most|all|both)\s)?{STUFF}(?:,? (?:and|or) {STUFF})?(?: \w+)?\s(?:also |still |just |simply |only |even )?"
    r"(?:(?:is|are)(?! the\b| what\b)|isn't|aren't|was|makes?|keeps?|takes?|loses?|dries|dry|warms?|insulates?|stays?|holds?|gives?|burns?|gets?|needs?|lasts?|wears?|smells?|"
    r"bends?|snaps?|breaks?|freezes?|resists?|absorbs?|soaks?|doesn't|don't|does|do|can|can't|cannot|tends?|works?|has|have|weighs?|costs?|packs?|performs?|shrinks?|feels?|retains?|evaporates?|outlasts?|beats?|helps?)\b",
    re.IGNORECASE,
)
"""Tells of a stuff what is always so: "down loses its loft when it is wet"."""

DEFINES: Final = re.compile(
    r"^\W*(?!(?:it|this|that|which|the|your|our)\b)(?:[\w-]+ ){1,5}(?:means?|refers? to|stands? for|describes?|tells? (?:you )?how)\b",
    re.IGNORECASE,
)
"""Tells what a word means."""

THAN_OTHERS: Final = re.compile(
    r"\b(?:than|as|like|compared to|compared with) (?:an? |the (?!most|other))?(?:typical|usual|normal|average|standard|comparable|most|many|other|ordinary|conventional|similar)\b(?! of)[^,;.!?:]*",
    re.IGNORECASE,
)
"""Sets a thing beside others of its sort, which nobody read."""

OF_THE_SHOP: Final = re.compile(
    r"\b(?:deliver\w*|ship\w*|return\w*|refund\w*|parcels?|warrant\w*|guarantee\w*|discounts?|orders?|cards?|prices?|stores?|shop|bank|e?mails?|points|pay\w*|"
    r"cancel\w*|exchange\w*|charge\w*|customers?|tracking|arriv\w*|express|vouchers?|codes?|off)\b",
    re.IGNORECASE,
)
"""In a clause that tells how a shop does things: whoever sells must know it."""
