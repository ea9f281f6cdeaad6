"""How and in what money people pay, and what they get in writing: whole sentences."""

from typing import Final

from daybook.demo.model.grammar.language.chat.sayings.table import ASKS, Sayings
from daybook.demo.model.grammar.language.intents.goods import AskPrice
from daybook.demo.model.grammar.language.intents.orders import AskPolicy
from daybook.demo.model.grammar.language.intents.references import It
from daybook.demo.model.grammar.language.intents.talk import Talk

_NO_CARD: Final = (
    r"(?:paypal|pay ?pal|apple pay|google pay|klarna|afterpay|bitcoin|crypto|cheque|checks?|invoice"
    r"|instal+ments?|gift ?cards?|vouchers?|coupons?|promo codes?|discount codes?|discounts?"
    r"|cash(?: on delivery)?|bank transfer|wire transfer|venmo|affirm)"
)
_CARD: Final = (
    r"(?:amex|american express|visas?|mastercards?|master card|discover|maestro|debit cards?"
    r"|credit cards?|cards?|diners)"
)
_MONEY: Final = (
    r"(?:euros?|eur|€|pounds? sterling|gbp|£|british pounds?|yen|francs?|chf|sterling|cad|aud"
    r"|(?<=in )pounds"
    r"|(?:canadian|australian|aussie|kiwi|new zealand|singapore) dollars?"
    r"|kroner?|rupees?|pesos?|other currenc(?:y|ies)"
    r"|foreign currency|another currency|different currency|my own currency)"
)

PAYMENT: Final[Sayings] = (
    (
        rf".*\b(?:dollars?|usd|bucks)\b(?: \w+){{0,2}} (?:in|into|to|as) (?:\w+ )?"
        rf"(?:{_MONEY}|aussie dollars?|nz dollars?|kiwi dollars?)\b.*",
        (AskPolicy("currency"),),
    ),
    (
        r"(?:and |ok |so |then |well |but )*(?:how much|what)(?: is| does| would| will)?"
        r"(?: it| that| this)?(?: cost| be| come to)? in (?:your currency|dollars|us dollars|usd)"
        r"(?: then| please)?",
        (AskPrice(It()),),
    ),
    (
        r"(?:and |or |ok |so |then |well |but )*what (?:else |cards? )?do you (?:take|accept)"
        r"(?: then| instead)?",
        (AskPolicy("payment"),),
    ),
    (
        rf"{ASKS}\b.*\b(?:pay|pays|paid|payment|charge|accept|take|prices?|sell|buy|checkout"
        rf"|check out|convert|how much)\b.*\b{_MONEY}\b.*",
        (AskPolicy("currency"),),
    ),
    (
        rf"(?:and |what about |how about |is that |is it |in |are (?:these|those|they|the prices"
        rf"|prices)"
        rf" |so |the )*(?:in )?{_MONEY}(?: (?:i mean|or|please|then|price|prices|too|possible|ok"
        r"|money|not|weight|usd|dollars|us dollars)\b.*)?",
        (AskPolicy("currency"),),
    ),
    (
        rf"(?:what|how much)\b.*\b\d[\d.,]*\b.* (?:in|to|into) {_MONEY}\b.*",
        (AskPolicy("currency"),),
    ),
    (
        r"(?:what|which) currenc(?:y|ies)\b.*|.*\b(?:exchange rate|your currency|what currency"
        r"|which"
        r" currency|us dollars\?|only (?:take|accept|sell in) (?:usd|dollars)|in usd)\b.*",
        (AskPolicy("currency"),),
    ),
    (
        r"(?:is|are|does|do) .*\b(?:tax|taxes|vat|sales tax)\b.*|.*\b(?:with|plus|including) "
        r"(?:tax|taxes|vat)\b.*|.*\bcustoms\b.*",
        (AskPolicy("currency"),),
    ),
    (
        rf"(?:can|could|may|do|does|is|are|will|would|what|which|how)\b.*\b(?:pay|pays|paying"
        rf"|payment"
        rf"|payments|take|accept|accepted|use|have|support|possible)\b.*\b(?:{_NO_CARD}|{_CARD})\b"
        r"(?!.* (?:of mine|on file|do i have|ending)).*",
        (AskPolicy("payment"),),
    ),
    (
        rf"(?:and |or |ok |so |then |what about |how about |but |maybe |with |by |pay (?:with|by) "
        rf"|i (?:only )?have (?:a |an )?|i (?:want|would like) to pay (?:with|by|in) (?:a |an "
        rf"|my )?)*"
        rf"{_NO_CARD}(?: (?:then|maybe|ok|okay|possible|instead|please|too|code|for me))*",
        (AskPolicy("payment"),),
    ),
    (
        r"(?:how (?:can|do|could|would|should) (?:i|we|you|one) pay\b.*|what (?:payment"
        r"|payments)\b.*"
        r"|(?:which|what) (?:cards?|payment methods?|methods of payment|payment options) (?:do you"
        r" (?:take|accept|support)|are accepted|can be used|work)\b.*|payment (?:methods?"
        r"|options?|info)"
        r"|(?:do you|can i) (?:do|have|get|pay) (?:in )?(?:instal+ments|monthly|later)\b.*"
        r"|can i pay (?:later|monthly|in parts|on delivery|half)\b.*"
        r"|is (?:it|paying|payment|my card|my data)(?: here)? (?:safe|secure)\b.*"
        r"|(?:can|could|may) (?:i|we) pay (?:on account|by account|half|in advance|at the door)\b.*"
        r"|is (?:it|this|that)(?: site| page| shop)? (?:safe|secure)\b.*\b(?:cards?|pay|money"
        r"|details|data)\b.*"
        r"|.*\b(?:black friday|cyber monday|clearance|boxing day)\b.*"
        r"|when (?:will|do|does|is|am) (?:you |i |my card )?(?:be )?(?:charge[d]?|pay|billed)\b.*)",
        (AskPolicy("payment"),),
    ),
    (
        r".*\b(?:any|a|have|got|is there|student|military|senior) (?:discounts?|coupons?"
        r"|promo(?:tion"
        r"s?| codes?)?|vouchers?|sales?|deals?|offers?)(?: codes?)?\b(?! (?:of|for) ).*",
        (AskPolicy("payment"),),
    ),
    (
        r"do you (?:price ?match|match prices|store|save|keep|sell|share) ?(?:my|the)? "
        r"?(?:cards?|data|card data"
        r"|details|information|payment data|prices)?(?: safe| securely)?|pay (?:later|on "
        r"delivery|monthly|in parts)"
        r"|is (?:my|the) (?:data|card|payment|information) (?:safe|secure|protected|encrypted)"
        r"|(?:do|does) (?:you|the shop) (?:offer|have|do) (?:financing|instalments|installments"
        r"|credit)\b.*",
        (AskPolicy("payment"),),
    ),
    (
        rf"(?:is that|are (?:these|those|they|the prices)|is it) (?:in )?(?:dollars|usd|us "
        rf"dollars|{_MONEY})(?: or .*)?",
        (AskPolicy("currency"),),
    ),
    (
        r"(?:can|could|may|how) (?:i |do i |can i )?(?:still )?(?:change|edit|modify|update"
        r"|alter) (?:the |my )?(?:address|"
        r"order|card|quantity|size)(?: of| in| for| on)? ?(?:my|the|that|an)? ?(?:last "
        r")?(?:order|placed order)?"
        r"(?: later| afterwards| now)?|(?:change|update|edit) (?:the |my )?(?:delivery "
        r"|shipping )?(?:address|card)"
        r"(?: (?:of|for|on|in) (?:my|the|that) (?:last )?order)?|add (?:something|it|this|that) "
        r"to my (?:last|placed|"
        r"previous) order",
        (Talk("how to change"),),
    ),
    (
        r"(?:can|could) (?:i|you) (?:please )?(?:get|have|send(?: me)?|give(?: me)?|make(?: "
        r"me)?) (?:an |a |the |my )?"
        r"(?:invoice|receipt|bill|confirmation)(?: .*)?",
        (Talk("receipt"),),
    ),
)  # fmt: skip
