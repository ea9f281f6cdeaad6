"""Write questions and wishes to look in the one way that the rules know. Pure."""

import re
from typing import Final

from daybook.demo.model.grammar.language.chat.names import MODELS

_YOU: Final = r"(?:you|u|ya|yous|you lot|y'?all)"
_OTHERS: Final = (
    r"(?:ones?|others?|another(?: one)?|any|something(?: else)?|anything(?: else)?"
    r"|some(?: others?)?)"
)
_DEGREE: Final = (
    r"(?:lighter|warmer|brighter|quicker|faster|bigger|larger|roomier|smaller|cheaper|taller"
    r"|higher|thicker|thinner|tougher|sturdier|better rated|less expensive|more affordable)"
)
_OF_IT: Final = r"(?:it|that|this|them|those|these|that one|this one)"
_PEOPLE: Final = (
    r"(?:people|folks?|customers|buyers|others|other people|everyone|everybody|users|owners"
    r"|the reviewers?|reviewers?|hikers|campers)"
)
_SIZE: Final = r"(?P<size>3[4-9]|4\d)(?P<half>\.5)?"
_MONEY: Final = r"(?:dollars|usd|bucks|us dollars)"
_TENS: Final = {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70,
    "eighty": 80, "ninety": 90,
}  # fmt: skip
_ONES: Final = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9,
}  # fmt: skip
_IN_WORDS: Final = re.compile(
    rf"\b({'|'.join(_TENS)})[ -]({'|'.join(_ONES)})\b"
    r"(?! ?-?(?:person|man|season|layer|burner|of\b|for\b))",
    re.IGNORECASE,
)
_UNIT: Final = re.compile(
    r"(?<![\w.])(\d+\.\d+)(?=(?:kgs?|kilos?|g|l|ltr|lm|cm|mm|m|oz|lbs?)\b)", re.IGNORECASE
)
_SAME: Final = tuple(
    (re.compile(said, re.IGNORECASE), plain)
    for said, plain in (
        # How cold it may be.
        (r"\bwhat(?:['\u2019]?s| is| does| do| will| can| would)? ((?:[\w'\u2019-]+ ){1,6}?)"
         r"(?:goe?s?|be (?:good|rated|used|ok|fine)|good|rated|works?|keep (?:me|you) warm)"
         r" down to\b(?! (?:in|when|for|as)\b)", r"how cold does \1go"),
        (r"\bwhich (?:one )?of (these|those|them) (?:would|will|might|could|can|should)"
         r" (?:\w+ )?(?:suit|do|work|be (?:ok|okay|good|fine|warm enough|enough)|cope|manage"
         r"|handle|survive|hold up|stand)(?: well| ok)?(?: (?:in|at|for|with|down to|to))?"
         r" (?=(?:minus|-) ?\d|-?\d+ ?(?:degrees|c\b))", r"which of \1 are good for "),
        # How many there are.
        (rf"\bhow many(?: pairs| pieces| of (?:them|those|these|it))?"
         rf" (?:(?:do|have|did) )?{_YOU}(?:['\u2019]?ve)?(?: still| even| actually)?"
         r"(?: have| got| have got)*(?: still)? (?:left|in stock|available)\b(?! of the\b)",
         "how many are left"),
        # Whether it is there, and what comes with it.
        (rf"\b(?:the )?((?:{'|'.join(MODELS)})\b[\w -]*?)[ ,]+(?:still )?(?:available|in stock)"
         r"\s*\?\W*$", r"is the \1 in stock?"),
        (r"^\W*(?:(?:and|so|but)\W+)*(?=(?:are|is)\b|.*\?\W*$)(?:(?:are|is|the|a|any)\W+)*"
         r"(?!tax|vat|ship|deliver|post|return|insur|it\b|that\b)([a-z]+(?: [a-z]+)?)(?: is| are)?"
         r" included(?: with (?:it|that|this)| too)*\s*\??\W*$",
         r"does it come with \1?"),
        # What is asked of each, or of one by its name.
        (r"^\W*(?:and |the )*(weight|lit(?:er|re)s?|capacity|volume|lumens?|height|colou?rs?"
         r"|materials?|fabrics?|sizes?)(?: (?:of|for))? each(?: one| of (?:them|those|these))?"
         r"\s*\??\W*$", r"what is the \1 of all of them"),
        (rf"\b(is (?:the |that )?(?:{'|'.join(MODELS)})[\w -]*?) (?:good|fine|ok|okay|suitable)"
         r" (?=(?:to|for|down|in|at|until)\b)", r"\1 "),
        (r"\b(show me|let me see|what are) (?:yours|urs|your ones)\b", r"\1 some"),
        (r"\bwhat (?:else )?can (?:i|we|one|you) (?:buy|get|order|shop(?: for)?|purchase)"
         r" (?:here|from you|in (?:here|this shop|your shop))\b(?! (?:for|under|below))",
         "what do you sell"),
        (r"\bwhat (?:was|were|is) the (first|last|previous) things? (?:that )?i (?:asked|looked"
         rf"|searched|wanted)(?: {_YOU})?(?: for| to (?:find|see))*(?=\W*$)",
         r"show me the \1 results again"),
        # Which one is meant, who pays, and in which size.
        (r"\b([a-z]{4}-)(\d{3})(,? (?:and )?(?:not|instead of|rather than)) (\d{3})\b",
         r"\1\2\3 \1\4"),
        (r"^(\W*(?:(?:and|so|then|ok|yes|great|please|pls|just|now)\W+)*)(?:take|get|draw)"
         r" (?:the |your )?(?:money|payment) (?:from|off|out of) my card(?: and (?:send|ship|post)"
         r" (?:it|them|that)(?: off| out| to me)*)?(?=\W*$)(?!\W*\?)", r"\1check out"),
        (r"\b((?:one|1|a) pair),? (?:in|in size|in a) (?=(?:3[4-9]|4\d)\b(?!\W*\d))",
         r"\1, size "),
        # What people say of it.
        (rf"\bwhat (?:do|did|does|have|has) (?:the )?(?:other )?{_PEOPLE} (?:make|made|reckon|feel)"
         rf" (?:of|about|on) {_OF_IT}\b", "what do people say about it"),
        (rf"\b(?:(?:show|tell|give) me )?(?:what(?:['\u2019]?s| is| are)?(?: so)? (?:bad|wrong|good"
         rf"|the (?:bad|downsides?|catch|problems?))|the (?:bad|downsides?|cons|complaints?"
         rf"|moans?))"
         rf" (?:with|about|of|on) {_OF_IT}\b", "what do people say about it"),
        (r"\b(?:(?:give|show|tell|get)(?: me| us)? |any )(?:the |some |all |any |your )*"
         r"(?:opinions?|feedback|comments|experiences|impressions|testimonials)"
         r" (?:of|on|about|for|with) ", "reviews of "),
        (r"\b(the [\w' -]{3,40}?|it|they) (?:begins?|starts?) (?:at|from|with|in)"
         r" (?:which|what) sizes?\b", r"what sizes does \1 come in"),
        (r"\b(?:at|from|in|with) (?:which|what) size (?:does|do) (the [\w' -]{3,40}?|it|they)"
         r" (?:begin|start)\b", r"what sizes does \1 come in"),
        (rf"\bhow (?:do|did|have) {_PEOPLE} (?:find|found|rate|rated|like|liked|get on with)"
         rf" {_OF_IT}\b", "what do people say about it"),
        (r"^\W*(?:(?:and|so|ok)\W+)*(?:what(?:['\u2019]?s| is) )?(?:the |its )?ip[- ]?rating\W*$",
         "is it waterproof"),
        (r"\bhow far (?:does|do|can|will) (it|they|that|this) (?:chuck|throw|cast|shine|reach|light"
         r"|go)(?: (?:the|its|a) (?:light|beam))?\b(?! (?:down|below|up)\b)",
         r"what is the reach of \1"),
        (r"\b(how \w+)['\u2019]s (?=(?:the|it|that|this|number)\b)", r"\1 is "),
        (r"\b(first|second|third|last|other|big|small) un\b", r"\1 one"),
        (r"^((?:\W|\b(?:and|so|ok|then|now)\b)*)(?:what|how) about (?:the |its |their )?(weight"
         r"|price"
         r"|size|sizes|comfort|capacity|volume|length|height|colou?rs?|material|battery|reach)\W*$",
         r"\1and the \2"),
        (r"\b(price|weight|size) gap\b", r"\1 difference"),
        (r"\b(?:is|are) there (?:an? |any )([\w -]{3,25}?) (?:included|supplied|provided|inside"
         r"|in the"
         r" (?:box|bag))\b(?: with (?:it|that))?", r"does it come with a \1"),
        (r"\bwhich (one |of (?:them|those|these|the two) )?(?:holds|carries|fits|takes) more\b",
         r"which \1is bigger"),
        (rf"\bwhat (?:do|did) (?:the )?(?:folk|punters|campers|walkers|climbers) (?:say|think)"
         rf"(?: (?:of|about) {_OF_IT})?\b", "what do people say about it"),
        (r"^\W*(?:(?:and|any|what|which|ok)\W+)*other colou?rs?(?: available| too)?\W*$",
         "what colours does it come in"),
        (r"\b(?:a|one) (kilo|kg|lit(?:re|er)) and a half\b", r"1.5 \1"),
        # More of a list.
        (r"^\W*(?:(?:ok|and|so|please|show me|give me|the)\W+)*next (?:\d{1,2}|five|ten|few"
         r"|page|lot"
         r"|ones|bunch|batch)(?: please| pls)?\W*$", "show me more"),
        (r"^\W*(?:(?:ok|and|so|please|go|now)\W+)*back to the first (?:ones|list|lot|page)\W*$",
         "show me the first list again"),
        # Others that have more of something.
        (rf"\b(?:(?:is|are) there|do {_YOU} (?:have|do|sell|stock)|have {_YOU} got|{_YOU} got|got"
         rf"|what about|how about)(?: any)? {_OTHERS}"
         rf" (?:(?:that|which|what)(?:['\u2019]?s| is| are|['\u2019]?re)?"
         rf" )?(?:a (?:bit|little) |even |any |slightly |much )*({_DEGREE})\b(?! than\b)",
         r"anything \1"),
        (rf"^((?:\W|\b(?:and|so|ok|but|hm+|any)\b)*)(?:others?|ones?) (?:that|which|what)"
         rf"(?:['\u2019]?s| is| are|['\u2019]?re) ({_DEGREE})\b(?! than\b)", r"\1anything \2"),
        (rf"\bwhat (?:else )?(?:do|have) {_YOU} (?:have|got|sell)(?: got)?"
         rf" that(?:['\u2019]?s| is| are) (?:a (?:bit|little) |even |slightly |much )*({_DEGREE})\b"
         r"(?! than\b)", r"anything \1"),
        (r"\bthere(?:['\u2019]?s| is| are) (something|anything|one|some|another|others)\b(?=.*\?)",
         r"is there \1"),
        (r"^\W*(?:it|that|this|they)? ?(?:is|are|['\u2019]s) (?:too|very|so|really|quite) (?:much"
         r"|expensive|dear|costly|pricey|high)(?: for (?:me|us|my \w+|that))?\s*[,.;!]+\s*"
         r"(?=(?:is|are|do|have|there|any|something|anything|show|what|got)\b)", ""),
        # The same of another one.
        (r"^((?:\W|\b(?:and|so|ok|now)\b)*)(?:the )?same (?:question|query|info|thing i asked|q)"
         r"(?: again)?,? (?:for|about|on|with|of|but for)\b", "and"),
        # Two, side by side.
        (r"\bhow (?:do|does|would) ((?:the |these |those )?[\w' -]{2,60}?) (?:differ|compare)"
         r"(?: (?:from|to|with|against) each other)?(?=\W*$)", r"compare \1"),
        (r"\bhow are ((?:the |these |those )?[\w' -]{2,60}?) different(?: from each other)?"
         r"(?=\W*$)", r"compare \1"),
        (r"\b(?:what(?:['\u2019]?s| is| are) |tell me |explain |show me )the"
         r" differences? between\b", "compare"),
        # Sizes that are told anew.
        (r"\b(?:scrap|forget|ignore|change|drop|delete|update|correct|never ?mind)(?: about)?"
         r" (?:the|my|that) (?:(?:shoe|boot|foot) )?size\b[\s,.;:-]*(?:because |as |since )?"
         rf"(?:it|that|i)(?:['\u2019]?s| is|['\u2019]?m| am| should be|['\u2019]ll be)"
         rf"(?: (?:actually|really|now|an?|size))* {_SIZE}\b", r"my shoe size is \g<size>\g<half>"),
        (r"\b(?:pack|packed|packing|collapse|break)(s?) down (?=to\b|into\b|small|under\b|below\b)",
         r"fold\1 down "),
        (r"\b(?:put|set|place|line up|lay|hold)(?!.*\b(?:cart|basket)\b) (the [\w' -]{3,50}?)"
         r" (?:up )?(?:beside|next to|side by side with|alongside|up against|against)"
         r" (the [\w' -]{3,50}?)(?: (?:for (?:me|us)|please))*(?=[?.!,]|$)", r"compare \1 and \2"),
        (r"\b(?:is|are) (it|they|these|those|that|this)( one)? (?:any |much |really |a lot )*"
         r"(?:better|worse|nicer|different) (?:than|to|from) (the [\w' -]{3,50}?)(?=[?.!,]|$)",
         r"compare \1\2 and \3"),
        # What keeps the wet out.
        (r"\b(?:that|which|what|they|to)? ?(?:do ?n['o\u2019]?t|does ?n['o\u2019]?t|do not|does not"
         r"|not|won['\u2019]?t|will not) (?:let|pass|allow|take|leak)(?: (?:through|in|the|any))*"
         r" ?(?:water|wet|rain|moisture|damp)(?: (?:in|through|pass|inside|get in))*\b",
         "that are waterproof"),
        (r"\b(?:that|which|to) keeps? (?:the )?(?:water|wet|rain) out\b", "that are waterproof"),
        (r"\bimpermeables?\b", "waterproof"),
        # What all of it comes to.
        (r"\b(?:how|what)(?:['\u2019]?s| is| does| do|s)? (?:it|that|this|they|everything|the lot"
         r"|my (?:cart|basket|stuff))(?: all)?(?: together)? add(?:s|ing)? up(?: to)?\b",
         "what is my total"),
        (r"\bwhat am i (?:paying|spending|looking at|in for)(?: (?:so far|now|then|here|all in"
         r"|in total|altogether))*(?=\W*$)", "what is my total"),
        # What there is.
        (r"\bwhat (?:can|could|might) (?:i|we) (?:get|buy|have|find|afford)(?: me| here| from you)*"
         r" (?=(?:that|which) (?!i\b|we\b|you\b)|(?:for |and )?(?:under|below|less than|up to"
         r"|within|not over|max|at most) ?[$]?\d)", "show me anything "),
        (r"\bwhat (?:can|could|might) (?:i|we) (?:get|buy|have|find|afford)(?: me| here| from you)*"
         r" for (?=[$]?\d\d)", "show me anything up to "),
        (rf"\b(?:(?:do|have) )?{_YOU} (?:have |got |have got )?(?:like )?a list of (?:everything"
         rf"|all|what|the (?:stuff|things))(?: (?:that )?{_YOU}(?: guys)? (?:sell|have|got|do|stock"
         r"|offer))?\b", "what do you sell"),
        # What is told beside money.
        (rf"[£€$]? ?(\d+(?:\.\d\d)?) ?(?:pounds|euros|quid)?,? (?:(?:sorry|oops|no|er+|i mean"
         rf"|i meant|make that|rather),? )+(?:in )?{_MONEY}\b", r"\1 dollars"),
        (r",? (?:aged?|ages|between the ages of) \d{1,2} ?(?:-|to|and) ?\d{1,2}\b"
         r"(?: (?:years?(?: olds?)?|yrs?))?", ""),
        (r"\b(?:2|two) burner\b", "two-burner"),
        (r"\bre-?sol(?:e?able|ed)\b", "resoleable"),
        (r"\bipx ?[4-8]\b", "waterproof"),
        (r"(?<!the )(?<!a )\brain ?covers? (?:incl|included)\b\.?", "with rain cover"),
        (r"\braincover\b", "rain cover"),
        (r"\b(something|anything|one)((?: \w+)?) (?:on|that runs on|running on|that burns)"
         r" (gas|alcohol|petrol|meths|wood|white gas)\b(?! stoves?)", r"a\2 \3 stove"),
        (r"\b(one|two|three|four|five|six)['\u2019]s (?=(?:plenty|enough|fine|loads)\b)",
         r"\1 is "),
        (r"(?<=\w)([.?!])\s*(?:i(?:['\u2019]m| am| was|['\u2019]d)? )?just"
         r" (?:making sure|checking|asking|wondering|curious|confirming|double[- ]checking)\W*$",
         r"\1"),
        (r"\bthe (?:dear|pricey|expensive|posh|fancy) one\b", "the dearest one"),
        (r"\bthe cheap one\b", "the cheapest one"),
        (r"\b(?:which|what) (sizes|colou?rs) (?:are|have you|do you have|you)(?: still| got| have)*"
         r" (?:left|available|in stock|there)\b", r"what \1 does it come in"),
        (r"\b(anything|something) in the way of (?:an? |some )?", r"any "),
        (r"\bbest[- ]?sell(?:er|ers|ing)\b", "best rated"),
        # What is known of somebody, and what somebody needs.
        (r"\bdid i (?:ever )?(?:save|note|tell you|give you) (?:anything|something)\b"
         r"(?: about me)?", "what do you know about me"),
        (r"\b(?:do|did) you (?:know|have|remember|keep|save) my (address(?:es)?|cards?)\b",
         r"what is my \1"),
        (r"\bwhat (?:kit|gear|stuff|equipment|things?|all) (?:should|would|does|do|will|must"
         r"|might|may)"
         r" (?:i|we|she|he|they|one|my \w+) (?:really |actually )?(?:have|need|bring|take|want"
         r"|get)\b",
         "i do not know what i need"),
        (r"\bwould (an?|one|two|three|a pair of|two pairs of|\d+)((?: of)? (?:the )?[\w -]{5,40}?)"
         r" (?:take|put|push|bring|send|get) (?:me|us|it|my \w+) (?:over|above|past|beyond|up to)"
         r" (?:my |the )?[$]?(?:\d+|budget|limit)\b", r"how much would \1\2 be"),
        (r"\b(?:rain|wet[- ]weather|waterproof) (?:gear|clothes|clothing|wear|stuff)\b",
         "rain jackets"),
        # Goods by what one does with them.
        (r"\b(something|anything|a thing|smth) (?:to|i can|for) (?:cook|boil|brew|heat"
         r"|make)(?:ing)?"
         r"(?: (?:water|food|dinner|tea|coffee|stuff|meals?))? (?:on|with)\b", "a stove"),
        (r"\b(something|anything|somewhere|a thing) (?:to|i can|for) sleep(?:ing)? in\b(?="
         r" *(?:[?.!,]"
         r"|$|for|at|when|that|under|in (?:winter|summer|the (?:cold|winter|summer))))",
         "a sleeping bag"),
        (r"\b(something|anything|a thing) (?:to|i can) (?:carry|put|pack) (?:my|all my|our|the"
         r"|everything)"
         r" ?(?:stuff|gear|kit|things)? in\b", "a backpack"),
        (r"\b(something|anything|a thing) (?:to|i can) drink (?:from|out of)\b", "a water bottle"),
        (r"\b(something|anything|a thing) (?:to|that|which) keeps? (?:the )?(?:rain|wet) off\b",
         "a rain jacket"),
        (r"^((?:\W|\b(?:can|could|would|you|please|pls|ok|so|and|now)\b)*)(?:list|show(?: me)?"
         r"|see|give me)"
         r" (?:everything|all(?: (?:things|products|items|stuff))?|whatever)(?: (?:that )?(?:you|u)"
         r" (?:have|got|sell))?(?: that(?:['\u2019]?s| is| costs?))? (?=(?:under|below|less"
         r" than|cheaper"
         r" than|up to)\b)", r"\1show me anything "),
        (r"\b(?:sort|order|rank|arrange|list)(?: (?:it|them|these|those|that|the list|by))*"
         r" (?:by|on)"
         r" (?:the )?(?:customer )?(?:ratings?|reviews?|stars|score|popularity)\b",
         "show me the list again"),
        (rf"\b(?:is|are) there (?:any |some |an? )?({_DEGREE}) (?:ones?|pairs?|options?|versions?"
         r"|models?|alternatives?)\b(?: that also)?", r"anything \1"),
        (r"\b(that|which|what|it|they|one)((?: can| will)?) packs? (?=(?:up |down )?(?:small"
         r"|smallest"
         r"|smaller|away|tiny|light|well|the smallest)\b)", r"\1\2 folds "),
        (r"\bwho (?:am i|are we) (?:talking|speaking|chatting|writing) (?:to|with)\b",
         "who are you"),
        (r"\bdo (?:i|we) get (?:an? |the )?(?:receipt|invoice)\b", "will i get an invoice"),
        (r"^((?:\W|\b(?:so|ok|right|well|think|yeah|then|i think)\b)*)(?:gonna|going to) go"
         r" (?:with|for)"
         r" (?=the\b|that\b|number\b|both\b)", r"\1i am going to go with "),
        (r"\b(?:put|push|run|ring) (?:it|that|this|them|everything|the order|my order|it"
         r" all)(?: all)?"
         r" through\b(?! (?:the|my|a)\b)", "check out"),
        (r"^(?!.*\b(?:bags?|boots?|socks?|jackets?|packs?|lamps?|stoves?|bottles?"
         r"|poles?)\b)(.*\b(?:cheapest"
         r"|lightest|best|smallest|biggest|roomiest|dearest)) (?:ones?|(?:one )?(?:that )?(?:you|u)"
         r" (?:have|got|have got|sell|do)) for (one|two|three|four|[1-4])(?: people|"
         r" persons?)?(?=\W*$)",
         r"\1 \2 person tent"),
        (r"^\W*(?:lovely|good|nice|great|top|cracking|smashing) (?:job|stuff|work)\W+(?=\w)", ""),
        (r"\b(?:any|is it|are they|does it get|do they get|is that) cheaper (?:then\b(?=\W*$)"
         r"|if (?:i|we) (?:buy|take|get|order) (?:\d+|two|three|four|five|six|ten|more|several"
         r"|lots)\b.*"
         r"|in bulk)", "any discount"),
        # An order that was placed.
        (r"\b(?:confirm|verify|repeat|give me|send me|read me)(?: me)? (?:the|my|that)"
         r" order (?:number|no\.?|id|ref(?:erence)?)\b(?: (?:for|in) (?:my|our|the) (?:records?"
         r"|files?|notes?|books?))?", "tell me the order number"),
        (r"\bhow long (?:until|till|til|before) (?:it|its|it['\u2019]?s|that|that['\u2019]?s|the"
         r" (?:money|refund|cash))(?: is|['\u2019]s| gets?| comes?| shows?)?(?: back| up)*"
         r" (?:in|into|on|to) my (?:account|card|bank)\b", "how long does the refund take"),
        (r"\b(?:the |my )?last time (?:that )?(?:i|we) (bought|ordered|got|had) ([\w -]{3,40}?)"
         r"[, ]+(?:what|how much) (?:did (?:i|we|it|they) (?:pay|spend|cost)|was it|were they)\b",
         r"show me my past orders"),
        (r"^[^?]*?\b(?=(?:nobody|no ?one|no shop|nowhere|none of (?:them|the shops))(?: else|"
         r" really"
         r")* (?:has|have|had|sells?|stocks?|seems? to (?:have|sell|stock))\b[^?]*$)", ""),
        # What one wears.
        (r"\bwhat (?:(?:do|should|would|can|shall|could|must) (?:i|we|one|you)|to) (?:wear|put on)"
         r" (?:when|if|for|in|on|while)\b", "i do not know what i need when"),
        (rf"\b(?:save|remember|note|store|keep|record|write down) my (?:(?:shoe|boot|foot) )?size"
         r"(?: please| pls| down| for me)*\W+(?:i['\u2019]?m|i am|it['\u2019]?s|its|it is|i wear"
         rf"|i take|that['\u2019]?s)(?: (?:an?|size))* {_SIZE}\b",
         r"my shoe size is \g<size>\g<half>"),
        # What went wrong before an order is cancelled.
        (r"^(?!.*\b(?:if|when|how|what|should|not|never|before|unless)\b|.*n['\u2019]?t\b)"
         r"[^?.,!]{3,60}?\bwrong (?:card|address|one|size|thing|order)s?\b[^?.,!]{0,20}?[,.]? "
         r"(?=(?:(?:can|could|would) (?:you|u) )?(?:please |pls )?cancel (?:that|the|my) order\b)",
         ""),
        (r"\bonce more(?=\W*$)", "again"),
    )
)  # fmt: skip
"""What people ask so or so, and how the rules know it."""


def asked_plainly(text: str) -> str:
    """Return a text with such questions replaced; all else stands as it is."""
    text = _UNIT.sub(r"\1 ", text)
    text = _IN_WORDS.sub(lambda f: str(_TENS[f[1].lower()] + _ONES[f[2].lower()]), text)
    for said, plain in _SAME:
        text = said.sub(plain, text)
    return text
