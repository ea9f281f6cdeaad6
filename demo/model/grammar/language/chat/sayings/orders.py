"""Orders and the cart that are asked for: whole sentences."""

from typing import Final

from daybook.demo.model.grammar.language.chat.sayings.table import Sayings
from daybook.demo.model.grammar.language.intents.cart import ShowCart
from daybook.demo.model.grammar.language.intents.orders import (
    OrderNews,
    SameAgain,
    ShowOrders,
    ShowProfile,
)

ORDERS: Final[Sayings] = (
    (
        r"(?:and |so |ok |but |now )*(?:(?:what|which|anything|is anything|how much)(?: \w+)?"
        r" (?:is |are )?still (?:coming|to come|on (?:its|the) way|open|outstanding|due|placed)"
        r"|(?:on |at )?(?:which|what) (?:date|day|time)\b.*\b(?:placed|order(?:ed)?|bought|buy"
        r"|purchased?)\b.*|when (?:was|did) (?:it|that|my order|the order|i)(?: \w+)?"
        r" (?:placed|order(?:ed)?|bought|buy)\b.*|(?:my|the|any|all my|all) purchases?"
        r"(?: so far| please)*)",
        (ShowOrders(),),
    ),
    (
        r"(?:so |but |hey |wait )*(?:you|i|my card) (?:did not|have not|has not|was not|were not)"
        r"(?: been)?(?: yet)? charged?\b.*|(?:did|have) you (?:already )?charged? me\b.*"
        r"|(?:so |but |hey |wait )*(?:you (?:have )?(?:already|just) charged me|i (?:have"
        r" )?already paid"
        r"|my card (?:was|has been) charged)\b.*",
        (OrderNews(),),
    ),
    (
        r"(?!.*\b(?:tell|show|remind|what did|read|size|same (?:limit|budget|price|one"
        r"|thing but))\b).*\b(?:same (?:again|as "
        r"(?:last|before"
        r"|always|usual|the last|my last|i (?:had|ordered|bought))|order again|thing again|order as"
        r"|stuff (?:again|as))|the usual|my usual|reorder|re-order|order (?:it|that|the same) again"
        r"|repeat (?:my|the|that) (?:last )?order|again what i (?:had|ordered|bought)|what i "
        r"(?:had|ordered|"
        r"bought|got) (?:last time|before|the last time)|buy (?:again|my last order again))\b.*",
        (SameAgain(),),
    ),
    (
        r"(?:so |and |ok |but |well |wait |hang on )*i (?:never|did not)(?: (?:actually|really|even"
        r"|ever))* (?:buy|bought|order|ordered|purchased?|place|placed|pay for|paid for)\b.*"
        r"\b(?:last|ago|yesterday|week|month|before|back then|earlier)\b.*",
        (ShowOrders(),),
    ),
    (
        r"(?:where is|where are|has|have|when (?:does|will|do)|any news (?:on|of|about)|what about"
        r"|what happened (?:to|with)|track|i want to track|i am waiting for|i am still waiting for"
        r"|still waiting for|when is) (?:all )?(?:my|the) (?:stuff|things?|packages?|parcels?|goods"
        r"|orders?|delivery|purchases?|items)\b.*",
        (ShowOrders(),),
    ),
    (
        r"(?:and |so |ok )*(?:show me|what is|what was|what about|how is|status of|where is|the "
        r"status of"
        r"|what is the status of|check|find|see|tell me about|can i see|can you find|i mean|is)?"
        r" ?(?:my|the|that|an) (?:last |latest |recent )?(?:orders?|purchases?) (?:from|of|that "
        r"i (?:made|"
        r"placed|did)|i (?:made|placed|did)) (?:from )?(?:yesterday|today|last|this|the|monday"
        r"|tuesday"
        r"|wednesday|thursday|friday|saturday|sunday|earlier|before|a|january|february|march|april"
        r"|may|june|july|august|september|october|november|december|\d).*",
        (ShowOrders(),),
    ),
    (
        r"(?:.* )?(?:under|in|on|with|by) (?:her|his|their|another|a different|my \w+(?: \w+)?)"
        r" (?:name|account|login)\b.*|.*\bmy \w+ (?:has |had )?(?:paid|ordered|bought)"
        r" (?:for )?(?:it|them|that|this)\b.*",
        (ShowOrders(),),
    ),
    (
        r"i (?:ordered|bought) (?:it|them|something|that|this|stuff|things|these|those)\b.*"
        r"(?:yesterday|last|week|month|days?|ago|today|before|think).*",
        (ShowOrders(),),
    ),
    (
        r"(?:but |and |well |hm |are you sure )*i (?:really |just )?(?:thought|think|believe|am"
        r" (?:quite |pretty )?sure|swear|could swear) (?:that )?i (?:had |have |already |just )*"
        r"(?:ordered|bought|placed|purchased|paid)\b.*",
        (ShowOrders(),),
    ),
    (
        r"(?:so |ok |and |then |wait )*(?:that|it|this)(?: all| then)? "
        r"(?:is|was|comes to|makes|would be|will be) [$\u20ac\u00a3]?\d+(?:\.\d\d)?"
        r"(?: (?:dollars|usd|bucks|in total|total|altogether|all in|then"
        r"|for (?:all|everything|both)))* ?,? ?(?:right|correct|yes|no|is that right|(?:is"
        r"|was) (?:it not|not it))",
        (ShowCart(),),
    ),
    (
        r"(?:and |so )?(?:what is|what was|give me|tell me|i need|can i (?:have|get)) (?:the|its"
        r"|my|that|your)"
        r" (?:order )?(?:number|id|order number|confirmation|confirmation number|reference)"
        r"(?: (?:again|please|of (?:it|that|the order|my order)))*|(?:the )?order (?:number|id)",
        (ShowOrders(),),
    ),
    (
        r"(?:and |so |ok |now |wait )*(?:what is|what else is|what)? ?(?:left|remaining|still "
        r"(?:there|in"
        r" (?:there|it|my cart|the cart)))(?: in (?:there|it|my cart|the cart))?(?: now)?",
        (ShowCart(),),
    ),
    (
        r"(?:and |so |ok |now |what is |what |the |my |is |that |it |a |how much is |give me "
        r"|tell me )*"
        r"(?:total|subtotal|sum|grand total|bill|in total|altogether|all together|totals)"
        r"(?: (?:now|so far|then|please|again|price|amount|cost|for (?:everything|all(?: of "
        r"(?:it|them|this"
        r"))?|my cart|the cart)|of (?:my|the) cart|of (?:it|everything) all))*",
        (ShowCart(),),
    ),
    (
        r"(?:so |and |ok )*(?:what do i owe|how much do i owe|is (?:there )?(?:anything"
        r"|something|it|that|everything|"
        r"the [a-z ]+) (?:already |still |now )?in (?:my|the|there) ?(?:cart)?(?: now| already)?"
        r"|did you (?:already |"
        r"really |just )?(?:add|remove|put|take|delete) (?:it|that|them|the [a-z ]+)(?: out| in"
        r"| to my cart)?|(?:what"
        r" is|what do i have|what have i got) in (?:there|it)(?: now| so far)?|show me what i "
        r"(?:have|got|added"
        r"|chose)(?: so far| now)?|is (?:my|the) cart (?:empty|full|ok|right)|(?:show|see|check"
        r"|view) (?:me )?"
        r"(?:everything|all) (?:in|i have in) (?:my|the) cart|did (?:it|that) work|has it been "
        r"(?:added|removed)"
        r"|what (?:else )?(?:is|do i have) in (?:my|the) (?:cart|bag|order)(?: again| now| "
        r"right now| already)?)",
        (ShowCart(),),
    ),
    (
        r"(?:and |so |ok |now |please |(?:can|could|would) you (?:please )?)*(?:give me "
        r"|do )?(?:an? |the"
        r" |my )?(?:recap|summar(?:y|i[sz]e)|overview|sum up|run me through|read)(?: (?:it|that"
        r"|this"
        r"|everything|all|my cart|the cart|of (?:it|that|my cart)))?(?: back)?(?: (?:for|to) me)?"
        r"(?: please| again| now)*"
        r"|(?:and |so |ok |now |please |just |(?:can|could|would|will) you (?:please |just )?)*"
        r"(?:say|read|repeat) (?:me )?(?:it|that|this|all (?:of )?(?:it|that)"
        r"|everything|the (?:order|cart|list|lot)|my (?:order|cart|list))(?: all)? back"
        r"(?: to (?:me|us))?(?: (?:please|now|so|so that|to be sure|just to be safe"
        r"|(?:then )?(?:i|we) (?:can |will )?(?:know|see|am sure|are sure|check|be sure)\b.*))*",
        (ShowCart(),),
    ),
    (
        r"(?:and |so |ok |but )*(?:where|which address|what address) (?:is|are|will|does"
        r"|do) (?:it|this"
        r"|that|they|my order|the order|everything)(?: all)? (?:be |being |get "
        r"|getting )?(?:sent|going"
        r"|go|ship|shipped|delivered|posted|mailed)(?: to)?(?: then| now)?",
        (ShowProfile(),),
    ),
    (
        r"(?:and |so |ok |now )*how many (?:items?|things?|products?|articles?|pieces?|pairs?"
        r"|of them|are"
        r" there|do i have|in total)\b(?: (?:are|do|is|have|in|my|the|cart|i|got|there|now|have"
        r"|total"
        r"|altogether|already|so|far))*",
        (ShowCart(),),
    ),
    (
        r"(?:and |so |ok |but |now |then )*(?:have|am|are|did|is|do) (?:i|we|it|that|this"
        r"|everything|(?:the|my) (?:cart|total|order|lot))(?: all)?(?: (?:still|now|kept|keep"
        r"|stayed|stay|gone|go|get|got|come|been|well|just"
        r"|in))* (?:within|under|over|below|inside|above)"
        r" (?:my|the|our|his|her|that) (?:(?:\w+ ){0,3}?(?:dollars|bucks|usd|budget|limit|maximum)"
        r"|[$]?\d{2,5})"
        r"(?: (?:now|so far|still|then|i (?:set|said|told you|gave you)))*",
        (ShowCart(),),
    ),
    (
        r"(?:so |ok |and |right |now |well |hi |back |then )*(?:where (?:were|was|are) (?:we|i)"
        r"(?: (?:then|again|at))*)?(?: and)? ?(?:(?:what (?:did|do|had|have) (?:i|we) (?:have"
        r"|got|pick"
        r"|choose|picked|chosen)(?: (?:in there|so far|again|already|then|up to now))*)|(?<=we)"
        r"|(?<=i))",
        (ShowCart(),),
    ),
    (
        r"(?:and |so |ok |but |just |only |now )*(?:the |my )?cart(?: (?:now|again|please|status"
        r"|contents?"
        r"|total|check))*|(?:and |so |ok )*(?:what have i|what did i|what have we|what do i) "
        r"(?:got|added?|put|have|chosen|choose|picked?|select(?:ed)?)(?: (?:so far|now|in|there"
        r"|already"
        r"|in (?:my|the) cart|up to now|until now))*",
        (ShowCart(),),
    ),
)  # fmt: skip
