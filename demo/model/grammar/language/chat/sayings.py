"""Patterns of whole sentences that mean the same whatever stands around them: data, and its reader.

A sentence is compared as the grammar reads it: in lower case, short forms written out, without its
last mark. The first pattern that fits counts. What acts on cart or world is not in here.
"""

import re
from collections.abc import Sequence
from typing import Final

from daybook.demo.model.grammar.language.intents import (
    AskKinds,
    AskPolicy,
    CancelOrder,
    Intent,
    OrderNews,
    Refuse,
    SameAgain,
    ShowCart,
    ShowOrders,
    Talk,
)

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
    r"|canadian dollars?|australian dollars?|kroner?|rupees?|pesos?|other currenc(?:y|ies)"
    r"|foreign currency|another currency|different currency|my own currency)"
)
_LANDS: Final = (
    r"(?:canada|europe|germany|france|spain|italy|england|ireland|scotland|australia|mexico|japan"
    r"|the uk|uk|the eu|eu|the us|the usa|usa|us|hawaii|alaska|puerto rico|abroad|overseas|brazil"
    r"|austria|switzerland|netherlands|sweden|norway|india|china|new zealand|internationally"
    r"|another country|other countries|my country|worldwide|po box(?:es)?|a po box)"
)
_GOODS: Final = r"(?:it|them|this|that|these|those|everything|stuff|things?|items?|something)"
_ASKS: Final = (
    r"(?:how|what|who|when|where|which|do|does|did|can|could|is|are|will|would|may|any|tell me"
    r"|and how|and what|and do|and can|and is|so how|so what|ok how|and will|if|am i)"
)

_SAYINGS: Final[Sequence[tuple[str, tuple[Intent, ...]]]] = (
    # ---- a purchase, asked about -------------------------------------------------------------
    (
        r"(?:did|has|have) (?:it|that|this|my order|the order|the payment|everything|my payment)"
        r"(?: all)? (?:go|went|gone|been|get|work|worked|come|succeed)\b.*"
        r"(?:through|placed|ordered|charged|out|work|succeed|gone|confirmed)?",
        (OrderNews(),),
    ),
    (
        r"(?:did|have|has) (?:you|i|we|u) (?:already |just |actually |really )?"
        r"(?:buy|bought|order(?:ed)?|place[d]?|purchased?|pay|paid|charge[d]?|check(?:ed)? out)"
        r"(?: for)?(?: it| that| them| this| these| anything| something| the order| my card| me)?"
        r"(?: now| already| yet| just now)?",
        (OrderNews(),),
    ),
    (
        r"(?:was|is|am|were|are) (?:it|that|they|my order|the order|i|my card|this|these)"
        r"(?: already| now)? (?:ordered|placed|charged|bought|paid(?: for)?|confirmed)"
        r"(?: already| now| yet)?",
        (OrderNews(),),
    ),
    # ---- what the shop promises --------------------------------------------------------------
    (
        r".*\b(?:total|how much|cart|everything|price|cost)\b.*\b(?:incl|including|included|with|plus"
        r"|and|inc)\b.*\b(?:shipping|delivery|postage|tax|taxes)\b.*",
        (ShowCart(), AskPolicy("shipping")),
    ),
    (
        rf"{_ASKS}\b.*\b(?:ship|ships|shipped|shipping|deliver|delivers|delivered|delivery|postage"
        rf"|courier|post it|send) .*\b(?:to )?{_LANDS}\b.*",
        (AskPolicy("shipping"),),
    ),
    (rf"(?:and )?(?:what about|how about|also)? ?(?:to|in) {_LANDS}", (AskPolicy("shipping"),)),
    (
        r"(?!.*\b(?:my (?:last |latest )?(?:order|package|parcel)|db-\d+)\b)"
        rf"{_ASKS}\b.*\b(?:shipping|delivery|delivered|postage|ship|ships|courier|express"
        r"|overnight|next day|pick ?up|pickup|collect (?:it|them) (?:in|at|from))\b.*",
        (AskPolicy("shipping"),),
    ),
    (
        r"(?:can|could|will|would|may|do|is|when|if|how).*\b(?:get|have|receive|need|arrive|here|come|delivered|be) "
        r"?(?:it|them|that|this|everything|my order|one|there|here)?(?: here| there| delivered)? ?(?:by|before|until"
        r"|in time for|on) (?:the )?(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekend|tomorrow"
        r"|tonight|today|christmas|next week|the end|\w+ \d+|\d+).*",
        (AskPolicy("shipping"),),
    ),
    (
        r"(?:do you (?:have|own|run) (?:a |any )?(?:store|shop|shops|stores|showroom|physical store|branch)(?: .*)?"
        r"|where (?:are you|is your (?:store|shop)|do you ship from)(?: located| based)?|(?:what are your )?(?:opening "
        r"(?:hours|times)|store hours)|(?:can|could) i (?:pick|collect|come|visit|try)\b.*|pick ?up(?: possible)?"
        r"|(?:international|worldwide|express|overnight|next day|same day|standard|priority)"
        r"(?: shipping| delivery| possible| available)*|do you (?:ship|deliver|send)\b.*"
        r"|(?:what|which) (?:carrier|courier|delivery company|shipping options)\b.*|ups|fedex|dhl|tracking number"
        r"|(?:will|do|can) i get (?:a )?tracking.*)",
        (AskPolicy("shipping"),),
    ),
    (
        r"(?:what about |and |how about |free |your )?(?:the )?(?:free |express |fast |standard )?"
        r"(?:shipping|delivery|postage)"
        r"(?: (?:costs?|fees?|times?|charges?|options?|info|information|policy|policies|prices?))?"
        r"(?: please| info)?",
        (AskPolicy("shipping"),),
    ),
    (
        r"(?!.*\b(?:boil|dry|dries|charge|heat|cook|pitch|set up|wear|fill|warm|ready)\b)"
        r"(?:and |so |but )?how (?:fast|quick|quickly|soon) (?:is it|are you|will|would|can|do|does|is|could"
        r"|are)\b.*",
        (AskPolicy("shipping"),),
    ),
    (
        r"(?:and |so |ok |but )?(?:how long (?:does|will|would|do|until|till|before|is the)|when (?:will|"
        r"would|do|does|can|should|is|are)) (?:it|they|that|this|i|we|the order|my order|my stuff"
        r"|everything|the [a-z]+|my [a-z]+|you)\b.*\b(?:take|arrive|come|get here|be here|get it"
        r"|get them|get there|receive|expect|delivered|shipped|due|ship|deliver|get my|have it"
        r"|have them|here)\b.*",
        (AskPolicy("shipping"),),
    ),
    (r"(?:and )?how long (?:does|will|would) (?:it|that|this) (?:usually |normally |all )?take",
     (AskPolicy("shipping"),)),
    (
        rf".*\b(?:{_ASKS}|i)\b.*\b(?:return|returns|send|give|bring|take|sent|refund(?:s|ed|able)?)\b"
        rf"(?: {_GOODS}| the [a-z]+(?: [a-z]+)?| my [a-z]+)?(?: back)?\b"
        r".*\b(?:back|return|returns|used|worn|opened|refund(?:s|ed|able)?|policy|days|not fit"
        r"|not like|unhappy|return|label|window)\b.*",
        (AskPolicy("returns"),),
    ),
    (
        r"(?!.*\b(?:i want|give me) (?:a refund|my money)\b)"
        rf"{_ASKS}\b.*\b(?:returns?|returnable|refunds?|refundable|exchanges?|exchanged?"
        r"|money back|swap sizes|send (?:it|them|something|this|those|these) back)\b.*",
        (AskPolicy("returns"),),
    ),
    (
        r"(?:what about |and |your )?(?:the )?(?:free )?(?:returns?|refunds?|exchanges?)"
        r"(?: (?:policy|policies|period|window|label|costs?|fees?|rules?|possible|info))?"
        r"(?: please)?",
        (AskPolicy("returns"),),
    ),
    (
        r"(?:and |so |but |ok )?what (?:if|happens if|happens when|when) .*\b(?:not fit|too (?:small|big"
        r"|large|tight|short|long|wide|narrow|heavy)|not like|break|breaks|broken|wrong size"
        r"|the wrong|damaged|defective|faulty|unhappy|not happy|change my mind|not work|fall apart"
        r"|leak|leaks|tear|tears|rip|rips)\b.*",
        (AskPolicy("returns"),),
    ),
    (
        r"i (?:want|need|would like|have) to (?:return|send back|exchange) .*",
        (AskPolicy("returns"),),
    ),
    (
        r"i (?:got|received|have got|was sent) (?:the wrong|a wrong|a broken|a damaged|a defective|another).*"
        r"|(?:it|they|the [a-z]+|my [a-z]+) (?:is|are|arrived|came|was|were) (?:broken|damaged|defective|faulty|torn"
        r"|the wrong [a-z]+|too (?:small|big|large|tight))\b.*(?:return|back|refund|what|now)?.*"
        r"|how many days (?:do i have|for)\b.*|.*\b(?:return|refund) (?:policy|window|period|label)\b.*",
        (AskPolicy("returns"),),
    ),
    (
        r".*\b(?:warranty|warranties|guaranteed?|guarantees|lifetime)\b.*",
        (AskPolicy("warranty"),),
    ),
    (
        r".*\b(?:gift ?wrap(?:ped|ping)?|gift receipt|gift message|gift box|gift cards?|gift bag)\b.*",
        (AskPolicy("gifts"),),
    ),
    (
        rf"{_ASKS}\b.*\bwrap\b.*|.*\bwrapped (?:up )?(?:as|for) a (?:gift|present)\b.*"
        r"|.*\bas a gift for\b.*\bwrap.*",
        (AskPolicy("gifts"),),
    ),
    (
        rf"{_ASKS}\b.*\b(?:pay|pays|paid|payment|charge|accept|take|prices?|sell|buy|checkout"
        rf"|check out|convert|how much)\b.*\b{_MONEY}\b.*",
        (AskPolicy("currency"),),
    ),
    (
        rf"(?:and |what about |how about |is that |is it |in |are (?:these|those|they|the prices|prices)"
        rf" |so |the )*(?:in )?{_MONEY}(?: (?:i mean|or|please|then|price|prices|too|possible|ok"
        r"|money|not|weight|usd|dollars|us dollars)\b.*)?",
        (AskPolicy("currency"),),
    ),
    (
        r"(?:what|which) currenc(?:y|ies)\b.*|.*\b(?:exchange rate|your currency|what currency|which"
        r" currency|us dollars\?|only (?:take|accept|sell in) (?:usd|dollars)|in usd)\b.*",
        (AskPolicy("currency"),),
    ),
    (
        r"(?:is|are|does|do) .*\b(?:tax|taxes|vat|sales tax)\b.*|.*\b(?:with|plus|including) "
        r"(?:tax|taxes|vat)\b.*|.*\bcustoms\b.*",
        (AskPolicy("currency"),),
    ),
    (
        rf"(?:can|could|may|do|does|is|are|will|would|what|which|how)\b.*\b(?:pay|pays|paying|payment"
        rf"|payments|take|accept|accepted|use|have|support|possible)\b.*\b(?:{_NO_CARD}|{_CARD})\b"
        r"(?!.* (?:of mine|on file|do i have|ending)).*",
        (AskPolicy("payment"),),
    ),
    (
        rf"(?:and |or |ok |so |then |what about |how about |but |maybe |with |by |pay (?:with|by) "
        rf"|i (?:only )?have (?:a |an )?|i (?:want|would like) to pay (?:with|by|in) (?:a |an |my )?)*"
        rf"{_NO_CARD}(?: (?:then|maybe|ok|okay|possible|instead|please|too|code|for me))*",
        (AskPolicy("payment"),),
    ),
    (
        r"(?:how (?:can|do|could|would|should) (?:i|we|you|one) pay\b.*|what (?:payment|payments)\b.*"
        r"|(?:which|what) (?:cards?|payment methods?|methods of payment|payment options) (?:do you"
        r" (?:take|accept|support)|are accepted|can be used|work)\b.*|payment (?:methods?|options?|info)"
        r"|(?:do you|can i) (?:do|have|get|pay) (?:in )?(?:instal+ments|monthly|later)\b.*"
        r"|can i pay (?:later|monthly|in parts|on delivery|half)\b.*"
        r"|is (?:it|paying|payment|my card|my data)(?: here)? (?:safe|secure)\b.*"
        r"|when (?:will|do|does|is|am) (?:you |i |my card )?(?:be )?(?:charge[d]?|pay|billed)\b.*)",
        (AskPolicy("payment"),),
    ),
    (
        r".*\b(?:any|a|have|got|is there|student|military|senior) (?:discounts?|coupons?|promo(?:tion"
        r"s?| codes?)?|vouchers?|sales?|deals?|offers?)(?: codes?)?\b(?! (?:of|for) ).*",
        (AskPolicy("payment"),),
    ),
    (
        r"do you (?:price ?match|match prices|store|save|keep|sell|share) ?(?:my|the)? ?(?:cards?|data|card data"
        r"|details|information|payment data|prices)?(?: safe| securely)?|pay (?:later|on delivery|monthly|in parts)"
        r"|is (?:my|the) (?:data|card|payment|information) (?:safe|secure|protected|encrypted)"
        r"|(?:do|does) (?:you|the shop) (?:offer|have|do) (?:financing|instalments|installments|credit)\b.*",
        (AskPolicy("payment"),),
    ),
    (
        rf"(?:is that|are (?:these|those|they|the prices)|is it) (?:in )?(?:dollars|usd|us dollars|{_MONEY})(?: or .*)?",
        (AskPolicy("currency"),),
    ),
    (
        r"(?:can|could|may|how) (?:i |do i |can i )?(?:still )?(?:change|edit|modify|update|alter) (?:the |my )?(?:address|"
        r"order|card|quantity|size)(?: of| in| for| on)? ?(?:my|the|that|an)? ?(?:last )?(?:order|placed order)?"
        r"(?: later| afterwards| now)?|(?:change|update|edit) (?:the |my )?(?:delivery |shipping )?(?:address|card)"
        r"(?: (?:of|for|on|in) (?:my|the|that) (?:last )?order)?|add (?:something|it|this|that) to my (?:last|placed|"
        r"previous) order",
        (Talk("how to change"),),
    ),
    (
        r"(?:can|could) (?:i|you) (?:please )?(?:get|have|send(?: me)?|give(?: me)?|make(?: me)?) (?:an |a |the |my )?"
        r"(?:invoice|receipt|bill|confirmation)(?: .*)?",
        (Talk("receipt"),),
    ),
    # ---- talk --------------------------------------------------------------------------------
    (
        r"(?!.*\b(?:are you|am i|is this)\b).*\b(?:talk|speak|chat|connect|transfer|put|get|give"
        r"|want|need|call|phone|reach|contact|is there|like|message)\b.*\b(?:human|humans"
        r"|person(?! (?:tent|tents))|someone|somebody|agent|representative|rep|staff|manager"
        r"|customer service|customer support|customer care|supervisor|employee|real people|a live)\b.*",
        (Talk("human"),),
    ),
    (
        r"(?:a |the |your )?(?:human|agent|representative|real person|customer service|customer support"
        r"|support|operator|manager|phone number|helpline|hotline|live chat)(?: please| now)*"
        r"|.*\b(?:phone number|helpline|hotline|call you|email address of (?:your|the)|contact you)\b.*",
        (Talk("human"),),
    ),
    (
        r"(?:what is|how is|will|is) (?:the|it).*\b(?:weather|rain|snow|sunny)\b.*\b(?:today|tomorrow|weekend|week|in)\b.*"
        r"|(?:what is|how is) the weather.*|.*\b(?:forecast|news|football|soccer|politics|president|joke|poem|song|recipe"
        r"|capital of|meaning of life|translate|homework|lottery|horoscope|stock market|who won"
        r"|movie|film|hotel|hotels|flight|flights|restaurant|train|bus|pizza|dinner|lunch"
        r"|what time is it|what day is it|math|python|javascript|how old are you|marry me"
        r"|i love you|your favou?rite|tell me a story|sing|square root|world cup|election)\b.*",
        (Talk("off topic"),),
    ),
    (
        r"(?:what is|how much is)? ?\d+ ?(?:\+|\*|plus|times|minus|divided by) ?\d+",
        (Talk("off topic"),),
    ),
    (
        r"(?:no |nothing |nope |i am |just |only |we are )*(?:just |only )?(?:looking|browsing"
        r"|looking around|browsing around|having a look|seeing what (?:you have|there is))"
        r"(?: around| right now| now| for now| at the moment)?",
        (Talk("looking"),),
    ),
    (
        r"(?:well |man |god |omg )*(?:this|that|it|you|your (?:shop|service|site)|the (?:shop|site|bot)) (?:really |just |all "
        r"|totally )?(?:sucks?|stinks?|are (?:useless|bad|stupid|terrible|no help)|is (?:useless|bad|stupid|terrible"
        r"|awful|no help|a joke|ridiculous|annoying|too (?:complicated|hard|slow)|frustrating|hopeless|rubbish|a waste"
        r" of time|not helping|not working|not what i (?:want|asked|meant|said).*))(?: .*)?",
        (Talk("trouble"),),
    ),
    (
        r"(?:what|huh|hm|sorry what|pardon|excuse me|say (?:that|it) again|come again|i beg your pardon|what was that"
        r"|repeat (?:that|it)?|can you repeat (?:that|it)?|i do not (?:understand|get it|get you|follow))",
        (Talk("why"),),
    ),
    (
        r"(?:hey |hi |so )*(?:what is up|how is it going|how do you do|(?:is )?(?:any ?one|somebody|someone|anybody)"
        r" (?:there|here)|you there|are you (?:there|awake|online))(?: today| man)?",
        (Talk("greeting"),),
    ),
    (r"(?:oh |ok |no |well |please )*forget (?:it|that|about it)", (Refuse(),)),
    (
        r"(?:what is new|what is on offer|(?:show|give) me (?:everything|all)(?: you have| you sell)?|what (?:have you"
        r" got|can i buy|products do you have|all do you have)(?: here)?|(?:what|which) (?:brands|categories|products"
        r"|things|stuff|gear|equipment) (?:do you|are)\b.*)",
        (AskKinds(),),
    ),
    (
        r"(?:and |so |ok )*(?:is|has) (?:my|the) (?:order|package|parcel|stuff) (?:on (?:its|the) way|late|delayed|lost|"
        r"shipped|coming|there|ready|still .*|been .*|out for .*|arrived|delivered|sent)(?: yet| already| now)?"
        r"|(?:my|the) (?:order|package|parcel) (?:is (?:late|missing|lost|delayed|not here)|has not|never|did not)\b.*"
        r"|i (?:have not|did not|never) (?:received|got|get|receive)\b.*"
        r"|(?:show me |what was |what is |about |see |tell me about )?(?:my|the|that) (?:last|latest|previous|recent)"
        r" (?:order|purchase)|(?:show me |see |check )?that order(?: again)?|which (?:card|address) (?:did you|was|will you)"
        r" (?:charge[d]?|use[d]?|sen[dt] .*)",
        (ShowOrders(),),
    ),
    (r"(?:please )?refund (?:me|it|that|my money|please)|i want to cancel (?:it|that|the order)"
     r"|give me (?:my money|a refund|my money back)(?: back)?",
     (CancelOrder(),)),
    (r"i (?:never|did not) (?:said|say|asked|ask|wanted|meant|mean)\b(?!.*\b(?:remove|take|delete|rid)\b).*",
     (Talk("trouble"),)),
    (r"(?:but )?(?:why|why not|how come|why is that|for what reason|what do you mean)",
     (Talk("why"),)),
    (
        r"(?:so |but |and |ok )*(?:should|shall) (?:i|we) (?:really |also |just |then )?(?:buy|take|get|add|remove|drop|keep|have|pay|order|go for|choose|pick|wait)\b.*"
        r"|(?:so |but |and |ok )*would you (?:buy|take|get|order|wear|use|recommend) (?:it|them|this"
        r"|that|these|those)\b.*|(?:do|would) you (?:think|say|recommend|reckon) (?:that )?(?:i|we) (?:should|need|could|can)\b"
        r".*|(?:is|are) (?:it|they|this|that|these|those) (?:really |actually )?"
        r"(?:worth it|worth the money|a good (?:deal|buy|choice|price))",
        (Talk("advice"),),
    ),
    (
        r"(?:so |but |and |ok |wait )*how (?:do|can|would|should|could|does) (?:i|we|one|you)"
        r" (?:check out|checkout|buy|order|purchase|place|finish|complete)\b.*|how does (?:checkout"
        r"|check out|checking out|ordering|buying|this shop|it) work|what (?:do i|must i|should i)"
        r" (?:do|say) to (?:buy|order|check out|pay)\b.*",
        (Talk("how to buy"),),
    ),
    (
        r"(?:so |but |and |ok )*how (?:do|can|would|should|could) (?:i|we|one) (?:add|put|remove|delete"
        r"|change|take|edit)\b.*",
        (Talk("how to add"),),
    ),
    (
        r"(?:so |but |and |ok )*(?:how (?:do|can|would|should|could) (?:i|we|one) cancel\b.*|(?:can|could)"
        r" i (?:still )?cancel (?:it |that |the order |my order |an order )?(?:later|afterwards|after"
        r"|if|once)\b.*|is it possible to cancel\b.*)",
        (Talk("how to cancel"),),
    ),
    (
        r"(?:please |just |but |and |ok |so )*do not (?:add|buy|order|take|put|purchase|get|send|remove"
        r"|delete|cancel|do|check out|charge|place)\b[^,]*(?:, (?:yet|please|i|still|just a|not|thanks).*)?"
        r"|(?:i am )?not (?:yet|now|today|sure yet)"
        r"|not (?:yet|now)[ ,].*",
        (Talk("leave"),),
    ),
    (
        r"(?:well |ok |so |and |but )*(?:i |we )(?:might|may|could) (?:just |maybe |perhaps )?(?:buy|take|get"
        r"|order|add|want|come|do)\b.*|maybe (?:later|tomorrow|next|another time|some other).*"
        r"|(?:i will|let me|i have to|i need to|i must|i should|we will) (?:just |still |better )?"
        r"(?:think|sleep|decide|wait|ask my|talk to my|check with|come back|have a think|consider"
        r"|see first|look around)\b.*"
        r"|(?:i am )?(?:still )?(?:thinking|deciding|undecided|unsure|torn|hesitating|considering)\b.*"
        r"|i am (?:really |still |just )?not (?:so |too |really |quite )?(?:sure|convinced|certain)\b"
        r"(?! what| which).*"
        r"|(?:can|could|would|will) you .*\b(?:later|tomorrow|next week|some other time)\b.*"
        r"|(?:add|buy|order|get|take|check out|pay|check)\b.*\b(?:later|tomorrow|next week)\b.*"
        r"|(?:i will|i would) (?:probably|maybe|perhaps)\b.*",
        (Talk("leave"),),
    ),
    (
        r"(?:well |ok |so |and |but |though |actually )*(?:i |we )(?:was|were|almost|nearly|already|used to|wonder"
        r"|wondered|would have|could have|have been|once) ?(?:going to|about to|thinking (?:about|of) (?:buying|"
        r"getting|ordering)|bought|have|had|own|got|ordered|if|whether|added)\b.*"
        r"|(?:i am |we are )?not (?:ready|checking|buying|ordering|paying|going to|convinced|there yet|decided|in a"
        r" hurry|interested)\b.*|what (?:if|happens|would happen|will happen) (?:if |when |after |once )?(?:i|we)\b"
        r"(?!.*\b(?:return|fit|like|cost|break|lose)\b).*"
        r"|(?:maybe|perhaps|probably) (?:i|we|two|one|later|not)\b.*|would (?:two|three|one|it|they|that) be (?:better|"
        r"good|enough|ok)\b.*|what would you do|(?:can|could|would|will) you (?:hold|reserve|keep|save|set) (?:it|them|"
        r"that|this|one|some)\b.*|i do not know(?: yet)?|i have no idea|no idea|not sure|i am not sure"
        r"|do not (?:touch|change|worry|bother)\b.*|(?:that|those|these|they|it|this) (?:all )?(?:looks?|sounds?|seems?)"
        r" (?:really |very |quite |pretty )?(?:good|nice|great|fine|ok|cool|interesting|expensive|cheap|reasonable)"
        r"(?: to me)?|(?:could|can) i (?:also |still )?(?:add|change|remove|buy|order|get|put).*\b(?:later|afterwards"
        r"|after that|another time|tomorrow)\b.*|interesting|i see|good to know|fair enough|got it|understood",
        (Talk("leave"),),
    ),
    (
        r"(?:hold on|hang on|wait|one moment|one sec|one second|a moment|give me a (?:sec|second|moment"
        r"|minute)|just a (?:sec|second|moment|minute)|let me see)(?: please| a (?:sec|second|moment"
        r"|minute|bit))?",
        (Talk("leave"),),
    ),
    # ---- orders and cart ---------------------------------------------------------------------
    (
        r"(?!.*\b(?:size|same (?:limit|budget|price|one|thing but))\b).*\b(?:same (?:again|as (?:last|before"
        r"|always|usual|the last|my last|i (?:had|ordered|bought))|order again|thing again|order as"
        r"|stuff (?:again|as))|the usual|my usual|reorder|re-order|order (?:it|that|the same) again"
        r"|repeat (?:my|the|that) (?:last )?order|again what i (?:had|ordered|bought)|what i (?:had|ordered|"
        r"bought|got) (?:last time|before|the last time)|buy (?:again|my last order again))\b.*",
        (SameAgain(),),
    ),
    (
        r"(?:where is|where are|has|have|when (?:does|will|do)|any news (?:on|of|about)|what about"
        r"|what happened (?:to|with)|track|i want to track|i am waiting for|i am still waiting for"
        r"|still waiting for|when is) (?:all )?(?:my|the) (?:stuff|things?|packages?|parcels?|goods"
        r"|orders?|delivery|purchases?|items)\b.*",
        (ShowOrders(),),
    ),
    (
        r"(?:and |so |ok )*(?:show me|what is|what was|what about|how is|status of|where is|the status of"
        r"|what is the status of|check|find|see|tell me about|can i see|can you find|i mean|is)?"
        r" ?(?:my|the|that|an) (?:last |latest |recent )?(?:orders?|purchases?) (?:from|of|that i (?:made|"
        r"placed|did)|i (?:made|placed|did)) (?:from )?(?:yesterday|today|last|this|the|monday|tuesday"
        r"|wednesday|thursday|friday|saturday|sunday|earlier|before|a|january|february|march|april"
        r"|may|june|july|august|september|october|november|december|\d).*",
        (ShowOrders(),),
    ),
    (
        r"i (?:ordered|bought) (?:it|them|something|that|this|stuff|things|these|those)\b.*"
        r"(?:yesterday|last|week|month|days?|ago|today|before|think).*",
        (ShowOrders(),),
    ),
    (
        r"(?:and |so )?(?:what is|what was|give me|tell me|i need|can i (?:have|get)) (?:the|its|my|that|your)"
        r" (?:order )?(?:number|id|order number|confirmation|confirmation number|reference)"
        r"(?: (?:again|please|of (?:it|that|the order|my order)))*|(?:the )?order (?:number|id)",
        (ShowOrders(),),
    ),
    (
        r"(?:and |so |ok |now |wait )*(?:what is|what else is|what)? ?(?:left|remaining|still (?:there|in"
        r" (?:there|it|my cart|the cart)))(?: in (?:there|it|my cart|the cart))?(?: now)?",
        (ShowCart(),),
    ),
    (
        r"(?:and |so |ok |now |what is |what |the |my |is |that |it |a |how much is |give me |tell me )*"
        r"(?:total|subtotal|sum|grand total|bill|in total|altogether|all together|totals)"
        r"(?: (?:now|so far|then|please|again|price|amount|cost|for (?:everything|all(?: of (?:it|them|this"
        r"))?|my cart|the cart)|of (?:my|the) cart|of (?:it|everything) all))*",
        (ShowCart(),),
    ),
    (
        r"(?:so |and |ok )*(?:what do i owe|how much do i owe|is (?:there )?(?:anything|something|it|that|everything|"
        r"the [a-z ]+) (?:already |still |now )?in (?:my|the|there) ?(?:cart)?(?: now| already)?|did you (?:already |"
        r"really |just )?(?:add|remove|put|take|delete) (?:it|that|them|the [a-z ]+)(?: out| in| to my cart)?|(?:what"
        r" is|what do i have|what have i got) in (?:there|it)(?: now| so far)?|show me what i (?:have|got|added"
        r"|chose)(?: so far| now)?|is (?:my|the) cart (?:empty|full|ok|right)|(?:show|see|check|view) (?:me )?"
        r"(?:everything|all) (?:in|i have in) (?:my|the) cart|did (?:it|that) work|has it been (?:added|removed)"
        r"|what (?:else )?(?:is|do i have) in (?:my|the) (?:cart|bag|order)(?: again| now| right now| already)?)",
        (ShowCart(),),
    ),
    (
        r"(?:and |so |ok |now )*how many (?:items?|things?|products?|articles?|pieces?|pairs?|of them|are"
        r" there|do i have|in total)\b(?: (?:are|do|is|have|in|my|the|cart|i|got|there|now|have|total"
        r"|altogether|already|so|far))*",
        (ShowCart(),),
    ),
    (
        r"(?:and |so |ok |but |just |only |now )*(?:the |my )?cart(?: (?:now|again|please|status|contents?"
        r"|total|check))*|(?:and |so |ok )*(?:what have i|what did i|what have we|what do i) "
        r"(?:got|added?|put|have|chosen|choose|picked?|select(?:ed)?)(?: (?:so far|now|in|there|already"
        r"|in (?:my|the) cart|up to now|until now))*",
        (ShowCart(),),
    ),
)  # fmt: skip

_COMPILED: Final = tuple((re.compile(pattern), intents) for pattern, intents in _SAYINGS)

_STRONG: Final = frozenset(
    """
    hola gracias quiero necesito busco tienes tienen hablas habla cuanto cuánto cuesta botas zapatos
    mochila buenos buenas dias espanol español ayuda comprar puedo donde dónde
    hallo danke bitte ich möchte moechte suche brauche haben sie wanderschuhe wanderstöcke rucksack
    zelt schlafsack guten sprechen deutsch kaufen habt kann gibt wieviel wie viel kostet
    bonjour salut merci je voudrais cherche parlez vous avez chaussures combien sac tente bonsoir
    francais français acheter est-ce veux besoin
    ciao grazie vorrei cerco scarponi avete quanto buongiorno parla italiano stivali zaino
    ola olá obrigado obrigada preciso quero voce você botas português
    goedendag ik zoek heeft wandelschoenen dank
    hej tak szukam dzien czesc привет здравствуйте
    """.split()  # noqa: SIM905
) - frozenset("wie viel sac tak rucksack kann dank est-ce hej sie gibt je".split())  # noqa: SIM905
_WEAK: Final = frozenset(
    """
    der die das und ein eine für fuer mit wie sie gibt viel kann nicht ist mir auf deutsch
    el la los las un una para con por que qué de mi y en es por favor
    le les un une pour avec et des du dans mon je vous est tu ma
    guten tag morgen abend il lo gli per che di una sono
    o os um uma com
    de het een voor met
    """.split()  # noqa: SIM905
)
_SPEAKS: Final = re.compile(
    r".*\b(?:speak|talk|understand|chat|answer|write|know|reply|in)\b.*\b(?:spanish|german|french|italian"
    r"|portuguese|dutch|polish|chinese|japanese|russian|arabic|turkish|korean|swedish|hindi"
    r"|other languages?|another language|different language|my language|(?:which|what) languages?)\b.*"
    r"|.*\b(?:which|what) languages?\b.*|(?:spanish|german|french|italian|deutsch|espanol|español"
    r"|francais|français)(?: please)?"
)
_FOREIGN_SHARE: Final = 0.4


def said(sentence: str) -> tuple[Intent, ...] | None:
    """Return what a whole sentence means by one of the patterns, None where none fits."""
    if speaks_otherwise(sentence):
        return (Talk("language"),)
    for pattern, intents in _COMPILED:
        if pattern.fullmatch(sentence):
            return intents
    return None


def speaks_otherwise(sentence: str) -> bool:
    """Tell whether a sentence is in another language than English, or asks for one."""
    if _SPEAKS.fullmatch(sentence):
        return True
    words = re.findall(r"[^\W\d_]+", sentence)
    if not words:
        return False
    letters = "".join(words)
    if sum(letter > "\u024f" for letter in letters) * 2 > len(letters):
        return True
    strong = sum(word in _STRONG for word in words)
    weak = sum(word in _WEAK for word in words)
    return (strong > 0 and strong + weak >= min(2, len(words))) or (
        weak >= 2 and weak >= _FOREIGN_SHARE * len(words)
    )
