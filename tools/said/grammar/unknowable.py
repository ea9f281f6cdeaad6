"""Of what nobody who sells can know or have done unless it was read: data.

Each topic: how English claims it, and by which words what was read tells of it at all.
Patterns of a clause as `plain` writes it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_UNIT: Final = r"(?:hours?|days?|weeks?|months?|years?)"
_MANY: Final = r"(?:\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|a couple of|a few|few)"
_DAY: Final = (
    r"(?:today|tonight|tomorrow|overnight|same day|next day|this (?:week|weekend|evening|afternoon|month)|next (?:week|weekend|month)|"
    r"the weekend|end of (?:the )?(?:week|month)|(?:mon|tues|wednes|thurs|fri|satur|sun)day|christmas|easter|"
    r"\d{1,2}(?:st|nd|rd|th)? (?:of )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*|(?:january|february|march|april|may|june|july|august|september|october|november|december) \d{1,2})"
)
_WHEN: Final = (
    rf"(?:{_DAY}|(?:in|within|after|inside|takes?|about|under|another) (?:about |just |only |under |the next |less than |around )*{_MANY}(?: ?(?:to|or| ) ?{_MANY})?(?: more)? (?:business |working |short )?{_UNIT}|"
    rf"{_MANY} ?(?:to|or| ) ?{_MANY} (?:business |working )?{_UNIT}|\d{{1,3}} (?:business |working )?{_UNIT}|any (?:day|minute|moment) now|first thing)"
)
_COMES: Final = (
    r"(?:arriv\w+|deliver(?:s|ed|y)?|ship(?:s|ped|ping)?|dispatch\w*|at your (?:door|place|house|home)\w*|door ?step|with you|reach(?:es)? you|"
    r"be there|get there|turns? up|lands?|on (?:its|their) way|leav(?:es|ing)|you'll have (?:it|them|your)|have (?:it|them) (?:by|in)|you have (?:it|them)|get (?:it|them)|parcel|package|"
    r"in the post|goes out|go out|comes(?! with\b(?! you))|coming(?! with\b)|come(?! with\b))"
)
_TAKEN_OFF: Final = r"(?:\d{1,3}(?:\.\d\d)? ?(?:%|percent|dollars|usd|bucks|euros?)|[$€£]\d+(?:\.\d\d)?|half|a third|a quarter) (?:off|discount|rebate|reduction|less)\b(?! than)"


_THIRD: Final = (
    r"(?:warehouse|depot|courier|carrier|truck|driver|supplier|factory|manufacturer|manager|boss|colleagues?|post office|"
    r"neighbou?rs?|customer (?:service|care|support)|support team|billing(?: team| department)?|accounting|finance team|"
    r"logistics(?: team)?|dispatch team|returns team|back office|head office|sales team|fulfil+ment(?: \w+)?|store staff|staff|support|tech support)"
)
"""Whom nobody reaches by a tool that sells."""


@dataclass(frozen=True)
class Topic:
    """Something that is invented where nothing that was read tells of it.

    Attributes:
        claimed: how it is claimed.
        read: a word by which what was read, or the instructions, tells of it.
        is_told: what is so.
        lasts: what is said of the future claims it too.
        is_of_days: a day that a person named may be told again.
        is_listed: rules list it among what there is none of, which tells of none.
        is_of_its_way: it is how one order goes on, and no rule: under a condition it is told of none.
    """

    claimed: re.Pattern[str]
    read: re.Pattern[str]
    is_told: str
    lasts: bool = False
    is_of_days: bool = False
    is_listed: bool = False
    is_of_its_way: bool = False


def _topic(
    claimed: str,
    read: str,
    of: str,
    *,
    lasts: bool = False,
    is_of_days: bool = False,
    is_listed: bool = False,
    is_of_its_way: bool = False,
) -> Topic:
    return Topic(
        re.compile(claimed),
        re.compile(read, re.I),
        f"Nothing that was read tells of {of}.",
        lasts,
        is_of_days,
        is_listed,
        is_of_its_way,
    )


TOPICS: Final[tuple[Topic, ...]] = (
    _topic(
        r"\b(?:you(?:'ve| have)? (?:\w+ )?(?:looked|viewed|bought|asked|returned|searched|visited|purchased)|(?:order|it|one|which) (?:is|was|dates) (?:from|back))\b.{0,40}\b(?:last (?:week|month|year|summer|winter|spring|autumn|fall)|yesterday|the other day|(?:two|three|four|five|six|a few|several|\d+) (?:days|weeks|months|years) ago|(?:a|one) (?:day|week|month|year) ago)\b",
        r"\d{4}-\d\d-\d\d|yesterday|last (?:week|month|year)|\bago\b",
        "when that was",
        is_of_days=True,
    ),
    _topic(
        rf"\b{_TAKEN_OFF}|\b(?:your|the|a|our|with|this|welcome|member\w*|loyalty|student|seasonal|special|extra|little|small) (?:\w+ ){{0,3}}(?:discount|bonus|promo(?:tion)?|coupon|rebate|voucher|special offer|promo code)\b|"
        r"\b(?:your|the|a|with|used) (?:\w+ ){0,4}(?:welcome|discount|promo|voucher|coupon) code\b|"
        r"\b(?:discount|coupon|voucher|promo(?:tion)?(?: code)?|rebate|code) (?:\w+ ){0,2}(?:was|is|has been|of|applied|applies|included|worth|used|taken|brings?)\b|"
        r"\b(?:knock|took|take|taken|shaved?|gave|given|slashed?)(?:ed)? (?:you )?(?:another |a further |some |off )?(?:[$€£]?\d[\d.]*|five|ten|a few) ?(?:usd |dollars |bucks |% |percent )?off\b|"
        r"\b(?:for sale price|sale price|half price|marked down) (?:from|now|today|this week|at|by|until)\b|\b(?:reduced|(?<!go )(?<!goes )(?<!range )(?<!run )down) from (?:usd )?[$€£]?\d{2}|\breduced (?:now|today|this week|until)\b|\breduced by (?:usd )?[$€£]?\d+(?:\.\d\d)? ?(?:usd|dollars|%|percent)|\b(?:price|it|they|which|that|jacket|tent|lamp|stove|pack)(?: is| are|'s|'re| was| went| came)+ (?:now )?down (?:now|today|this week|at|by|until)\b|\bon sale\b|\bat half price\b|"
        r"\b(?:a|the|our|big|huge|summer|winter) (?:\w+ )?sale (?:on|right now|at the moment|today|this week|running|going|is on)\b|\b(?:bundle|volume|quantity|multi ?buy|bulk|family|package|set|combo) (?:discount|price|deal|offer|rate|saving)s?\b|\byou(?:'ll| will)? save (?:an? )?(?:extra )?(?:another )?\d+ ?(?:%|percent)|"
        r"\b(?:second|third|fourth|fifth|sixth|next|last|extra|cheapest) (?:one|pair|item|piece|\w+)? ?(?:is|comes|goes) (?:free|half|on us|on the house|at half|gratis|cheaper)\b|"
        r"\b(?:special|bargain|reduced|introductory|member) price\b|\b(?:two|three|four|five|\d) for the price of (?:one|two|three|four|\d)\b|\b(?:price match\w*|cash ?back|buy one get one|free gift|gift card|(?:thrown|threw) in for free|with our compliments)\b|"
        r"\byou(?:'ve| have)? (?:just )?saved? (?:usd )?[$€£]?(?!\d*(?:[.,]\d+)? ?(?:g|kg|grams?|kilos?|kilograms?|cm|mm|m|ml|l|litres?|liters?|minutes?|hours?|inch(?:es)?)\b)\d|\b(?:used to cost|normally (?:costs?|at|goes for)|usual price|regular price|list price|instead of the usual)\b|\bknocked (?:\w+ ){1,4}off\b",
        r"discount|coupon|voucher|promo|rebate|\bsale\b|% off|reduced|gift|price match",
        "a discount",
        lasts=True,
        is_listed=True,
    ),
    _topic(
        r"\b(?:loyalty|bonus|reward|club|member\w*) (?:points?|programme|program|status|level|account|stars)\b|(?<![\w.])(?:\d{2,}|[6-9]) (?:\w+ ){0,2}points\b|\bpoints (?:balance|are|were|have|on your account)\b|"
        r"\b(?:earn|collect|redeem|gain)\w* (?:you )?(?:\w+ )?points\b|\b(?:as a|being a|gold|silver|premium|vip|loyal) (?:\w+ )?(?:member|customer)\b|\bmembers? (?:get|pay|save|enjoy)\b|\bas a member\b",
        r"\bpoints\b|loyalty|\bmember",
        "points or a membership",
        lasts=True,
    ),
    _topic(
        r"\b(?:tracking|consignment|shipment|parcel) (?:number|code|id|link|no)\b|\btrack(?:ing)? (?:it|them|your (?:parcel|package|order)|info\w*)\b|\b(?:track(?:ed|able)) (?:with|under|by|at|via)\b",
        r"\btrack",
        "a tracking number",
        lasts=True,
    ),
    _topic(
        r"\b(?:dhl|(?<!mix )(?<!mix-)(?<!back )(?<!back-)(?<!follow )(?<!follow-)ups|fedex|usps|gls|dpd|hermes|royal mail|postnl|purolator|amazon|courier service|deutsche post)\b",
        r"\b(?:dhl|(?<!mix )(?<!mix-)(?<!back )(?<!back-)(?<!follow )(?<!follow-)ups|fedex|usps|gls|dpd|hermes|royal mail|postnl|purolator|amazon|courier)\b",
        "a carrier",
        is_of_its_way=True,
        lasts=True,
    ),
    _topic(
        r"\b(?:mastercard|american express|amex|paypal|klarna|apple pay|google pay|maestro|bitcoin|bank transfer|direct debit|instal+ments?|in (?:two|three|four|\d) (?:monthly )?(?:rates|instal+ments|payments))\b",
        r"mastercard|american express|amex|paypal|klarna|apple pay|google pay|maestro|bitcoin|bank transfer|direct debit|instal",
        "such a way to pay",
        lasts=True,
    ),
    _topic(
        r"\b(?:\w+ )?warranty\b|\b(?:\d+|one|two|three|five|ten|lifetime|life) ?(?:years?|months?)? (?:of )?(?:\w+ )?guarantee\b|\blifetime guarantee\b|\bmoney back guarantee\b|\bguaranteed for\b",
        r"warrant|guarantee",
        "a warranty",
        lasts=True,
    ),
    _topic(
        r"\b(?:refund\w*|money|paid|credited|reimburs\w+|get|receive)\b.{0,40}\b(?:store credit|shop credit|credit note|voucher|cheque|bank transfer)\b",
        r"store credit|credit note|voucher|cheque|bank transfer",
        "money that comes back in that way",
        lasts=True,
    ),
    _topic(
        rf"\b(?:money|refund|funds|amount|usd)\b.{{0,30}}\b(?:back|arrives?|account|card|there|with you)\b.{{0,12}}\b(?:by|on|before|until|already)? ?{_DAY}\b",
        r"(?!)",
        "when money arrives",
        lasts=True,
        is_of_days=True,
    ),
    _topic(
        r"\b(?:you(?:'ll| will) be|i(?:'ll| will)|we(?:'ll| will)|someone will) (?:notif\w+|alert\w*|inform\w*|let you know|e ?mail\w*|tell|told|ping\w*|message\w*|write|drop you|send you)\b.*\b(?:when|as soon as|once|if)\b.*\b(?:back|in stock|available|restocked|cheaper|price|ships?|shipped|leaves|dispatched)\b",
        r"restock alert|stock alert|notif",
        "such a message",
        lasts=True,
    ),
    _topic(
        rf"\byou(?:'ll| will) (?:then |also |surely )?(?:hear|get|have|receive|know|find out)(?: back)?(?: from (?:us|me|them|the \w+))?(?: (?:an?|the|your|more|some|any))?(?: (?:answer|reply|response|update|result|decision|news|word|confirmation|call|more|outcome|feedback|clarity|certainty))? (?:by {_DAY}|{_WHEN})|"
        rf"\b(?:resolved|settled|sorted(?: out)?|cleared(?: up)?|clarified|decided|looked (?:at|into)|checked) {_WHEN}",
        r"(?!)",
        "how soon that is",
        lasts=True,
        is_of_days=True,
    ),
    _topic(
        r"\bthe (?:others?|rest|remaining|missing)(?: \w+){0,2} (?:will|'ll|is going to|are going to) (?:\w+ )?(?:be (?:sent|shipped|delivered|sent on)|follow|come|ship|arrive)\b",
        r"(?!)",
        "what is sent later",
        lasts=True,
    ),
    _topic(
        rf"\b{_COMES}\b.{{0,40}}?(?<![\w.]){_WHEN}|(?<![\w.]){_WHEN}.{{0,25}}?\b{_COMES}\b",
        r"(?!)",
        "when anything arrives",
        lasts=True,
    ),
    _topic(
        r"\bupgraded (?:to|for)\b|\b(?:by|to|via) express\b|\b(?:free|express|standard|priority|overnight|next day|same day|expedited) (?:shipping|delivery|postage|returns?)\b|\b(?:shipping|delivery|postage)(?: costs?| charges?| fees?)?(?: (?:is|was|of|comes to|included|at|for))+ (?:only |just |about )?(?:[$€£]?\d|free|included|on the house|on us|\w+ included)|"
        r"\b(?:shipping|delivery|postage)(?: costs?| charges?)? (?:will be|is|gets|are|comes|'ll be) (?:\w+ )?(?:added|calculated|extra|on top|due)\b|"
        r"\b(?:shipping|delivery|postage) (?:is |was )?(?:free|included|on us|on the house)\b|\bno (?:shipping|delivery|postage) (?:costs?|fees?|charges?)\b",
        r"shipping|delivery|postage|return label",
        "what shipping costs",
        lasts=True,
    ),
    _topic(
        r"\b(?:follows?|sent|send|ship\w*|deliver\w*|comes?)\b.*\b(?:when|as soon as)\b.*\b(?:back in stock|in again|restocked)\b|"
        rf"\b(?:will|'ll|is|are) be back {_WHEN}\b|\b(?:back in stock|restock\w*|new stock|fresh stock|new delivery|next batch|new batch|more (?:are |will be )?(?:coming|expected|due))\b.{{0,30}}?(?:{_WHEN}|\bexpected\b|\bdue\b)|"
        rf"\b(?:{_WHEN}).{{0,20}}\b(?:back in stock|restocked)\b|\b(?:restock|new stock) (?:is|are|has been) (?:\w+ )?(?:expected|due|ordered|coming)\b|\bback ?order\w*\b",
        r"restock|back in stock|new stock|backorder|back order",
        "new stock",
        lasts=True,
    ),
    _topic(
        r"\bother (?:shops|stores|sites|websites|retailers|dealers|sellers)\b|\bcheaper here\b|\b(?:cheap\w*|lowest|better) (?:\w+ )?(?:elsewhere|anywhere|online|on the (?:market|web|internet))\b|\bcompetitors?\b|\bbest price (?:on|in|guarantee)",
        r"other (?:shops|stores|sites)|competitor|elsewhere",
        "other shops",
        lasts=True,
    ),
    _topic(
        r"\b(?:raised|lowered|dropped|cut|increased|changed) the price\b|\bprices? (?:has |have |was |were |went |is |are |just )*(?:risen|rose|gone up|went up|up|dropped|fell|fallen|increased|raised|lowered|changed|come down|came down)\b(?! (?:to|from) \w+ (?:for|by) you)",
        r"price (?:has |was |went )?(?:risen|rose|changed|raised|lowered|dropped)|old price|was \d",
        "another price before",
    ),
    _topic(
        r"\b(?:plus|including|includes?|incl|excluding|and|with|without|before)\b.{0,20}\b(?:tax|vat|duty|duties|customs|surcharge)\b|\b\d[\d.]* ?(?:usd|dollars|%|percent)? (?:of )?(?:tax|vat|duty|surcharge|handling)\b",
        r"\btax|\bvat\b|\bduty|customs|surcharge|handling",
        "a tax",
        lasts=True,
    ),
    _topic(
        r"\b(?:order|parcel|delivery|shipment|package|boots?|socks?|lamp|jacket|pack|tent|bag|stove|poles?|it|they)\b(?: \w+){0,2} (?:is|are|was|has been|got|'s) (?:\w+ )?(?:delayed|held up at|lost in the post|stuck (?:at|in)|running late)\b",
        r"delay|customs",
        "a delay",
    ),
    _topic(
        r"\b(?:one|third|second|extra|pair|bottle|another|bag|socks?) (?:\w+ )?(?:free of charge|for free|as a (?:gift|present|bonus)|on the house)\b|\b(?:is|are|as) a (?:free )?(?:gift|present) (?:from|of|to)?\b|\b(?:is|are) a (?:gift|present)\W*$",
        r"free of charge|\bgift",
        "a gift",
        lasts=True,
    ),
    _topic(
        r"\b(?:one|two|three|same|separate|split|several) (?:deliver(?:y|ies)|parcels?|packages?|shipments?)\b|\b(?:two|three|separate|split|several) (?:deliveries|parcels|packages|shipments)\b|\b(?:in|into|as) (?:two|three|separate) (?:deliveries|parcels|packages|shipments|orders)\b",
        r"deliver(?:y|ies)|parcel|shipment",
        "several parcels",
        lasts=True,
    ),
    _topic(
        r"\bcart\b.*\b(?:expires?|times out|runs out|is (?:kept|held|saved)|stays|will be (?:kept|held|emptied|cleared|saved))\b.*\b(?:minutes?|hours?|days?|midnight|tonight|tomorrow|weeks?)\b",
        r"cart expires|cart is kept",
        "how long a cart lasts",
        lasts=True,
    ),
    _topic(
        r"\b(?:original|unopened|undamaged) (?:box|packaging|package|carton)\b|\b(?:the |price |with )tags?\b|\b(?:need|keep|bring|enclose|with) (?:the |your |a )?(?:receipt|invoice|proof of purchase|return slip|return form)\b",
        r"original|receipt|\btags?\b|packaging|return form",
        "such a condition",
        lasts=True,
    ),
    _topic(
        rf"\b(?:i|we)(?: have|'ve|'d|'ll| will)?(?: \w+){{0,2}}? (?:let|told|asked|notified|informed|instructed|warned|reminded|arranged|spoke|got|talked|agreed|had|contacted|alerted|passed)\b(?: [\w']+){{0,5}}? (?:the |your |our |my |an? )?(?:\w+ )?{_THIRD}\b|"
        rf"\b{_THIRD}\b (?:has |have |had |is |was |will |already |just |'ll )*(?:left|packed|picked|stopped|confirmed|agreed|says?|said|knows?|told|promis\w+|been (?:told|informed|notified|asked)|turned|look\w*|keep\w*|hold\w*|kept|held|call\w*|double|handle\w*|review\w*|process\w*|set|take\w*|took|check\w*)\b",
        r"warehouse|depot|courier|carrier|driver|supplier|\bmanager\b|\bstaff\b|support team|billing",
        "what others did",
        lasts=True,
    ),
    _topic(
        r"\b(?:i|we)(?:'ve| have)? (?:just |also |already )?(?:reported|flagged|escalated|disputed|contested|appealed|complained)\b|\b(?:mail\w*|sent|send|copy|forwarded|shipped|deliver\w*)\b.{0,25}\bto your (?:wife|husband|partner|friend|brother|sister|mother|father|office|boss|work|neighbou?r|second|other|old)\b|"
        r"\b(?:order|orders|it|they)\b(?: \w+){0,3} (?:was|were|has been|have been|is|are) (?:\w+ )?(?:upgraded|merged|combined|joined) (?:to|into|with|in)\b",
        r"report|escalat|dispute|upgrade|merge",
        "any such thing being done",
    ),
    _topic(
        r"\b(?:signed|set|put|registered|enrolled|subscribed|added) you (?:up |down )?(?:for|to|on|in)\b(?! (?:the|your) (?:order|cart))|\b(?:restock|price|stock|back in stock) (?:alert|alarm|notification|watch)\b|\bsubscribed\b|"
        r"\b(?:saved|favou?rites?) (?:list|items)\b|\bsaved (?:it |them )?for later\b|\bwish ?list\b|\bwaiting list\b",
        r"wish ?list|waiting list|\balert|subscrib|saved list",
        "such a list",
        lasts=True,
    ),
    _topic(
        r"\b(?:you(?:'ll| will)|we(?:'ll| will)|i(?:'ll| will))\b.{0,40}\b(?:text message|sms|phone call|letter|by (?:post|letter|phone|text|fax)|whatsapp|newsletter|survey)\b|\b(?:by phone|over the phone|by fax|comes by post)\b|\b(?:you(?:'ve| have)|was|were|been) (?:\w+ )?(?:texted|phoned|called by)\b|\bsend(?:ing)? you (?:a|the) (?:\w+ )?(?:text|sms|letter)\b",
        r"\bsms\b|text message|by post|by letter|newsletter|phone",
        "such a message",
        lasts=True,
    ),
    _topic(
        rf"\b(?:i|we|shop|store|bank)(?:'ll| will)\b(?! (?:be (?:here|happy|glad)|not\b))(?: [\w']+){{0,9}}? (?:(?:again )?(?:{_DAY}|in {_MANY} {_UNIT}|later (?:today|on)|every (?:day|hour|week)|overnight|in the (?:morning|evening|background)|automatically|by (?:then|tonight|tomorrow)|within {_MANY} {_UNIT}))\b|"
        r"\b(?:will|'ll|is going to|gets?|is) (?:be )?(?:billed|charged|renewed|ordered|placed|retried|tried|sent|mailed|processed|repeated) (?:again|automatically|monthly|every|once more|by itself)\b",
        r"(?!)",
        "what is done later",
        lasts=True,
        is_of_days=True,
    ),
    _topic(
        r"\b(?:i|we)(?: have|'ve|'d| had| just| also| already| then| even)* (?:called|phoned|rang|rung|telephoned|texted|spoke|spoken|talked|chatted|faxed|whatsapped|checked|had a word|pinged|contacted|alerted|informed|notified)(?: \w+){0,2} (?:with |to )?(?:the |your |our |a |my )?(?:bank|shop|store|warehouse|colleague|manager|boss|courier|carrier|team|supplier|maker|manufacturer|support|mail server|card company|issuer|neighbou?r|people|driver)\b|"
        r"\b(?:i|we)(?: have|'ve)? (?:called(?! (?:off|it|them|that))|phoned|rang|texted|faxed)\b|\b(?:sent|send|sending) (?:it|them|you|the \w+|a|an)? ?(?:\w+ )?(?:by|a|an|as a|as) (?:text(?: message)?|sms|fax|letter|whatsapp)\b|"
        r"\b(?:i|we)(?: have|'ve| just| also)* (?:set|put|made|created|left|opened|filed|raised|scheduled|planned|added|noted) (?:\w+ ){0,6}(?:alert|alarm|reminder|wish ?list|watch ?list|waiting list|waitlist|favou?rites|ticket|callback|note on your account|complaint)\b|\b(?:wish ?list|watch ?list|waiting list)\b",
        r"wish ?list|waiting list|\bticket|reminder|transfer_to_human|human agent",
        "any of that being done",
    ),
)
"""What is claimed, and how what was read would tell of it."""

A_DAY: Final = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|weekend|morning|evening|afternoon|night|noon|midnight|(?:mon|tues|wednes|thurs|fri|satur|sun)day|week|month|year|hours?|minutes?|days?)\b"
)
DURATION: Final = re.compile(
    rf"(?<![\w.])(?P<n>{_MANY})(?:(?: to | or | )(?P<to>{_MANY}))? (?:full |whole |business |working |calendar )*(?P<unit>hour|day|week|month|year)s?\b"
)
"""A span of time with a number."""

OF_A_TERM: Final = re.compile(
    r"\b(?:return\w*|refund\w*|exchange\w*|(?:send|sending|bring|take|give|ship|mail) (?:\w+ ){0,3}back|sent back|goes back|go back|money|back on|credit\w*|account|card|cancel\w*|hold|holds|held|reserv\w*|aside|kept|keep|"
    r"valid|expires?|deliver\w*|arriv\w*|ship\w*|parcel|takes?|cover\w*|warranty|guarantee|stock|process\w*|policy)\b"
)
"""In a clause whose span of time is a term that somebody set."""

OF_LESS: Final = re.compile(r"\b(?:less|saved?|saving)\b")
"""Tells of an amount by which one thing costs less than another, or of a discount."""

SEES_TO_IT: Final = re.compile(
    r"\b(?:colleagues?|human|person|people|someone|somebody|team|staff|support)\b(?: (?:of|on|from|in) (?:our|the|my) (?:team|staff|support|shop))? (?:(?:will|'ll|is going to|are going to|has to|have to|needs to|must) )?"
    r"(?:then |now |also |have to |first )*(?:check|look|settle|sort|decide|review|clear|find out|go over|go through|verify|clarify|take (?:a look|it|over)|handle|see to)\w*\b(?!.*\b(?:warehouse|bank|courier|depot|today|tomorrow|tonight|hours?|days?|minutes?|week)\b)"
)
"""Says that somebody will look into what is in doubt."""

ASKED_OR_HYPOTHETICAL: Final = re.compile(
    r"'d\b|\b(?:if|would|could|might|may|unless|whether|ask|asked|asking|want|wants|wanted|looking for|maybe|perhaps|possibly|depends?|check (?:the|your|with|whether)|"
    r"hope\w*|wish(?:es|ed)?(?! ?list)|any|please|to avoid|like \w+ing|shall|should i|should we|once|until|when you|provided|let me know|tell me|give me|say|in case|told me|mentioned|said|instead of|rather than|"
    r"to (?:assist|help|find|check|look)\b|(?:happy|glad) to|imagine|suppose|supposing|picture (?:an?|the)|assume|think of an?|take an? (?:[a-z]+ )?(?:that|which|whose)|(?:assist|help)(?: you)? with|don't know|do not know|know (?:how|when|whether)|cannot|can't|unable|unknown|unclear|how (?:long|soon|fast)|what|which|except|apart from)\b"
)
"""In a clause that claims nothing of the kind."""
GAINSAID: Final = re.compile(
    r"\b(?:not|n't|never|nothing|none|neither|nor|nobody|without|no longer|isn't|wasn't|aren't|"
    r"hasn't|haven't|didn't|doesn't|don't|won't|couldn't|unable|no)\b|n't\b"
)
"""In a clause that says that it is not so."""
