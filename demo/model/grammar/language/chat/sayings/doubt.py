"""What asks how, asks for advice, or holds back: whole sentences by which nothing is done."""

from typing import Final

from daybook.demo.model.grammar.language.chat.sayings.table import Sayings
from daybook.demo.model.grammar.language.intents.cart import Doubtful
from daybook.demo.model.grammar.language.intents.orders import AskPolicy, OrderNews
from daybook.demo.model.grammar.language.intents.talk import Talk

DOUBT: Final[Sayings] = (
    (
        r"(?:and |so |ok |now |then )*what (?:happens|comes|is)? ?(?:next|now|then)"
        r"(?: what happens next)?|(?:and )?what happens (?:with|to) it now",
        (OrderNews(), AskPolicy("shipping")),
    ),
    (
        r"(?:please |ok |and |so |hey |hi )*(?:do not|never|stop) (?:save|saving|store|storing"
        r"|remember|remembering|keep|keeping|note|noting|record|track|tracking) (?:anything|things"
        r"|stuff|any ?thing|data|notes|any of (?:this|that)) (?:about|on|of) me(?: (?:ok|okay"
        r"|please|thanks|at all|again))*",
        (Talk("leave"),),
    ),
    (
        r"(?:so |but |and |ok )*(?:should|shall) (?:i|we) (?:really |also |just |then )?(?:buy"
        r"|take|get|add|remove|drop|keep|have|pay|order|go for|choose|pick|wait)\b.*"
        r"|(?:so |but |and |ok )*would you (?:buy|take|get|order|wear|use|recommend) (?:it|them"
        r"|this"
        r"|that|these|those)\b.*|(?:do|would) you (?:think|say|recommend|reckon) (?:that )?(?:i"
        r"|we) (?:should|need|could|can)\b"
        r".*|(?:is|are) (?:it|they|this|that|these|those) (?:really |actually )?"
        r"(?:worth it|worth the money|a good (?:deal|buy|choice|price))",
        (Talk("advice"),),
    ),
    (
        r"(?:so |but |and |ok |hm )*(?:would|will|does|do) (?:it|that|this|they|\d{1,2}|two|three"
        r"|four|five|six|more|both|another(?: one)?|a second(?: one)?|one)(?: of (?:them|those"
        r"|it))? (?:(?:really|even|still|just) )*(?:make (?:more |any )?sense|be (?:wise|sensible"
        r"|overkill|silly|daft|smart|(?:too|so) (?:many|much)|better|greedy|wiser|smarter"
        r"|a waste))\b.*",
        (Talk("advice"),),
    ),
    (
        r"(?:so |but |and |ok |wait )*how (?:do|can|would|should|could|does) (?:i|we|one|you)"
        r" (?:check out|checkout|buy|order|purchase|place|finish|complete)\b.*|how does (?:checkout"
        r"|check out|checking out|ordering|buying|this shop|it) work|what (?:do i|must i|should i)"
        r" (?:do|say) to (?:buy|order|check out|pay)\b.*"
        r"|(?:and |so |ok )*what happens (?:if|when|after|once) i (?:say |type |press |click "
        r"|do )?(?:buy"
        r"|order|check out|pay|yes|purchase|approve|confirm)\b.*"
        r"|(?:and |so |ok |but )*(?:will|do|would) you (?:still )?(?:ask|warn|check with"
        r"|show) me\b.*",
        (Talk("how to buy"),),
    ),
    (
        r"(?:so |but |and |ok )*how (?:do|can|would|should|could) (?:i|we|one) (?:add|put|remove"
        r"|delete"
        r"|change|take|edit)\b.*",
        (Talk("how to add"),),
    ),
    (
        r"(?:(?:ok|well|no|hm+|then|actually|maybe|sorry) )*(?:i (?:think|guess|believe) )?"
        r"(?:i|we)(?: will| would|)(?: rather| better| just)? (?:leave (?:it|that|this)(?: be| at"
        r" that| for now| then)?|pass|skip it|give it a miss|think about it|think it over"
        r"|sleep on it"
        r"|(?:pay|buy|order|decide|come back|do it|do that|check out|finish|see)(?: for (?:it|them"
        r"|that))?(?: (?:it|that|them))? (?:tomorrow|later|some other time|another (?:day|time)"
        r"|tonight|next \w+|when .*|after .*|on \w+day))(?: .*)?",
        (Talk("leave"),),
    ),
    (
        r"(?:so |but |and |ok )*(?:can|could|may) i still cancel\b.*"
        r"|(?:can|could|may) i cancel(?: again| still| at all)?",
        (Talk("how to cancel"),),
    ),
    (
        r"(?:so |but |and |ok )*(?:how (?:do|can|would|should|could) (?:i|we|one) cancel\b.*"
        r"|(?:can|could)"
        r" i (?:still )?cancel (?:it |that |the order |my order |an order )?(?:later|afterwards"
        r"|after"
        r"|if|once)\b.*|is it possible to cancel\b.*)",
        (AskPolicy("returns"), Talk("how to cancel")),
    ),
    (
        r"(?:so |but |and |ok )*(?:can|could|may|am) i (?:still |also |always |able to"
        r" )*(?:change|edit"
        r"|alter|adjust|amend|add to|add more|swap|remove)\b.*\b(?:later|afterwards|after|tomorrow"
        r"|before i (?:pay|order|buy|check out))\b.*",
        (Talk("how to change"),),
    ),
    (
        r"(?:please |just |but |and |ok |so )*do not (?:add|buy|order|take|put|purchase|get|send"
        r"|remove"
        r"|delete|cancel|do|check out|charge|place)\b[^,]*(?:, (?:yet|please|i|still|just a|not"
        r"|thanks).*)?"
        r"|(?:i am )?not (?:yet|now|today|sure yet)"
        r"|not (?:yet|now)[ ,].*",
        (Talk("leave"),),
    ),
    (
        r"(?:well |ok |so |and |but )*(?:i |we )(?:might|may|could) (?:just |maybe |perhaps "
        r")?(?:buy|take|get"
        r"|order|add|want|come|do)\b.*"
        r"|(?:maybe|perhaps|possibly) (?:later|tomorrow|next|another time|some other).*"
        r"|(?:i will|let me|i have to|i need to|i must|i should|we will) (?:just |still |better )?"
        r"(?:think|sleep|decide|wait|ask my|talk to my|check with|come back|have a think|consider"
        r"|see first|look around)\b.*"
        r"|(?:i am )?(?:still )?(?:thinking|deciding|undecided|unsure|torn|hesitating"
        r"|considering)\b.*"
        r"|i am (?:really |still |just )?not (?:so |too |really |quite )?(?:sure|convinced"
        r"|certain)\b"
        r"(?! what| which).*"
        r"|(?:can|could|would|will) you .*\b(?:later|tomorrow|next week|some other time)\b.*"
        r"|(?:add|buy|order|get|take|check out|pay|check)\b.*\b(?:later|tomorrow|next week)\b.*"
        r"|(?:i will|i would) (?:probably|maybe|perhaps)\b.*",
        (Talk("leave"),),
    ),
    (
        r"(?:well |ok |so |and |but |though |actually )*(?:i |we )(?:was|were|almost|nearly"
        r"|already|used to|wonder"
        r"|wondered|would have|could have|have been|once) ?(?:going to|about to|thinking "
        r"(?:about|of) (?:buying|"
        r"getting|ordering)|bought|have|had|own|got|ordered|if|whether|added)\b.*"
        r"|(?:i am |we are )?not (?:ready|checking|buying|ordering|paying|going to|convinced"
        r"|there yet|decided|in a"
        r" hurry|interested)\b.*|what (?:if|happens|would happen|will happen) (?:if |when "
        r"|after |once )?(?:i|we)\b"
        r"(?!.*\b(?:return|fit|like|cost|break|lose|when would|when will|how long)\b).*"
        r"|(?:maybe|perhaps|probably) (?:i|we|two|one|later|not)\b.*|would (?:two|three|one|it"
        r"|they|that) be (?:better|"
        r"good|enough|ok)\b.*|what would you do|(?:can|could|would|will) you (?:hold|reserve"
        r"|keep|save|set) (?:it|them|"
        r"that|this|one|some|two|three|\d{1,2}|a pair)\b.*|(?:(?:can|could|would|will) you "
        r"(?:please )?|please )?(?:(?:put|add|save|move) .+ (?:aside|on hold|(?:on|onto|to|in) (?:a"
        r"|my|the) (?:wish ?list|waiting list|favou?rites))\b.*|reserve .+)|i do not know(?: yet)?"
        r"|i have no idea|no idea|not sure|i am "
        r"not sure"
        r"|do not (?:touch|change|worry|bother)\b.*|(?:that|those|these|they|it|this) (?:all "
        r")?(?:looks?|sounds?|seems?)"
        r" (?:really |very |quite |pretty )?(?:good|nice|great|fine|ok|cool|interesting"
        r"|expensive|cheap|reasonable)"
        r"(?: to me)?|(?:could|can) i (?:also |still )?(?:add|change|remove|buy|order|get"
        r"|put).*\b(?:later|afterwards"
        r"|after that|another time|tomorrow)\b.*|interesting|i see"
        r"|good to know|fair enough|got "
        r"it|understood|(?:that is |it is |all )clear(?: enough)?|clear enough",
        (Talk("leave"),),
    ),
    (
        r"(?:no |nah |ok |just |please |well |then |but |actually |never mind )*(?:leave|keep) "
        r"(?:it|that|this|things|everything|all|my cart|the cart)(?: all)? (?:as (?:it|they) "
        r"(?:is|was|are|were)|as is|(?:like|how|the way) (?:it|they) (?:is|are|was|were)"
        r"|like (?:that|this)|alone|be|unchanged|(?:that|this) way)"
        r"(?: (?:then|please|for now|thanks))*"
        r"|(?:(?:it|that|everything|all|they|this|my cart|the cart)(?: is| are)? )?(?:fine|good|ok"
        r"|okay|perfect|great|right|all right) (?:as (?:it|they) (?:is|are)|as is"
        r"|like (?:that|this)"
        r"|the way (?:it|they) (?:is|are))(?: (?:then|please|for now|thanks))*",
        (Talk("leave"),),
    ),
    (
        r"(?:(?:hold on|hang on|wait|give me|just|please|for) )*(?:one|a|two|\d{1,2}) (?:moments?"
        r"|secs?|seconds?|minutes?|bit)(?: please)?"
        r"|(?:hold on|hang on|wait|let me see)(?: please)?",
        (Talk("leave"),),
    ),
    (
        r"(?:(?:ok|so|now|then|please|just|and|well|,) )*check (?:it|this|that|them|these) out"
        r"(?: (?:please|now|then|for me|mate|thanks))*",
        (Doubtful("buy"),),
    ),
)  # fmt: skip
