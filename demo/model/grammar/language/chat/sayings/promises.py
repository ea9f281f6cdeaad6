"""What is asked of the shop by what happens, whichever words of another topic stand there."""

from typing import Final

from daybook.demo.model.grammar.language.chat.sayings.table import Sayings
from daybook.demo.model.grammar.language.intents.orders import AskPolicy

_BREAKS: Final = (
    r"(?:breaks?|broke|broken|leaks?|leaking|dies|die|fails?|rips?|tears?|snaps?|cracks?|bursts?"
    r"|falls? apart|stops? working|goes wrong|gives? (?:up|out)|wears? out|comes? apart|goes)"
)
_LATER: Final = (
    r"(?:after|within|in|before|inside) (?:a|an|one|two|three|six|\d+|the first|a few|a couple of"
    r"|half a|some)"
    r" ?(?:\w+ )?(?:days?|weeks?|months?|years?|trips?|uses?|seasons?|winters?)"
)
_SUPPOSES: Final = (
    r"(?:what|if|when|happens?|cover\w*|suppose|in case|warrant\w*|guarantee\w*|do you|will you)"
)
_WANTS: Final = r"(?:need|want|looking|show|find|mine|old|last|got|had|anything|something)"
_BACK: Final = r"(?:send|sent|sending|give|take|ship|bring|post|mail)(?: \w+){0,3}? back"
_PERSON: Final = (
    r"(?:(?:my|our|his|her|their|a|the) (?:\w+ ){0,2}?(?:son|daughter|grandson|granddaughter"
    r"|nephew|niece|brother|sister|mum|mom|mother|dad|father|wife|husband|friend|friends|parents"
    r"|house|place|flat|office|work|cabin|address|hotel|home|uncle|aunt|cousin|school|neighbou?r)"
    r"|someone|somebody|another)"
)

PROMISES: Final[Sayings] = (
    (
        r"(?:so |hi |hello |hey |and |well |, )*(?:i|we|he|she|my \w+) (?:had |have )?(?:bought"
        r"|ordered|got|purchased) .*\b(?:from (?:you|here|your)|off you|last (?:week|month|year"
        r"|spring"
        r"|summer|autumn|winter)|ago|recently)\b.*\b(?:snapped|broke|broken|tore|torn|ripped|split"
        r"|cracked|leaks?|leaking|stopped working|fell apart|came apart|died|burst|bent|gone"
        r"|failed)"
        r"\b.*",
        (AskPolicy("warranty"),),
    ),
    (
        r"(?:so |and |ok |but )*(?:is|would|will|are) (?:that|it|this|they|those)(?: be)?"
        r" (?:still )?"
        r"(?:covered|under (?:warranty|guarantee))(?: (?:then|by .*|under .*))?",
        (AskPolicy("warranty"),),
    ),
    (
        rf"(?!.*\b{_WANTS}\b)(?=.*\b{_SUPPOSES}\b)"
        rf"(?:.*\b{_BREAKS}\b.*\b{_LATER}\b.*|.*\b{_LATER}\b.*\b{_BREAKS}\b.*)",
        (AskPolicy("warranty"),),
    ),
    (
        rf"(?:.* )?(?:who|do i|do you|is|are|how|what|can|free)\b.*\b(?:postage|label|shipping"
        rf"|pays?|cost|costs|charge)\b.*\b(?:{_BACK}|returns?|returning|sending (?:\w+ )*back)\b.*"
        rf"|.*\b(?:{_BACK}|returns?|returning)\b.*\b(?:who|do i|is it|are they|does it|what)\b.*"
        r"\b(?:postage|label|shipping|pays?|cost|costs|free|charge)\b.*"
        r"|(?:is the |do i get a |a )?(?:free|prepaid|return|returns) label\b.*",
        (AskPolicy("returns"),),
    ),
    (
        r"(?:and |so |but |ok )*(?:how (?:long|soon|fast|quickly)|when|how many days)\b.*\b(?:money"
        r" back|refund(?:s|ed)?|my money|reimburse\w*)\b.*",
        (AskPolicy("returns"),),
    ),
    (
        r"(?:.* )?(?:is there|do you have|have you|any|a|what is the|whats the)?(?: a| any| the)?"
        r" ?(?:min(?:imum)?|least|smallest) (?:order|spend|purchase|amount|basket|cart|value)"
        r"(?: \w+){0,3}",
        (AskPolicy("shipping"),),
    ),
    (
        r"(?:and |so |but |ok )*(?:when|at what point|how soon|what day)\b.*\b(?:charged?|charging"
        r"|debit\w*|billed?|taken?|taking|come out|leave|leaves)\b.*\b(?:card|money|account|me|bank"
        r"|payment|it)\b.*|(?:and |so |but |ok )*(?:when|at what point)\b.*\b(?:card|account|money"
        r"|i)\b.*\b(?:charged|debited|billed|taken)\b.*",
        (AskPolicy("payment"),),
    ),
    (
        r".*\bmy (?:\w+ )?(?:card|bank|account)(?:'s| is) (?:a |an |from |in |with )?(?:canadian"
        r"|british|european|german|french|foreign|australian|mexican|english|swiss|canada"
        r"|europe|germany"
        r"|france|england|the uk|australia|another country|euros?|pounds?|sterling)\b.*",
        (AskPolicy("currency"),),
    ),
    (
        r"(?!.*\b(?:total|cart|altogether|sum|how much)\b)(?:.* )?(?:do|does|is|are|will|with|plus"
        r"|any|what about|how about|have you)\b.*\b(?:tax|taxes|vat|gst|duty|duties|customs)\b.*",
        (AskPolicy("currency"),),
    ),
    (
        r"(?:.* )?(?:can|could|will|would|does|do) (?:it|they|that|this|you|the parcel|everything"
        r"|we|i)(?: \w+){0,3}? ?(?:go|be sent|be shipped|be delivered|ship|send|deliver|post|come"
        rf"|have)(?: it| them| this| that| everything)?(?: sent| shipped| delivered)?"
        rf"(?: (?:straight|directly|direct|right|on))? (?:to|at) {_PERSON}\b.*",
        (AskPolicy("shipping"),),
    ),
    (
        r".*\b(?:do|can|could|is|are|have|would) (?:you|there|it|i|they|we)\b[^.]*\b"
        r"(?:(?:faster|quicker) (?:than (?:ordinary|normal|standard|regular|usual)|post|mail"
        r"|shipping|delivery|option)"
        r"|express|courier|next[- ]day|overnight(?! (?:packs?|backpacks?|bags?|rucksacks?"
        r"|hik\w+|trips?|walks?|stay|camp\w*|tour|trek\w*))|rush"
        r"|priority|expedited)\b.*",
        (AskPolicy("shipping"),),
    ),
)
