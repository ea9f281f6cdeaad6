"""How English tells how things go, whoever it is told of: data.

Patterns of a sentence or a clause as `plain` writes it.
"""

from __future__ import annotations

import re
from typing import Final

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
    r"(?!(?:the|this|that|these|those|your|my|our|its|their|his|her|it|they|we|i|you|he|she|both|all|each|every|either|neither|no|none|nothing|nobody|"
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

OF_THIS: Final = re.compile(
    r"\b(?:was|were|had|did|i|i've|i'm|we|we've|this|today|now|already|just now)\b|"
    r"\byour (?:order|card|cart|basket|refund|mail|e ?mail|confirmation|purchase|payment|parcel|money|account)\b|"
    r"\b(?:usd|eur|dollars)\b|[$€£]|\d{3,}(?! (?:g|grams|metres|meters|m|ml)\b)|\b(?:has|have) (?:been|gone|just)\b"
)
"""In a sentence that tells of something that is there, or was done."""
