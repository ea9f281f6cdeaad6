"""How people state in English what matters later, as data: patterns by what they tell.

They are matched against plain text: no curly apostrophes, and short forms with theirs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

_DAYS = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_DAY = rf"(?:{_DAYS}|mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)"
_MONTHS = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"
)
_MONTH = rf"(?:{_MONTHS}|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)"
_COUNT = r"(?:\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_TENS = r"(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)"
_NUMBER = (
    r"(?:(?:[$\u20ac\u00a3]\s?)?\d[\d.,']*"
    rf"|(?:an?|one|{_COUNT}|{_TENS})[ -](?:hundred|thousand|grand)\b|{_TENS}(?:[ -]\w+)?\b)"
)
_LETTERED = r"(?:x{0,3}[sl]|m|small|medium|large)"
_PEOPLE = (
    r"(?:mum|mom|dad|mother|father|parents|wife|husband|son|daughter|sister|brother|friend|partner"
    r"|kid|child|girlfriend|boyfriend|nephew|niece|uncle|aunt|cousin|boss|neighbour|grandma"
    r"|grandpa|grandmother|grandfather|baby)"
)
BODY: Final = (
    r"(?:chest|waist|inseam|hips?|hat|head|glove|collar|sleeve|foot|feet|shoe|boot|jacket|trouser)"
)
_DATE = (
    rf"(?:the |early |late |mid |next |this )*(?:{_DAY}\b|{_MONTHS}|tomorrow|tonight|today|weekend"
    r"|week|month|christmas|easter|\d{1,2}(?:st|nd|rd|th)\b|\d{4}-\d\d-\d\d"
    r"|\d{1,2}[./]\d{1,2})"
)

PATTERNS: Final[Mapping[str, str]] = {
    "want": (
        r"\b(?:i|we)(?:'d| would| do| really| also| just)* (?:want|need|like|love|prefer|hope"
        r"|wish|favou?r|go for)\b|\b(?:i|we)(?: a|')(?:m|re) (?:looking for|after|into|keen on)\b"
        r"|\b(?:looking for|in search of)\b|\bfavou?rites?\b|\b(?:is|are) my colou?rs?\b"
        r"|\bmust\b|\b(?:has|have|needs?|ought) to\b|\bideally\b|\bpreferabl[ye]\b"
        r"|\b(?:i|we)(?:'d| would)(?: much| far)? rather\b(?! not)|\bsuits? (?:me|us|him|her)\b"
        r"|\b(?:is|are) (?:very |really )?(?:important|a must|essential|key|non-?negotiable)\b"
        r"|\bcomes? first\b|\bmatters?\b|\b(?:great|nice|good|perfect|ideal|lovely) if\b"
        r"|\bmake sure\b|\bonly\b.*\bplease\b|\bplease\b.*\bonly\b|^\W*only\b"
        r"|\b(?:it is|it's|they are|they're) for\b|\bmade of\b.*\bplease\b"
        rf"|\b(?:present|gift)s? for\b|\bfor (?:my|our) (?:\w+ )?{_PEOPLE}s?\b"
        rf"|\b(?:we are|we're|there are|there will be) (?:\w+ )?{_COUNT}\b(?! (?:of those|in))"
        rf"|\b(?:for|sleeps?) {_COUNT} (?:people|persons|adults|of us)\b"
        r"|\b(?:i|we) (?:always|usually|often|mostly|generally|normally|tend to|only ever)\b"
        r"|\b(?:i|we) (?:run|sleep|get|feel) (?:\w+ )?(?:hot|cold|warm|wet)\b"
        r"|\b(?:i|we) (?:pack|camp|hike|climb|ski|cycle|tour|trek|sleep)\b"
        r"|\b(?:would|'d) be (?:nice|great|good|lovely|ideal|perfect|best)\b|\bif possible\b"
        r"|\bas \w+ as (?:possible|you (?:can|have))\b|\bthe \w+er,? the better\b"
        r"|\b(?:i'd|i would|i'll|i will) (?:go (?:with|for)|take)\b|\bmore of an? \w+ person\b"
        r"|\b(?:is|are) (?:\w+ )?my (?:thing|style)\b"
        r"|\b(?:it|they|these|those|this|that|(?:the|my|our) \w+) (?:should|shouldn't|mustn't)\b"
        r"|^\W*(?:[\w-]+ ){1,4}please\W*$|^\W*please,? (?:[\w-]+ ?){1,3}\W*$"
        r"|\b(?:i|we) only (?:buy|wear|use|eat|take)\b|\b\w+ over (?:price|looks|weight)\b"
        rf"|\bfamily of {_COUNT}\b|\bthere(?:'s| is| are) (?:\w+ )?{_COUNT} of us\b"
        r"|\bjust (?:me|us|the two of us)\b"
        r"|^\W*(?:just |rather |maybe )?something (?!else|is|was|went|has|goes|seems|wrong|like)\w+"
    ),
    "dislike": (
        r"\b(?:hate|dislike|detest|loathe)s?\b|\b(?:do not|don't|does not|doesn't|did not|didn't"
        r"|never|won't|will not) (?:really )?(?:want|like|need|wear|eat|use|buy|do|have|take)\b"
        r"|\bcan(?:'t|not) (?:stand|bear|have|wear|eat|take|use|do with)\b"
        r"|\ballerg(?:ic|y|ies)\b|\bintoleran(?:t|ce)\b|\b(?:vegan|vegetarian)\b|\bavoid\b"
        r"|\banything but\b|\brather not\b|\bsick of\b|\bfed up with\b"
        r"|^\W*(?:and |but |so |just )?(?:please )?(?:no|not|nothing|never|without)\b"
        r"|\bplease,? (?:no|not|nothing)\b|\bnot (?:a fan|into|keen|for me|my thing)\b"
        r"|\bwithout (?:a |an |any )?\w+|\w-free\b|\bfree of\b|\bitch(?:y|es)?\b|\brash\b"
        r"|\breacts? (?:\w+ )?to\b|\b(?:keep|stay) away from\b|\bout of the question\b"
        r"|\bmakes? (?:me|us|him|her) (?:look |feel )?(?:ill|sick|itch|sneeze|sweat|fat|pale|old)\b"
        r"|\b(?:i am|i'm|we are|we're) against\b|\bno-go\b|\buseless to (?:me|us)\b"
        r"|\b(?:is|are)(?:n't| not) (?:\w+ )?my (?:thing|style|colou?rs?|taste)\b"
        r"|\b(?:is|are|'s|'re) an? (?:absolute )?(?:no|deal[- ]?breaker)\b"
        r"|\b(?:is|are|'s|'re|find) (?:\w+ )?(?:awful|ugly|horrible|terrible|hideous|disgusting)\b"
        r"|\b(?:is|are|'s|'re) bad for (?:me|us|my)\b|\bhives\b|\bsensitive to\b|\bc(?:o)?eliac\b"
        r"|\basthma\b|\bsneez\w+|\bcan(?:'t|not) tolerate\b|\bboycott\w*|\bbad experience\w* with\b"
        r"|\b(?:don't|do not) trust\b"
        r"|^\W*(?:and |so |but )?(?:please,? )?(?:don't|do not) (?:ever )?(?:call|mail|e-?mail|ring"
        r"|phone|text|suggest|recommend|(?:send|show|offer) me)\b(?!.*\b(?:yet|now)\b)"
    ),
    "limit": (
        r"\b(?:under|below|at most|no more than|not more than|max(?:imum)?|up to|within|less than"
        r"|at least|min(?:imum)?|over|above|beyond|exceed(?:s|ing)?"
        r"|(?:cheaper|lighter|heavier|longer|shorter|dearer|pricier|bigger|larger|smaller|thicker"
        rf"|taller|wider|more expensive) than) (?:of )?{_NUMBER}"
        rf"|\b(?:budgets?|spend|limit|afford)\b.*{_NUMBER}"
        rf"|{_NUMBER}.{{0,60}}\b(?:budget|limit|at most|max"
        r"|in all|in total|altogether|all told|tops|or less|to spend)\b|\bno limit\b"
        rf"|{_NUMBER} (?:\w+ )?is the (?:very )?most (?:i|we)\b"
        rf"|{_NUMBER}.{{0,20}}\b(?:i|we) (?:can|could) (?:only )?(?:spend|afford)\b"
        r"|\b(?:i|we)(?: only| just)?(?: have|'ve)(?: got)?(?: only| just)? "
        r"[$\u20ac\u00a3]\s?\d[\d.,]*(?=\W*$| to spend| for (?:this|it|all|everything))"
        rf"|{_NUMBER} (?:\w+ )?(?:for (?:this|it|everything|all|the lot)\b|is all (?:i|we|that)\b)"
        rf"|(?:not|never|n't)\b.{{0,30}}\bmore than {_NUMBER}"
        rf"|\bdown to (?:-|minus )?(?:{_NUMBER}|\w+)"
        rf"|\b(?:stretch|go)(?: up)? to {_NUMBER}|{_NUMBER} is (?:my|our|the) (?:max|limit)"
        rf"|\b(?:i|we)(?: only| just)?(?: have|'ve)(?: got)?(?: only| just)? {_NUMBER} "
        r"(?:dollars|usd|bucks|euros?|eur)\b"
        rf"|\b(?:about|around|roughly) {_NUMBER} .*\b(?:ok(?:ay)?|fine|would do|good|all right)\b"
    ),
    "size": (
        rf"\bsizes?\b.*(?:{_NUMBER}|\b(?:x{{0,3}}[sl]|m|small|medium|large|{_COUNT})\b)"
        rf"|\b{BODY}s?\b.*(?:{_NUMBER}|\b(?:x{{0,3}}[sl]|m)\b)"
        rf"|\b(?:i|we|he|she|they|my \w+) (?:wears?|takes?|weighs?|measures?|am|is|are) "
        rf"(?:a |an |usually |in )*(?:eu|us|uk|size)?\s?{_NUMBER}(?!\s*(?:of|pieces|pairs))\b"
        r"|\b(?:eu|us|uk) ?\d{1,2}(?:\.5)?\b|\b\d{2,3} ?(?:cm|centimet(?:re|er)s|kg|kilos?)\b"
        r"|\bmy (?:left |right )?(?:feet|foot|toes|heels?|ankles?|knees?|hips?"
        r"|shoulders?|back|skin|hands?|calves) (?:is|are|hurts?|aches?|swells?|gets?)\b"
        r"|\b\d\d(?:\.5)? (?:fits|suits) (?:me|him|her)\b"
        rf"|\band (?:wears?|takes?) (?:a |an |size )?{_NUMBER}\W*$"
        r"|\b(?:wide|narrow|broad) feet\b|\d ?(?:m |met(?:re|er)s |cm |feet )?tall\b"
        r"|\bin (?:a |an |size )?(?:3[3-9]|4\d|5[0-2])\b(?![.,/]?\d)(?! (?:usd|dollars|days|%))"
        rf"|\b(?:i am|i'm) (?:\w+ )?an? (?:\d{{1,3}}|{_LETTERED})\W*$"
        rf"|\b(?:i|we|he|she|they) (?:\w+ )?(?:wears?|takes?) an? {_LETTERED}(?: in \w+)?[.!]*$"
        rf"|\b(?:\d{{1,3}}|{_LETTERED}) is (?:what (?:i|we) (?:wear|take|need)|my size)\b"
        r"|\b[4-7]'\s?\d{0,2}\b|\binside leg\b.*\d"
    ),
    "date": (
        rf"\b(?:by|before|until|till|on|for|from|in|this|next|no later than)\s{_DATE}"
        rf"|\b(?:{_DAYS}|tomorrow|tonight)\b|\bdeadline\b|\bbirthday\b"
        rf"|\b(?:first|second|third|\w+th|\d{{1,2}}(?:st|nd|rd|th)?) (?:of )?{_MONTHS}\b"
        rf"|\b{_MONTH}\.? (?:the )?\d{{1,2}}(?:st|nd|rd|th)?\b"
        rf"|\b(?:end|beginning|middle|start) of (?:{_MONTHS}|the (?:week|month|year))\b"
        r"|\bin (?:a|two|three|\d+) (?:days?|weeks?|months?)\b"
        r"|\basap\b|\bas soon as (?:possible|you can)\b|\burgent(?:ly)?\b"
        r"|\b(?:go|going|off|trip|tour|travel\w*|leav\w+|fly\w*)\b.*"
        r"\bin (?:the )?(?:winter|summer|spring|autumn)\b"
    ),
}
"""What a sentence states, to how it is stated."""

OF_THE_MOMENT: Final = re.compile(
    r"^\W*(?:ok(?:ay)?,? |yes,? |no,? |good,? |great,? |thanks?,? |then |now |please |so |and "
    r"|could you |can you |would you |let's "
    r"|(?:i|we)(?:'d| would)? (?:want|need|like|have)(?: you)? to )*"
    r"(?:add|remove|put|take|delete|drop|check ?out|pay|order|buy|cancel|show|tell|compare|open"
    r"|search|look|find|list|go|make(?! sure| it (?:something|one|a)\b)|set|change|give|see|know"
    r"|forget|never ?mind|ask|help|stop|start|begin|return|talk|think)\b"
    r"|\b(?:put|take|throw|make) (?:it|them|that|those)\b(?! (?:something|one|a)\b)"
    r"|(?<!fit )(?<!fits )\b(?:in|into|from|out of) my \w+\W*$"
    r"|\bthe (?:first|second|third|last|other|cheapest|best) (?:one|two)s?\b|\bafter all\b"
    r"|\b(?:any|some)thing else\b|\bno(?:thing)?,? thanks?\b|^\W*no (?:problem|rush|hurry)\b"
    r"|\bthat(?:'s| is) all\b|\b(?:a|an|my|the) (?:refund|receipt|invoice)\b"
    r"|^\W*(?:i'd|i would) (?:like|love) (?:that|this|it|one|both)\W*$",
    re.IGNORECASE,
)
"""What is done at once, and then is of no use."""

ENDS_A_DISLIKE: Final = re.compile(
    r"\b(?:is|are) (?:fine|ok(?:ay)?|all right|good after all)\b|\bno problem\b|\bany colou?r\b"
    r"|\b(?:doesn't|don't|does not|do not) (?:really |actually )?"
    r"(?:bother|mind|hate|dislike|detest|loathe)\b|\bcome (?:round|around) to\b"
    r"|\bwould be (?:lovely|great|nice|fine|ok(?:ay)?|good)\b(?! if)",
    re.IGNORECASE,
)
"""What says of something disliked that it may be after all."""

TAKES_BACK: Final = re.compile(
    r"\b(?:never ?mind|scratch|forget|ignore|does not matter|doesn't matter|do not care"
    r"|don't care|no longer|not any ?more|changed my mind"
    r"|(?:is|are)(?:n't| not) (?:so |that |very |really |all that )?(?:important|necessary|needed)"
    r"|not (?:really |actually )?(?:allergic|intolerant|vegan))\b",
    re.IGNORECASE,
)
"""What takes back what was said of the same thing."""

TAKES_BACK_THE_LAST: Final = re.compile(
    r"\b(?:never ?mind|scratch that|(?:forget|ignore) (?:it|that|what i said)|changed my mind)\b",
    re.IGNORECASE,
)
"""What takes back, where it names nothing, what was said just before."""

NO_LIMIT: Final[Mapping[str, re.Pattern[str]]] = {
    "money": re.compile(
        r"\bmoney(?: is|'s) no (?:object|issue|problem|matter)\b|\bsky(?: is|'s) the limit\b"
        r"|\b(?:price|cost|money|budget) (?:doesn't|does not) matter\b|\bwhatever it costs\b"
        r"|\b(?:price|cost|money|budget) (?:isn't|is not) (?:\w+ )?(?:important|issue|problem)\b"
        r"|(?<!don't )(?<!not )(?<!never )\b(?:forget|ignore|scratch|drop|never ?mind)(?: about)? "
        r"(?:the|my|our|that|any) (?:price |spending |money )?(?:budget|limit)\b"
        r"|\b(?:there is|there's|i have|i've got|we have) no (?:budget|limit)\b"
        r"|\bno longer (?:have|on) (?:a|any) (?:budget|limit)\b",
        re.IGNORECASE,
    ),
    "weight": re.compile(r"\b(?:weight|heavy)\b.*\b(?:doesn't|does not) matter\b", re.IGNORECASE),
}
"""What takes a limit back, by its unit."""

NO_DEADLINE: Final = re.compile(
    r"\bno (?:rush|hurry|deadline)\b|\b(?:date|deadline|day) (?:doesn't|does not) matter\b"
    r"|(?<!don't )(?<!not )(?<!never )\b(?:forget|ignore|scratch|never ?mind)(?: about)? "
    r"(?:the|my|our|that) (?:date|deadline)\b|\bcan wait\b"
    r"|\b(?:early|soon) enough\b|\btake your time\b",
    re.IGNORECASE,
)
DEADLINE: Final = re.compile(
    r"\b(?:by|before|until|till|need|deadline|latest|no later)\b", re.IGNORECASE
)
ARRIVES: Final = re.compile(
    r"\b(?:here|arriv\w*|deliver\w*|ship\w*|get|have|come|reach\w*)\b", re.IGNORECASE
)
"""What a question about a date speaks of, when the date is one to keep to."""

CORRECTS: Final = re.compile(
    r"^\W*(?:sorry|no|oh|oops|wait|actually|well|ok(?:ay)?)?\W*(?:let's say|say|make (?:it|that)"
    r"|rather|i mean|it's|it is)\b|\b(?:instead|nowadays|i mean|i meant)\W*$"
    rf"|^\W*(?:sorry|oops|wait|actually|correction|rather)\W+{_NUMBER}\W*$"
    rf"|^\W*{_NUMBER},? (?:actually|rather|sorry)\W*$",
    re.IGNORECASE,
)
"""How what was said just before is said otherwise, and the thing is not named again."""

NOT_BUT: Final = re.compile(rf"\bnot ({_NUMBER})", re.IGNORECASE)

NEVER_DROPPED: Final = re.compile(
    r"\b(?:allerg|intoleran|rash\b|react|hives\b|asthma|c(?:o)?eliac|vegan\b)", re.IGNORECASE
)
"""What only a sentence that names it takes back."""

OF_PRICE: Final = re.compile(
    r"\b(?:price|cost|money|budget|comfort|quality|weight)\b.*\b(?:matters?|comes? first|over|than"
    r"|(?:is|are) (?:\w+ )?important)\b|\bas (?:cheap|little) as\b",
    re.IGNORECASE,
)
"""What is wanted of the price, and of no thing that is named."""

OF_SO_MANY: Final = re.compile(rf"\b{_COUNT} of us\b|\bjust (?:me|us)\b", re.IGNORECASE)
"""How many they are, and of no thing that is named."""

ONLY_TAGGED: Final = re.compile(
    r"\b(?:ok(?:ay)?|right|please|yes|all ?right|got it)\?+$", re.IGNORECASE
)
"""What is no question: it ends in a word that asks for a nod."""

PEOPLE: Final = re.compile(rf"\b({_PEOPLE})s?\b", re.IGNORECASE)
IN_A_SIZE: Final = re.compile(r"\bin (?:a |an |size )?(?:3[3-9]|4\d|5[0-2])\b", re.IGNORECASE)

_SHORT_FORMS: Final = re.compile(
    r"\b(do|does|did|ca|wo|is|are|was|has|have|should|would|could)nt\b", re.IGNORECASE
)
_SPELT: Final[Mapping[str, str]] = {
    "im": "i'm", "ive": "i've", "pls": "please", "plz": "please", "b4": "before", "btw": "",
    "alergic": "allergic", "alergy": "allergy", "allergie": "allergy", "alergies": "allergies",
}  # fmt: skip
_SPELT_SO: Final = re.compile(rf"\b(?:{'|'.join(_SPELT)})\b", re.IGNORECASE)


@lru_cache(maxsize=4_096)
def plainly(text: str) -> str:
    """Write a text as the patterns read it."""
    plain = text.replace("\u2019", "'")
    plain = _SHORT_FORMS.sub(r"\1n't", plain)
    return _SPELT_SO.sub(lambda found: _SPELT[found.group().lower()], plain)


UNITS: Final[Mapping[str, str]] = {
    "money": r"[$\u20ac\u00a3]|\b(?:dollars?|usd|eur(?:os?)?|gbp|budget|spend|price|cost|bucks)\b",
    "weight": r"\b(?:kg|kilos?|grams?|g|pounds|lbs)\b",
    "length": r"\b(?:cm|mm|centimet(?:re|er)s|met(?:re|er)s)\b",
    "volume": r"\b(?:lit(?:re|er)s?|l)\b",
}

SCALES: Final[Mapping[str, str]] = {
    "height": r"\btall\b|\b[4-7]'|\bheight\b|\b1[.,]\d\d ?(?:m\b|$)",
    "weight": r"\bweigh|\bkg\b|\bkilos?\b",
    "letters": rf"(?<!')\b{_LETTERED}\b(?!')",
}
"""By what a size is told, where it is no plain number."""

ADDRESS: Final = re.compile(
    r"\b(?:my|our|the|delivery|home|office|e-?mail|shipping) (?:\w+ )?address\b"
    r"|\b(?:live|lives|living|deliver\w*|ship|send|post) (?:it |them )?(?:at|to|in) "
    r"|\b\d{1,5}[a-z]?,? (?:\w+ ){1,3}(?:street|st|road|rd|avenue|ave|lane|ln|drive|court|square"
    r"|way|place|boulevard|blvd)\b|\b\w+(?:stra(?:\u00df|ss)e|gasse|weg|platz) \d+"
    r"|\b(?:zip(?: ?code|:? \d+)|post(?:al)? ?code|phone|telephone|mobile|password|passcode|pin"
    r"|iban|cvv|cvc)\b"
    r"|\bp\.? ?o\.? box\b|\S@\S|https?://|\+\d{6,}|\b\d{7,}\b",
    re.IGNORECASE,
)
FIRST_PERSON: Final = re.compile(r"\b(?:i|i'm|i'd|we|my|our|me|us)\b", re.IGNORECASE)

_FILLING = """
a about above actually after again all also altogether am an and any anyway anything are as at
be because been before below best beyond but by can can't cannot cost could did do does doesn't
don't dollar each eur euro even ever every everything except favourite favorite fan few fine for
friday from gbp get go good had has hate have he her here his hope i i'd i'll i'm i've if in is
it it's its just keep kind least less like limit look looking love made make max
maximum may me mind minimum monday more most much must my need needs never new next nice no not
nothing now of ok okay on one only or other our over own please possible prefer price quite
rather really saturday say see she should size so some something spend stand such sunday than
that that's the their them then there these they thing think this those thursday till to today
together tomorrow too total tuesday two under until up us usd use usually very want was way we
wear wednesday week weekend well were what when which who will wish with within without would
yes yet you your budget dislike avoid afford important essential colour color colours date
deadline all right problem matter care longer changed any enough say lets mean nowadays
instead early great make sure sorry oops
"""
SAYS_NOTHING: Final = frozenset(_FILLING.split())
"""Words by which two sentences are about nothing in common."""

OF_ALLERGIES: Final = frozenset({"allergic", "allergy", "allergie", "intolerant", "intolerance"})
"""Words that say how a thing is borne, and nothing of which thing."""
