"""What is said beside the shop, and of a delivery that does not come: whole sentences."""

from typing import Final

from daybook.demo.model.grammar.language.chat.sayings.table import Sayings
from daybook.demo.model.grammar.language.intents.goods import AskKinds, Pick, ShowList
from daybook.demo.model.grammar.language.intents.orders import CancelOrder, ShowOrders
from daybook.demo.model.grammar.language.intents.past import Advise, AskKnown
from daybook.demo.model.grammar.language.intents.references import Extreme
from daybook.demo.model.grammar.language.intents.talk import Refuse, Talk

TALK: Final[Sayings] = (
    (
        r"(?!.*\b(?:are you|am i|is this)\b).*\b(?:talk|speak|chat|connect|transfer|put|get|give"
        r"|want|need|call|phone|reach|contact|is there|like|message)\b.*\b(?:human|humans"
        r"|person(?! (?:tent|tents))|someone|somebody|agent|representative|rep|staff|manager"
        r"|customer service|customer support|customer care|supervisor|employee|real people|a "
        r"live)\b.*",
        (Talk("human"),),
    ),
    (
        r"(?:a |the |your )?(?:human|agent|representative|real person|customer service|customer "
        r"support"
        r"|support|operator|manager|phone number|helpline|hotline|live chat)(?: please| now)*"
        r"|.*\b(?:phone number|helpline|hotline|call you|email address of (?:your|the)|contact "
        r"you)\b.*",
        (Talk("human"),),
    ),
    (
        r"(?:.*\b)?(?:(?:no|not a|not the (?:slightest|faintest)) (?:idea|clue)|not sure"
        r"|do not (?:even"
        r" |really |honestly )*know|clueless|lost|can not tell)\b(?: \w+){0,3}? (?:where|how"
        r"|what) to"
        r" (?:even )?(?:start|begin|look for|get(?: first)?|pack|bring|take)\b.*"
        r"|(?:(?:so|and|ok|hi|well|help) )*(?:where|how) (?:do|should|would|can|shall) (?:i|we|one)"
        r" (?:even )?(?:start|begin)(?: (?:with (?:this|it|all (?:this|that|of it))|here|first"
        r"|then))*",
        (Advise(),),
    ),
    (
        r"(?:(?:and|so|but|because|please|,) )*(?:(?:(?:that|this|it) is (?:all|everything"
        r"|every (?:cent|penny)"
        r"|all the money|all of it)(?: that)? (?:i|we)(?: (?:both|all))? (?:have|have got|got"
        r"|can spend|can afford"
        r"|own|saved)(?: (?:left|got|to spend|together|for (?:it|this|now)))*)[ ,]*(?:and |so )?)?"
        r"(?:(?:please |do |just |kindly )*(?:watch|mind|respect|stick to|keep to|keep an eye on"
        r"|bear in mind"
        r"|be careful with|stay within|do not go over) (?:it|that|this|the (?:budget|limit|money"
        r"|price|total))"
        r"(?: (?:please|for (?:me|us)|closely|carefully|in mind))*)?",
        (Talk("told"),),
    ),
    (
        r"(?:(?:it|that|this|which|they|those|but|so|honestly|really) )*(?:(?:is|are) )?(?:not"
        r"|hardly"
        r"|barely)(?: \w+)? worth (?:it|that|(?:the|an?|another|extra|\$)? ?(?:\d+|extra|money"
        r"|price"
        r"|difference)(?: \w+){0,2})",
        (Talk("told"),),
    ),
    (
        r"(?:what is|how is|will|is) (?:the|it).*\b(?:weather|rain|snow|sunny)\b.*\b(?:today"
        r"|tomorrow|weekend|week|in)\b.*"
        r"|(?:what is|how is) the weather.*|.*\b(?:forecast|news|football|soccer|politics"
        r"|president|joke|poem|song|recipe"
        r"|capital of|meaning of life|translate|homework|lottery|horoscope|stock market|who won"
        r"|movie|film|hotel|hotels|flight|flights|restaurant|train|bus|pizza|dinner|lunch"
        r"|what time is it|what day is it|math|python|javascript|how old are you|marry me"
        r"|i love you|(?:your|the) favou?rite(?: (?:thing|item|product|one))?"
        r"|tell me a story|sing|square root|world cup|election)\b.*",
        (Talk("off topic"),),
    ),
    (
        r"(?!.*\b(?:add|put|cart|check ?out|remove|cancel|show|find)\b)(?:.*\b)?(?:need|have|got"
        r"|want|going|better|should|must|let me|i will)(?: to)? (?:go )?(?:ask|check with|talk to"
        r"|talk it over|speak to|discuss|sleep on|think (?:about|it over)|run it past|measure)\b"
        r"(?! you\b| for\b).*",
        (Talk("looking"),),
    ),
    (
        r"(?:(?:actually|no|ok|please|sorry|wait|oh|but|and|then|,) )*(?:do not|never)"
        r" (?:\w+ )?(?:send|mail|email|do|add|order|buy|cancel|change|remove|book|charge)"
        r" (?:anything|any of (?:it|that|them)|any (?:mail|order|thing))"
        r"(?: (?:yet|now|at all|please|then|for now))*",
        (Talk("leave"),),
    ),
    (
        r"(?:(?:ok|no|well|then|so|right|wait|just|please|,) )*(?:let me|i will|i would|i must)"
        r"(?: just| quickly)? (?:think|see|ponder|mull|have a think|think for a (?:bit|while|sec)"
        r"|sleep on it|check with \w+|ask \w+(?: \w+)?)(?: (?:first|a bit|a moment|a sec|a minute"
        r"|about it|it over|then|now|on it))*",
        (Talk("looking"),),
    ),
    (
        r"(?:(?:ok|no|well|then|so|hm|i think|right|actually|,) )*(?:neither|none)"
        r"(?: of (?:those|these|them|the|it))?(?: (?:two|three|four))?"
        r"(?: (?:then|thanks|thank you|for now|for me|please|i think|really|,))*",
        (Talk("leave"),),
    ),
    (
        r"(?:what is|how much is)? ?\d+ ?(?:\+|\*|plus|times|minus|divided by) ?\d+",
        (Talk("off topic"),),
    ),
    (
        r"(?!.*\b(?:tents?|bags?|boots?|shoes?|socks?|jackets?|coats?|packs?|backpacks?|headlamps?"
        r"|lamps?|stoves?|bottles?|flasks?|poles?|for|at|add|put|cart|it|them)\b)(?:.* )?(?:just"
        r"|only) (?:looking|browsing|having a (?:look|browse|nose|mooch))(?: (?:really|around|today"
        r"|for now|at the moment|mostly|honestly|right now|so far))*",
        (Talk("looking"),),
    ),
    (
        r"(?:(?:no|nothing|nope|i am|just|only|we are|ok|well|(?:not|never) (?:buying|ordering"
        r"|getting|shopping|after)(?: anything)?(?: (?:yet|today|now|anything))*|,) )*"
        r"(?:looking|browsing"
        r"|looking around|browsing around|(?:having|taking|want|had) a (?:quick |little |wee )?"
        r"(?:look|squiz|gander|nose|nosy|peek|browse|sticky ?beak|geez|butchers|shufti)"
        r"|seeing what (?:you have|there is)|window shopping)"
        r"(?: around| right now| now| for now| at the moment)?",
        (Talk("looking"),),
    ),
    (
        r"(?:well |man |god |omg )*(?:this|that|it|you|your (?:shop|service|site)|the (?:shop"
        r"|site|bot)) (?:really |just |all "
        r"|totally )?(?:sucks?|stinks?|are (?:useless|bad|stupid|terrible|no help)|is (?:useless"
        r"|bad|stupid|terrible"
        r"|awful|no help|a joke|ridiculous|annoying|too (?:complicated|hard|slow)|frustrating"
        r"|hopeless|rubbish|a waste"
        r" of time|not helping|not working|not what i (?:want|asked|meant|said).*))(?: .*)?",
        (Talk("trouble"),),
    ),
    (
        r"(?:what|huh|hm|sorry what|pardon|excuse me|say (?:that|it) again|come again|i beg "
        r"your pardon|what was that"
        r"|repeat (?:that|it)?|can you repeat (?:that|it)?|i do not (?:understand|get it|get you"
        r"|follow))",
        (Talk("why"),),
    ),
    (
        r"(?:hey |hi |so )*(?:what is up|how is it going|how do you do|(?:is )?(?:any ?one"
        r"|somebody|someone|anybody)"
        r" (?:there|here)|you there|are you (?:there|awake|online))(?: today| man)?",
        (Talk("greeting"),),
    ),
    (
        r"(?:oh |ok |very |all |how |so )*(?:good|great|nice|lovely|cool|wonderful|excellent"
        r"|brilliant"
        r"|splendid|super)",
        (),
    ),
    (
        r"(?:and |so |ok |but )*(?:what|which) size (?:am i|do i (?:wear|take|have|need)"
        r"|(?:do|did) (?:you|i) (?:have|got|save|note|tell you|keep)(?: saved| noted| stored"
        r"| on file)?(?: (?:for|of|about) me)?|have you (?:got|saved|noted)(?: for me)?)"
        r"(?: again| then| now)*",
        (AskKnown(("size",)),),
    ),
    (r"(?:and |ok |oh )*(?:just )?one (?:more|last|other) (?:thing|question)", ()),
    (r"(?:and |ok |then |so )*(?:have|enjoy) (?:a |the |your )?(?:\w+ )?"
     r"(?:day|weekend|evening|night|time|trip|one|fun)(?: too)?", (Talk("bye"),)),
    (r"(?:and |ok |oh )*take (?:it easy|care(?: of yourself)?)(?: then| now)*", (Talk("bye"),)),
    (
        r"(?:oh |ok |no |well |sorry |actually |hm |wait | |,)*(?:i (?:have )?(?:just )?changed my"
        r" mind (?:about"
        r"|on|regarding) (?:the|my|that|this) (?:last |latest )?(?:order|purchase)"
        r"|i do not (?:want|need) (?:the|my|that|this) (?:last |latest )?(?:order|purchase)"
        r"(?: any ?more| after all| now)?|(?:the|my|that) order was a mistake"
        r"|i (?:should not have|did not mean to) (?:ordered?|bought|buy|order) (?:it|that|them"
        r"|this))",
        (CancelOrder(),),
    ),
    (r"(?:oh |ok |no |well |please |nah |nope )*(?:forget (?:it|that|about it)"
     r"|leave it(?: be| there| at that)?)(?: then| for now| thanks)*", (Refuse(),)),
    (
        r"(?:no|nope|wait|stop|oh|actually|please|sorry|hey|ok| |,)*(?:do not|never|better not)"
        r" (?:send|mail|email|e-mail|forward)(?: (?:it|that|this|them|anything|me anything"
        r"|the (?:mail|email)|me (?:any )?(?:mails?|emails?)))?\b(?!.*\b(?:but|instead|only"
        r"|just)\b).*"
        r"|no (?:e-?)?mails?(?: please| thanks)?",
        (Talk("leave"),),
    ),
    (
        r"(?:what is new|what is on offer|(?:show|give) me (?:everything|all)(?: you have| you "
        r"sell)?|what (?:have you"
        r" got|can i buy|products do you have|all do you have)(?: here)?|(?:what|which) "
        r"(?:brands|categories|products"
        r"|things|stuff|gear|equipment) (?:do you|are)\b.*)",
        (AskKinds(),),
    ),
    (
        r"(?:and |so |ok )*(?:is|has) (?:my|the) (?:order|package|parcel|stuff) (?:on (?:its"
        r"|the) way|late|delayed|lost|"
        r"shipped|coming|there|ready|still .*|been .*|out for .*|arrived|delivered|sent)(?: yet"
        r"| already| now)?"
        r"|(?:my|the) (?:order|package|parcel) (?:is (?:late|missing|lost|delayed|not here)|has "
        r"not|never|did not)\b.*"
        r"|i (?:have not|did not|never) (?:received|got|get|receive)\b.*"
        r"|(?:show me |what was |what is |about |see |tell me about )?(?:my|the|that) (?:last"
        r"|latest|previous|recent)"
        r" (?:order|purchase)|(?:show me |see |check )?that order(?: again)?|which (?:card"
        r"|address) (?:did you|was|will you)"
        r" (?:charge[d]?|use[d]?|sen[dt] .*)",
        (ShowOrders(),),
    ),
    (
        r"(?:(?:and|so|but|ok|then|please|no) )*(?:show|list|give|see|what were|what are"
        r"|let me see) (?:me )?the (?:others|rest|other ones|other two|list) again(?: please)?",
        (ShowList(),),
    ),
    (
        r"(?:(?:and|so|but|ok|then) )*(?:is )?(?:it|that|the order|my order) (?:is )?still"
        r" (?:on (?:its|it is|the) way|coming|placed|going ahead|standing|on)"
        r"(?: ,? ?(?:right|correct|yes|then|is it))*",
        (ShowOrders(),),
    ),
    (
        r"(?:(?:ok|but|just|please|so|no|and|then|can you|could you) )*(?:tell me|say|pick|choose"
        r"|name) (?:me )?(?:which|just) one(?: (?:to|i should|should i) (?:take|buy|get|choose))?",
        (Pick(Extreme("best")),),
    ),
    (r"(?:please )?refund (?:me|it|that|my money|please)|i want to cancel (?:it|that|the order)"
     r"|give me (?:my money|a refund|my money back)(?: back)?",
     (CancelOrder(),)),
    (r"i (?:never|did not) (?:said|say|asked|ask|wanted|meant|mean)\b(?!.*\b(?:remove|take"
     r"|delete|rid)\b).*",
     (Talk("trouble"),)),
    (
        r"(?:(?:ok|oh|wow|aww?|honestly|and) )*you (?:guys |really )*(?:rock|(?:are|were)(?: (?:the"
        r"|a|an|so|really|very|such|absolute|too))* (?:best|star|legend|great|amazing|helpful"
        r"|awesome|kind|lifesaver|angel|sweet|brilliant|wonderful))(?: (?:help|ever|indeed"
        r"|today))*",
        (Talk("pleased"),),
    ),
    (r"(?:but )?(?:why|why not|how come|why is that|for what reason|what do you mean)",
     (Talk("why"),)),
)  # fmt: skip
