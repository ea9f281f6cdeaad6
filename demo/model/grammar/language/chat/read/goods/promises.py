"""Read a question for what the shop promises, by the words in it that belong to a topic. Pure."""

import re
from typing import Final

from daybook.demo.model.grammar.language.chat.bounds.limits import price_bounds
from daybook.demo.model.grammar.language.chat.read.clause import Clause
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.orders import AskPolicy, Topic

_WORDS: Final[tuple[tuple[Topic, str], ...]] = (
    (
        "warranty",
        r"warrant\w+|stand behind|guarante\w+|zip(?:per)?s?|dies|die|breaks?|breaking|broken"
        r"|broke|tears?|torn"
        r"|rips?|ripped|defect\w*|faulty|faults?|fails?|falls? apart|wears? out|worn out|repairs?"
        r"|repaired|leaks?|snaps?|cracks?|burst\w*|covered|falling apart|stops? working|goes wrong",
    ),
    (
        "returns",
        r"returns?|returned|returning|(?:send|bring|give|take|ship) (?:it|them|this|these|that"
        r"|something|stuff|things) back|sending (?:\w+ ){1,3}back|refund\w*|money back"
        r"|return label|label|exchanged?|do(?:es)? not (?:fit|like"
        r"|suit)|wrong size|change my mind|(?:don)?t fit|do not fit|unhappy with|back if",
    ),
    (
        "gifts",
        r"gift ?(?:wrap\w*|receipts?|box\w*|notes?|card message|message)|wrap(?:ped|ping)?"
        r"|gift bag|greeting card",
    ),
    (
        "payment",
        r"pay|pays|paying|payments?|what (?:else )?do you (?:take|accept)$"
        r"|paypal|klarna|instal\w+|credit cards?|debit|visa|amex|mastercard"
        r"|american express|cash|crypto|bitcoin|vouchers?|coupons?|discounts?"
        r"|(?:%|percent) off|promo\w*|codes?|rebates?|financ\w+"
        r"|invoices?|half price|haggle|student|bulk|apple pay|google pay|cheque|sale",
    ),
    (
        "shipping",
        r"ship|ships|shipping|shipped|deliver\w*|postage|(?<!american )express|courier|couriers"
        r"|overnight(?! (?:packs?|backpacks?|bags?|rucksacks?|hik\w+|trips?|walks?|stay|camp\w*"
        r"|tour|trek\w*))"
        r"|arrives?|arrive|pick ?up|pick it up|collect|customs|abroad|overseas|international\w*"
        r"|parcels?|freight|get here|dispatch\w*|next day|same day|how soon|dhl|fedex|ups|usps"
        r"|p\.?o\.? box|canada|europe|germany|mexico|france|england|uk|alaska|hawaii"
        r"|here by|there by|in time|by (?:monday|tuesday|wednesday|thursday|friday"
        r"|saturday|sunday)",
    ),
    ("currency", r"euros?|sterling|currenc\w+|tax|taxes|vat|gst|duty|duties"),
)
_TOPICS: Final = tuple((topic, re.compile(rf"\b(?:{words})\b")) for topic, words in _WORDS)
_ASKS: Final = re.compile(
    r"(?:^|[,.!;:-] |\b(?:and|so|but|ok|well|then|also|or|oh|hm|wow|lol|haha|hi|hey|please"
    r"|just) )(?:how|what|which|who|where|when|why"
    r"|is|are|does"
    r"|do|did|can|could|will|would|may|any|if|am|have|has|must|in case|suppose|got|what if|whose"
    r"|until|tell)\b"
)
_OF_AN_ORDER: Final = re.compile(
    r"\b(?:my (?:order|parcel|package)|db-\d+|address(?:es)?|cancel|which card"
    r"|what card|add|put|cart)\b"
)
_OF_GOODS: Final = re.compile(
    r"\bhow (?:long|fast|quick(?:ly)?|soon)\b.*\b(?:boil|dry|charge|recharge|heat|cook|pitch|set up"
    r"|put up|fill|inflate|burn|fold|filter)\b"
)
_HAS: Final = re.compile(
    r"(?:(?:and|so|ok|but) )*(?:which|what)(?: ones?)? (?:of (?:them|these|those) )?(?:has|have"
    r"|comes? with|got)\b"
)
"""What goods have is asked, whatever may go wrong with it: "which of them has pit zips?"."""
_LONGEST: Final = 40


def touched(clause: Clause) -> list[Intent] | None:
    """Read which promise a text that nothing else reads touches, though it asks nothing."""
    scores = [(len(words.findall(clause.text)), topic) for topic, words in _TOPICS]
    best = max(score for score, _ in scores)
    return [AskPolicy(next(topic for score, topic in scores if score == best))] if best else None


def promised(clause: Clause) -> list[Intent] | None:
    """Read which promise of the shop a question is about; the topic with the most words wins."""
    text = clause.text
    asks = _ASKS.search(text) or (clause.tokens[-1:] and clause.tokens[-1].text == "?")
    if len(clause.tokens) > _LONGEST or not asks or _OF_AN_ORDER.search(text):
        return None
    if price_bounds(text) != (None, None) or _OF_GOODS.search(text) or _HAS.match(text):
        return None
    return touched(clause)
