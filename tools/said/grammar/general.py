"""How English says what holds in general, whoever it is told of, and of no thing that was read: data.

Patterns of a sentence or a clause as `plain` writes it.
"""

from __future__ import annotations

import re
from typing import Final

GENERAL: Final = re.compile(
    r"\b(?:usual|usually|generally|typical|typically|commonly|normally|often|sometimes|ordinarily|traditionally|"
    r"as a (?:general )?(?:rule|guide|guideline)|rule of thumb|rough guide|in general|tends? to|the rule is|"
    r"(?:most|many|some|other|lots of|plenty of|few) (?:\w+ )?(?:people|hikers|campers|walkers|buyers|folks|runners|adults|kids|children|trips|users|shops|"
    r"tents|packs|backpacks|daypacks|rucksacks|boots|shoes|socks|lamps|headlamps|stoves|bottles|flasks|poles|jackets|bags|models|brands|makers|fabrics|materials|airlines|bottle cages)|"
    r"(?<!the )(?<!two )(?<!three )(?<!these )(?<!those )(?<!both )(?:simple|simpler|basic|small|smaller|big|bigger|large|larger|lighter|light|heavier|cheap|cheaper|dearer|ordinary|regular|standard|typical|most|many|other|normal|full size|bigger|average|good|better) (?:ones|models|(?:head)?lamps|tents|(?:back|day)?packs|boots|shoes|stoves|bottles|flasks|poles|jackets|(?:sleeping )?bags) (?:weigh|cost|hold|are|have|last|need|pack|run|go|start|come)|people (?:who|with|often|usually)|anyone who|those who|someone who|"
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

HEADS_A_GUIDE: Final = re.compile(
    r"\b(?:(?:rough|general|quick|simple|handy|typical|usual) (?:guide|guideline|idea|estimate|breakdown|split|figures?|values?|budget)|rules? of thumb|roughly|typically|usually|generally|in general|as a (?:rule|guide)|on average|ballpark|"
    r"(?:most|many) (?:people|hikers|campers|walkers)|what (?:people|hikers|you|one) (?:usually|typically|normally|generally))\b"
)
"""In a line above rows that tell how things are in general."""

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

ONE_OF_A_KIND: Final = re.compile(
    r"^\W*(?:and |but |so |because |since |as |while |whereas |though |also |even )?(?:an?|any|every) (?!(?:few|couple|lot|bit|total|single|\w+ of)\b)(?:[a-z'-]+ ){1,4}?"
    r"(?:easily |quickly |soon |often |usually |always |never |really |generally |typically |normally |also )+(?!(?:with|in|of|to|for|at)\b)[a-z]+|"
    r"^\W*(?:and |but |so |because |since |as |while |whereas |though |also |even )?(?:an?|any|every) (?!(?:few|couple|lot|bit|total|single|\w+ of)\b)(?:[a-z'-]+ ){1,4}?(?:can|may|might|will|should|won't|can't|shouldn't|doesn't|needs|weakens|stretches|shrinks|freezes|melts)\b(?! (?:be|come) (?:\w+ )?(?:sent|included|delivered|shipped|added|placed|mailed|refunded|charged))",
    re.IGNORECASE,
)
"""Tells of any one of a kind how it is: "a full bottle easily adds half a kilo"."""

DEFINES: Final = re.compile(
    r"^\W*(?!(?:it|this|that|which|the|your|our)\b)(?:[\w-]+ ){1,5}(?:means?|refers? to|stands? for|describes?|tells? (?:you )?how)\b",
    re.IGNORECASE,
)
"""Tells what a word means."""

THAN_OTHERS: Final = re.compile(
    r"\b(?:than|as|like|compared to|compared with) (?:an? |the (?!most|other))?(?:typical|usual|normal|average|standard|comparable|most|many|other|ordinary|conventional|similar)\b(?! of)[^,;.!?:]*|"
    r"(?<![\w.,])\d[\d.]* ?(?:litres?|liters?|l|ml|kg|g|grams) (?:each |of \w+ )?(?:a|per|every) (?:day|night|person|head|hour|week)\b",
    re.IGNORECASE,
)
"""Sets a thing beside others of its sort, which nobody read; and tells what somebody uses up in a day."""

OF_THE_SHOP: Final = re.compile(
    r"\b(?:deliver\w*|ship\w*|return\w*|refund\w*|parcels?|warrant\w*|guarantee\w*|discounts?|orders?|cards?|prices?|stores?|shop|bank|e?mails?|points|pay\w*|"
    r"cancel\w*|exchange\w*|charge\w*|customers?|tracking|arriv\w*|express|vouchers?|codes?|off)\b",
    re.IGNORECASE,
)
"""In a clause that tells how a shop does things: whoever sells must know it."""

_REASONS: Final = r"(?:reasons|causes|explanations|culprits)"

OF_USE: Final = re.compile(
    r"\b(?:usually|typically|generally|in general|often|commonly|sometimes|frequently|as a (?:general |rough )?(?:rule|guide)|rule of thumb|tends? to|"
    r"(?:most|many|some|other) (?:people|hikers|campers|climbers|runners|walkers|travellers|travelers|families|parents|beginners|banks|issuers|mail servers|stoves|tents|shops)|"
    r"people (?:who|often|with|tend|like)|anyone who|everyone who|those who|folks who)\b"
    r"(?!.*\b(?:reviews?|reviewers?|rated?|say|says|said|complain\w*|praise\w*|mention\w*|report\w*)\b)"
)
"""In a clause that tells what is usual."""

BEGINS_IN_GENERAL: Final = re.compile(
    r"^\W*(?:(?:and|but|so|just|also)\W+)?(?:as a (?:general |rough )?(?:rule|guide)(?: of thumb)?|rule of thumb|in general|generally(?: speaking)?|usually|typically|normally|often|"
    r"in most cases|most of the time|for most (?:people|trips|hikers|uses)|in my experience|it's common|it is common)\b"
)
"""Begins a sentence all of which tells what is usual."""

OF_REASONS: Final = re.compile(
    rf"\b(?:common|typical|usual|frequent|possible|likely|potential|classic)\b[\w ]{{0,25}}\b{_REASONS}\b|"
    rf"(?<!the )\b{_REASONS}\b[\w ]{{0,25}} (?:are|include|can be|could be|might be|may be)\b|"
    rf"\bfor (?:all sorts of|all kinds of|any number of|many|lots of|various|different|several|a (?:number|variety|range) of) reasons\b|"
    rf"\b(?:can|could|may|might) (?:have|be due to|be down to|come from) (?:many|several|various|different|a number of|all sorts of)\b"
)
"""In a sentence that lists what may be the reason, and says of none that it is."""

OF_ADVICE: Final = re.compile(
    r"^\W*(?:(?:and|so|but|also|just|as a reminder|a (?:quick |small |safety )?(?:tip|reminder|note|word of caution)|tip|safety first|reminder|remember|important)\W+){0,2}"
    r"(?:never (?!mind\b|fear\b|worry\b|again\b)|always |avoid |you should (?:never|always|not|avoid)|you shouldn't )"
)
"""Begins what somebody is told always or never to do."""

_NOBODYS: Final = (
    r"(?!(?:to|the|this|that|these|those|your|my|our|its|their|his|her|it|they|we|i|you|he|she|both|all|each|every|either|neither|no|none|nothing|nobody|"
    r"everything|everyone|something|somebody|someone|one|two|three|four|five|other|others|some|many|most|few|several|reviewers?|buyers?|customers?|"
    r"owners?|users?|prices?|shipping|delivery|stock|checkout|payments?|orders?|refunds?|returns?|mails?|money|express|standard|free|total|there|here|"
    r"what|which|who|whether|if|when|as|so|and|but|or|not|done|yes|sorry|great|good|unfortunately|also|only|just|please|let|thanks|everyone)\b)"
)
_DOES: Final = (
    r"(?:keeps?|loses?|makes?|burns?|dry|dries|insulates?|protects?|helps?|builds?|heats?|cools?|absorbs?|smells?|stinks?|wicks?|shrinks?|melts?|"
    r"freezes?|boils?|expands?|contracts?|leaks?|causes?|leads?|depends?|var(?:y|ies)|differs?|declines?|rejects?|blocks?|flags?|uses?|relies|rely|"
    r"bounces?|gives?|becomes?|grows?|gets?|traps?|breathes?|conducts?|spreads?|drops?|reacts?|holds?|lasts?|works?|"
    r"should|shouldn't|can|can't|don't|doesn't|won't|may|might|will)"
)
OF_A_KIND: Final = re.compile(rf"^\W*(?:{_NOBODYS}[a-z]+ ){{1,3}}?{_DOES}\b(?! (?:been|have)\b)")
"""Begins what is told of all things of a kind: "wool dries slower", "banks decline cards"."""

OF_A_CASE: Final = re.compile(
    r"\b(?:was|were|had|did|i|i've|i'm|we|we've|this|today|now|already|just now)\b|"
    r"\byour (?:order|card|cart|basket|refund|mail|e ?mail|confirmation|purchase|payment|parcel|money|account)\b|"
    r"\b(?:usd|eur|dollars)\b|[$€£]|\d{3,}(?! (?:g|grams|metres|meters|m|ml)\b)|\b(?:has|have) (?:been|gone|just)\b"
)
"""In a sentence that tells of something that is there, or was done."""
