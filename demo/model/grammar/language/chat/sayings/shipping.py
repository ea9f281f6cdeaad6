"""How and when what is bought comes: whole sentences."""

from typing import Final

from daybook.demo.model.grammar.language.chat.sayings.table import ASKS, Sayings
from daybook.demo.model.grammar.language.intents.cart import ShowCart
from daybook.demo.model.grammar.language.intents.orders import AskPolicy, OrderNews
from daybook.demo.model.grammar.language.intents.talk import Talk

_LANDS: Final = (
    r"(?:canada|europe|germany|france|spain|italy|england|ireland|scotland|australia|mexico|japan"
    r"|the uk|uk|the eu|eu|the us|the usa|usa|us|hawaii|alaska|puerto rico|abroad|overseas|brazil"
    r"|austria|switzerland|netherlands|sweden|norway|india|china|new zealand|internationally"
    r"|another country|other countries|my country|worldwide|po box(?:es)?|a po box)"
)

_A_DAY: Final = (
    r"(?:the )?(?:\d\w*|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|mon|tue|wed|thu|fri|sat|sun"
    r"|weekend|tomorrow|tonight|today|noon|morning|evening|christmas|xmas|easter|thanksgiving"
    r"|halloween|new year|holidays?|january|february|march|april|may|june|july|august|september"
    r"|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec"
    r"|end|start|beginning|middle|next|this|then|first of|my|our|his|her|their|the trip)"
)

ASKED: Final[Sayings] = (
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
)  # fmt: skip
"""A purchase that is asked about, not done."""

SHIPPING: Final[Sayings] = (
    (
        r".*\b(?:total|how much|cart|everything|price|cost)\b.*\b(?:incl|including|included|with"
        r"|plus"
        r"|and|inc)\b.*\b(?:shipping|delivery|postage|tax|taxes)\b.*",
        (ShowCart(), AskPolicy("shipping")),
    ),
    (
        rf"{ASKS}\b.*\b(?:ship|ships|shipped|shipping|deliver|delivers|delivered|delivery|postage"
        rf"|courier|post it|send) .*\b(?:to )?{_LANDS}\b.*",
        (AskPolicy("shipping"),),
    ),
    (
        r"(?:and |so |ok |but )*(?:can|could|will|would) (?:it|they|that|this|everything|you)"
        r"(?: all| also| please)* (?:go|be (?:sent|shipped|delivered)|ship|send|deliver)"
        r"(?: it| them| this| that| everything)? to (?:my|our|his|her|a|an|another|someone)\b"
        r"(?! (?:email|mail|inbox|cart|bag)\b).*",
        (AskPolicy("shipping"),),
    ),
    (rf"(?:and )?(?:what about|how about|also)? ?(?:to|in) {_LANDS}", (AskPolicy("shipping"),)),
    (
        r"(?!.*\b(?:my (?:last |latest )?(?:order|package|parcel)|db-\d+)\b)"
        rf"{ASKS}\b.*\b(?:shipping|delivery|delivered|postage|ship|ships|courier|express"
        r"|overnight(?! (?:packs?|backpacks?|bags?|rucksacks?|hik\w+|trips?|walks?|stay|camp\w*"
        r"|tour|trek\w*))|next day|pick ?up|pickup"
        r"|collect (?:it|them) (?:in|at|from))\b.*",
        (AskPolicy("shipping"),),
    ),
    (
        r"(?:and |so |ok |but )*(?:can|could|will|would|does|do|when|how).*\b(?:parcels?|packages?"
        r"|order|it|they|things)\b.*\b(?:get|reach|arrive|come|be|make it)\b.*\b(?:before|by|until"
        r"|in time)\b.*",
        (AskPolicy("shipping"),),
    ),
    (
        r"(?:can|could|will|would|may|do|is|when|if|how).*\b(?:get|have|receive|need|arrive|here"
        r"|come|delivered|be) "
        r"?(?:it|them|that|this|everything|my order|one|there|here)?(?: here| there| "
        r"delivered)? ?(?:by|before|until"
        r"|in time for|on) (?:the )?(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday"
        r"|weekend|tomorrow"
        r"|tonight|today|christmas|next week|the end|\w+ \d+|\d+).*",
        (AskPolicy("shipping"),),
    ),
    (
        r"(?:and |so |ok |but |oh |also |cause |because )*(?:i |we )?(?:really |just |would |do )?"
        r"(?:need|want|like|must have|have to have|have got to have|got to have|gotta have)(?: to"
        r" (?:have|get|receive))? (?:it|them|this|that|these|those|everything|all of it"
        r"|all of them|my order|the (?:order|parcel|package|stuff|things|lot))(?: all)?"
        r"(?: here| there| home| delivered| to arrive| to be here| in my hands?)?,? (?:in time for"
        rf" .*|(?:by|before|until|till|no later than|not later than) {_A_DAY}\b.*)",
        (AskPolicy("shipping"),),
    ),
    (
        r"(?:and |so |ok |but )*(?:(?:do you|have you) (?:guys )?(?:have|own|run|got) (?:a |any"
        r" )?(?:real"
        r" |physical |actual )?(?:store|shop|shops|stores|showroom|branch|branches)(?: .*)?"
        r"|where (?:are you|is (?:your|the) (?:store|shop))(?: located| based)?"
        r"|(?:what are )?(?:your |the )?(?:opening|business|store|shop|working) (?:hours"
        r"|times)(?: .*)?"
        r"|(?:when|what time|until when|till when) (?:do|are|does) (?:you|u|the (?:shop|store))"
        r" (?:open"
        r"|close|shut)\b.*|are you (?:open|closed)\b.*|(?:do you|is there) (?:have )?(?:a"
        r" )?(?:phone"
        r"|telephone|hotline)(?: number)?.*|(?:what is )?your (?:phone|telephone)(?: number)?)",
        (Talk("premises"), AskPolicy("shipping")),
    ),
    (
        r".*\b(?:gdpr|privacy|personal (?:data|information|details)|data protection|cookies)\b.*"
        r"|(?:do|will|would|are) you (?:sell|selling|share|sharing|give|track|tracking|spy|spying"
        r"|send me spam|spam)\b.*(?:data|details|information|me|address|number|spam).*",
        (Talk("privacy"),),
    ),
    (
        r"(?:where do you ship from|(?:can|could) i (?:pick|collect|come|visit|try)\b.*|pick "
        r"?up(?: possible)?"
        r"|(?:international|worldwide|express|overnight|next day|same day|standard|priority)"
        r"(?: shipping| delivery| possible| available)*|do you (?:ship|deliver|send)\b.*"
        r"|(?:what|which) (?:carrier|courier|delivery company|shipping options)\b.*|ups|fedex"
        r"|dhl|tracking number"
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
        r"(?:and |so |but )?how (?:fast|quick|quickly|soon) (?:is it|are you|will|would|can|do"
        r"|does|is|could"
        r"|are)\b.*",
        (AskPolicy("shipping"),),
    ),
    (
        r"(?!.*\b(?:boil|dry|dries|charge|recharge|heat|cook|pitch|set up|put up|wear|fill|warm"
        r"|inflate|burn|fold|pack|filter|clean|wash)\b)"
        r"(?:and |so |ok |but )?(?:how long (?:does|will|would|do|until|till|before|is the)"
        r"|when (?:will|"
        r"would|do|does|can|should|is|are)) (?:it|they|that|this|i|we|the order|my order|my stuff"
        r"|everything|the [a-z]+|my [a-z]+|you)\b.*\b(?:take|arrive|come|get here|be here|get it"
        r"|get them|get there|receive|expect|delivered|shipped|due|ship|deliver|get my|have it"
        r"|have them|here)\b.*",
        (AskPolicy("shipping"),),
    ),
    (r"(?:and )?how long (?:does|will|would) (?:it|that|this) (?:usually |normally |all )?take",
     (AskPolicy("shipping"),)),
)  # fmt: skip
