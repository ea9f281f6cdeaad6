"""Write phrasings that mean the same in the one way that the rules know. Pure."""

import re
from typing import Final

from daybook.demo.model.grammar.language.chat.names import MODELS
from daybook.demo.model.grammar.language.chat.vocabulary import COLOURS
from daybook.demo.model.grammar.language.chat.wording.asking import asked_plainly
from daybook.demo.model.grammar.language.chat.wording.money_for import with_its_limit
from daybook.demo.model.grammar.language.chat.wording.of_goods import said_of_goods

_COUNTS: Final = {
    "1": "1", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six",
    "me": "1", "myself": "1", "one": "one", "two": "two",
    "three": "three", "four": "four", "five": "five", "six": "six",
}  # fmt: skip
_SO_MANY: Final = re.compile(
    r"(?<!person )(?<!man )\b(tents?)((?: (?:you have|you've|u have)(?: got)?)?) (?:for|to fit"
    r"|that fits|that sleeps|"
    rf"sleeping) ({'|'.join(_COUNTS)})(?: (?:people|persons?|adults|of us))?\b"
    r"(?! (?:hundred|dollars?|euros?|nights?|days?|weeks?|kids?|seasons?|\d))(?![.,]\d)",
    re.IGNORECASE,
)
_COMPARED: Final = re.compile(
    r"\b(compare (?:the |that |this )?\w[^.,?!]{1,60}?) (?:with|to|against|versus|vs\.?) ",
    re.IGNORECASE,
)


def plainly(text: str) -> str:
    """Return a text with such phrasings replaced; all else stands as it is."""
    text = _NUMBERED.sub(
        lambda found: _each_a_number(found[1]), asked_plainly(with_its_limit(text))
    )
    text = _SO_MANY.sub(lambda found: f"{_COUNTS[found[3].lower()]} person {found[1]}", text)
    if _ALONE.search(text) and "person" not in text.lower():
        text = _TENT.sub("one person tent", text)
    text = _TIMES.sub(r"\1 x\2", _SO_MANY_OF.sub(r"\1x \2", text))
    text = _EACH.sub(r"\1, one each", _I_MEAN.sub(r"\1", text))
    text = _OWN.sub(r"the \2 of \1", text).replace("shoe number", "shoe size")
    text = _PRAISED.sub(r"\1", _MODELS_OWN.sub(r"\1", text))
    text = _BARE.sub(r"\1 it", _PUT_RIGHT.sub(r"\g<count>", text))
    text = _ENOUGH.sub(r"just \1", text)
    text = _GRADED.sub(lambda found: _GRADES[found[1].lower()][found[2].lower()], text)
    text = _shared_out(_SHARED.sub(_summed, text))
    text = _MADE_BY.sub(r"\g<head> \g<model> \g<kind>", text)
    text = said_of_goods(text)
    text = _OF_ONE_KIND.sub(_each_named, text)
    text = _TELLS_ALL.sub("tell me about ", text)
    text = _QUANTITY.sub(r"\g<goods> x\g<count>", text)
    for said, plain in _SAME:
        text = said.sub(plain, text)
    return _COMPARED.sub(r"\1 and ", text)


_NUMBERED: Final = re.compile(
    r"\bnumbers? (\d{1,2}(?:(?:, ?| ?(?:,? and|&|\+) ?)\d{1,2}\b(?! ?(?:x|of|pairs?)\b))+)",
    re.IGNORECASE,
)


def _each_a_number(places: str) -> str:
    """Write "2 and 4", of places in a list, as "number 2 and number 4"."""
    return " and ".join(f"number {place}" for place in re.findall(r"\d+", places))


_DEGREES: Final = {
    "cheap": ("cheaper", "cheapest"), "economic": ("cheaper", "cheapest"),
    "economical": ("cheaper", "cheapest"), "heavy": ("heavier", "heaviest"),
    "warm": ("warmer", "warmest"), "big": ("bigger", "biggest"), "large": ("larger", "largest"),
    "small": ("smaller", "smallest"), "tall": ("taller", "tallest"),
    "high": ("higher", "highest"), "bright": ("brighter", "brightest"),
    "good": ("better", "best"), "light": ("lighter", "lightest"),
}  # fmt: skip
_GRADES: Final = {
    "more": {word: more for word, (more, _) in _DEGREES.items()},
    "most": {word: most for word, (_, most) in _DEGREES.items()},
}
_GRADED: Final = re.compile(
    rf"\b(more|most) ({'|'.join(word for word in _DEGREES if word != 'light')}"
    r"|(?<=is more )light|(?<=are more )light|(?<=the more )light|(?<=is most )light"
    r"|(?<=are most )light|(?<=the most )light)\b(?![- ]\w+(?:ing|er)\b)",
    re.IGNORECASE,
)
"""A degree that is said in two words, as those do who are not at home in English."""
_NUMBER: Final = r"(?:\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|twelve)"
_PUT_RIGHT: Final = re.compile(
    rf"\b{_NUMBER}(?: (?:pairs?|of (?:them|those|these)))?(?:(?:\s*(?:[,.\u2026-]+\s*))|\s+)"
    r"(?:(?:no|nope|nah|wait|hang on|sorry|actually|er+m?|uh+|i mean|i meant|make (?:that|it)"
    r"|or rather|rather|scratch that)\b[,. \u2026-]*)+"
    rf"(?:make (?:that|it) )?(?P<count>(?:{_NUMBER}|the (?:first|second|third|last))\b)"
    r"(?=(?: pairs?| pieces?)? (?:of|[a-z]))(?<!no \d)(?<!no \d\d)",
    re.IGNORECASE,
)
"""A number that is put right at once: "two no three of the socks". "No 3" may be a place."""
_ENOUGH: Final = re.compile(
    rf"\b({_NUMBER}(?: (?:pairs?|pieces?|of (?:them|those|these|it)))?) (?:(?:would|will|should)"
    r" (?:do|suffice|be (?:enough|fine|plenty))|(?:is|are) (?:enough|plenty|sufficient))"
    r"(?: (?:nicely|fine|me|us|for (?:me|us|now)|just fine))*\b",
    re.IGNORECASE,
)
_PERSON: Final = (
    r"(?:me|us|him|her|myself|(?:my|his|her|the|our|their) (?!price|money|road|trip|same)[\w-]+"
    r"|(?:mum|mom|dad|nan|grandma|grandpa|brother|sister|wife|husband|son|daughter|friend))"
)
_SHARE: Final = rf"(?P<%s>one|two|three|1|2|3)(?: pair)? for {_PERSON}"
_SHARED: Final = re.compile(
    rf"(?P<before>^|[^\n]*?\W){_SHARE % 'a'}(?:\s*,\s*|\s*,?\s+(?:and|&)\s+){_SHARE % 'b'}"
    rf"(?:(?:\s*,\s*|\s*,?\s+(?:and|&)\s+){_SHARE % 'c'})?",
    re.IGNORECASE,
)
_HAS_COUNT: Final = re.compile(rf"\b(?:{_NUMBER}|both|each|pairs?|all|couple)\b", re.IGNORECASE)
_SHARES_OF: Final = {"one": 1, "two": 2, "three": 3, "1": 1, "2": 2, "3": 3}


def _summed(found: re.Match[str]) -> str:
    """Count what is shared out: "one for me and one for my mum" is two, where none were counted."""
    before = found["before"]
    if _HAS_COUNT.search(before):
        return re.sub(r"[\s,:;-]+$", "", before)
    counts = [found[name] for name in ("a", "b", "c") if found[name]]
    return f"{before}{sum(_SHARES_OF[count.lower()] for count in counts)} of them"


_EACH_OF_US: Final = re.compile(
    rf"\s*[,;:-]\s*(?:(?:and|so|that is|that's|i mean) )*(?P<share>{_NUMBER}) (?:pairs? )?"
    r"(?:for )?(?:each|apiece)(?: (?:of (?:us|them|you)|person|child|kid))?(?=\W*$)",
    re.IGNORECASE,
)
"""Who gets how many of what was counted: "two pairs, one for each of us"."""
_WORTH: Final = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "twelve": 12,
}  # fmt: skip
_COUNT_ALONE: Final = re.compile(rf"\b{_NUMBER}\b", re.IGNORECASE)


def _shared_out(text: str) -> str:
    """Leave out who gets how many, where one count was named before it."""
    found = _EACH_OF_US.search(text)
    counted = _COUNT_ALONE.findall(text[: found.start()]) if found is not None else []
    if found is None or len(counted) != 1:
        return text
    total, share = (_value(said) for said in (counted[0], found["share"]))
    is_shared = total > share > 0 and total % share == 0
    return text[: found.start()] + text[found.end() :] if is_shared else text


def _value(said: str) -> int:
    return int(said) if said.isdigit() else _WORTH[said.lower()]


_DETERMINED: Final = rf"(?:the|a|an|your|my|that|this|those|these|of|{_NUMBER})"
_NOUN: Final = (
    r"(?:headlamps?|lamps?|bottles?|flasks?|socks?|jackets?|parkas?|tents?|sleeping bags?|bags?"
    r"|backpacks?|packs?|daypacks?|stoves?|poles?|boots?|shoes?|quilts?)"
)
_MADE_BY: Final = re.compile(
    rf"\b(?P<head>{_DETERMINED}) (?P<kind>(?:(?!{_DETERMINED}\b)[a-z-]+ ){{0,4}}?{_NOUN})"
    rf" (?:from|by) (?:the )?(?P<model>{'|'.join(MODELS)})\b(?! {_NOUN})",
    re.IGNORECASE,
)
"""A model that is named behind its kind: "the compact headlamp from Long Scree"."""


_OF_ONE_KIND: Final = re.compile(
    rf"\bcompare (?:the |these |those |two |three |four |your )*(?P<kind>(?:[a-z-]+"
    rf" ){{0,3}}?{_NOUN})"
    rf"\s*[:,-]\s*(?P<models>(?:the )?(?:{'|'.join(MODELS)})(?:(?:\s*,\s*|\s*,?\s+(?:and|vs"
    rf"|with|&)\s+)"
    rf"(?:the )?(?:{'|'.join(MODELS)}))+)",
    re.IGNORECASE,
)
"""Models that are compared, behind what all of them are: "three rain jackets: the X, Y and Z"."""


def _each_named(found: re.Match[str]) -> str:
    kind = re.sub(r"s$", "", found["kind"])
    models = re.findall("|".join(MODELS), found["models"], re.IGNORECASE)
    return "compare " + " and ".join(f"the {model} {kind}" for model in models)


_COLOUR: Final = "|".join(sorted(COLOURS))
_DONE: Final = (
    r"(?:i'?m (?:happy|done|sold|good|all set)(?: with (?:it|that|this|them|those|everything))?"
    r"|i am (?:happy|done|sold|good|all set)(?: with (?:it|that|this|them|those|everything))?"
    r"|that(?:'?s| is|'?ll be| will be) (?:me done|all|it|everything|the lot|me)(?: (?:i|we) need"
    r"| for (?:me|now|today|us))?|nothing else|no more|let'?s do (?:this|it)|let us do (?:this|it))"
)
"""That nothing more is wanted, before words that say what is to be done then."""
_FUELS: Final = "wood|gas|alcohol|spirit|petrol|kerosene|white gas|liquid fuel"
_SAME: Final = tuple(
    (re.compile(said, re.IGNORECASE), plain)
    for said, plain in (
        (r"^((?:\W|\b(?:and|so|ok|then)\b)*)(?:(?:that|which|this|it) )?(?:leaves?|will leave"
         r"|would leave) (?:me|us)(?: with)? how much (?:of|from|out of) (?:the |my |our )?\$?"
         r"(\d+)\b", r"\1how much of my \2 is left"),
        (r"\bis it (?:at all |even )?possible to (ship|deliver|post|mail|send)(?: it| this)? to\b",
         r"do you \1 to"),
        (r"\bwhat(?:['\u2019]?s| is) (?:the|my|our) total(?: now| so far)?,? and "
         r"(?=how much (?:of|is left|remains))", ""),
        (r"\bhow much (?:money )?(?:have|do|had) (?:i|we)(?: still)?(?: got| have)?(?: still)? left"
         r" (?:of|from|out of) (?:the |my |our )?\$?(\d+)\b", r"how much of my \1 is left"),
        (r"\bhow much (?:money )?(?:have|do|had) (?:i|we)(?: still)?(?: got| have)?(?: still)? left"
         r"(?: to spend)?\b(?=\W*$)", "what have i got left"),
        (r"\b(?:is|was) (?:it|my cart|the cart|my basket|the basket)(?: really| all| now)? empty"
         r"(?: now| again)?(?=\W*$)", "what is in my cart"),
        (r"\b(i|we)(?:['\u2019]ve| have)?(?: got| have)?(?: only| just| about)? (\$?[\w-]+"
         r"(?: dollars| bucks| usd)? to spend) (?:on|for) (?:(?:my|his|her|our|their) [\w]+"
         r"(?:['\u2019]s?)? )?(?:birthday|christmas|xmas|wedding|anniversary|gifts?|presents?"
         r"|retirement|graduation)\b", r"\1 have \2"),
        (rf"\bwhich ((?:[a-z-]+ ){{0,2}}?{_NOUN}) (?:do |have )?you (?:have|got|sell|offer)\b",
         r"show me \1"),
        (rf"\b(?:would|will|does|could|can) (?:that|it|the rest|what(?:['\u2019]s| is) left)"
         rf" (?:stretch|run|reach|extend) to (?:an? |some |any )?(?:pairs? of )?"
         rf"((?:[a-z-]+ ){{0,2}}?{_NOUN})\b", r"show me \1 in my budget"),
        (r"(?<![\w-])([1-4])p(?= tents?\b)", r"\1 person"),
        (r"(?<![\w-])([1-4])p(?! (?:socks?|poles?|boots?|shoes?)\b)(?![\w-])", r"\1 person tent"),
        (r"(?<!for )(?<!for a )\b(one|two|three|four|1|2|3|4)[ -]person"
         r"(?=,? (?:max|under|below|up to|at most|less than|not over|no more)\b)",
         r"\1 person tent"),
        (r",? \b(?:full stop|bar none)\b(?=\W*$)", ""),
        (r"(?<!did )(?<!have )(?<!do )(?<!had )\b(i|we) (?:search|am searching|seek)"
         r"(?: for| after)? (?!for\b|in\b|through\b)(?=[a-z])", r"\1 need "),
        (r"\b(?:i|we) (?:have )?(?:made|did) (?:an? )?(?:mistakes?|errors?)[,.;:]+ ?", ""),
        (r"\bmy (?:shoe |foot |boot )?number is (?=\d\d\b)", "my shoe size is "),
        (r"\b(my (?:\w+ )?size is \d\d(?:\.5)?),? (?:and )?not \d\d(?:\.5)?"
         r"(?:,? (?:so )?(?:please |pls )?(?:change|correct|update|fix)"
         r" (?:what you (?:remember|know|noted|saved)|it|that|your notes?))", r"\1"),
        (r"\bhow long (?:does it take )?(?:till|until|before)"
         r" (?:(?:i|we) (?:have|get|see) )?(?:the|my|our) (?:money|cash)"
         r"(?: is| comes| gets| will be)?(?: back| again| here)*\b",
         "how long does the refund take"),
        (r"\bfor (?:(?:walking|hiking|walks|hikes|use|days) )?(?:in|out in) the (?:wet|rain)\b",
         "that are waterproof"),
        (r"\b(?:all )?(?:i|we) (?:(?:just|only|simply|merely|really) )?(?:want(?:ed)?|need(?:ed)?"
         r"|would (?:just )?like|wish) to (?:know|find out|ask)(?: is)?[:,]? (?=(?:which|what|how"
         r"|whether|if|is|are|does|do)\b)", ""),
        (r"\bstill (?:to be (?:had|got|bought)|obtainable|for sale|on sale|going"
         r"|around)(?=\W*$)", "in stock"),
        (r"\b(?:gives?|giving|makes?|puts? out|throws?|has|have)(?: out)?(?: the)? most light\b",
         "is the brightest"),
        (r"^(\W*(?:(?:then|ok|so|right|well|and|please)\W+)*)(?:let(?:['\u2019]?s| us)"
         r" (?:begin|start)"
         r" with|(?:can|could|may) (?:i|we|you) (?:please )?(?:have|see|get|give me|show me)"
         r"|(?:give|show|send) me|i (?:would|['\u2019]d) like)(?: an?| the| some)*"
         r" (?:overview|list|summary|idea) of (?:all )?(?:your|the|what) (?:categories|departments"
         r"|range|assortment|kinds|product range|ranges)\b", r"\1what do you sell"),
        (rf"\blet(?:['\u2019]?s| us) (?:have a |take a )?look at (?:the |your |some )?"
         rf"(?={_NOUN}(?: first| now| then| next| please)*\W*$)", "show me "),
        (r"\b(?:would|could|will|can) you (?:please )?be so (?:kind|good|nice)(?: as)?"
         r"(?: to| and)\b", "please"),
        (r"\b(?:it|this|that) is possible (to [^?.!]*\?)", r"is it possible \1"),
        (r"^\W*(?:(?:oh|ok|no|well|nah|actually)\W+)*(?:forget (?:it|that|about it)|never ?mind"
         r"|scrap that)\W+(?=(?:how about|what about|show|do you|is there|are there|i need"
         r"|let me see)\b)", ""),
        (r"\b(i|we)(?:['\u2019]?d| would) (?:also|too) (like|love|want)\b", r"also \1 would \2"),
        (r"\bup ?to(?= ?[$€£\d])", "up to"),
        (rf"\bwhat (?:else )?(?:do|have) you (?:have |got |do |sell )?in (?={_COLOUR}\b)",
         "anything in "),
        (r"\b(?:order|list) (it|them|these|those|that|the list) (?:by|from) (?=(?:the )?(?:price"
         r"|cost|weight|rating|cheap|dear|low|high))", r"sort \1 by "),
        (r"\b(i|we) could (?:really |just )?do with\b", r"\1 need"),
        (r"\b(with|has|have|having) (?:(?:a|an|its|their|the|own|built[- ]in|inbuilt|integrated) )*"
         r"(?:lighter|igniter|ignition)\b(?! (?:than|one|tent|bag|pack))", r"\1 piezo"),
        (r"(?:[,;] ?|\bbut )?(?:it |they |that )?(?:does ?n[o']?t|do ?n[o']?t|need ?n[o']?t"
         r"|does not|do not|need not)(?: (?:have|need))?(?: to)? be (?!in\b|on\b|at\b|there|added"
         r"|ordered|removed|sent|paid)(?:an? )?(?:[\w-]+ ?){1,3}(?=$|[.,;!?])", ""),
        (r"\bhow many (?:pairs |pieces )?(?:do you|have you|you)(?: still| even)?(?: have| got)*"
         r" (?:left|in stock|available|still)(?: of (?:them|those|these|it))?"
         r"(?=\W*(?:$|[,.?!]|and\b))", "how many are left"),
        (r"\bhow many (?:pairs |pieces )?(?:do you|have you|you) still (?:have|got)"
         r"(?: of (?:them|those|these|it))?(?=\W*(?:$|[,.?!]|and\b))", "how many are left"),
        (r"\b(?:item|article|product|art) (?:code|number|no\.?|nr\.?|id)[: ]+"
         r"(?=[a-z]{4}-\d{3}\b)", ""),
        (r"(?:^|(?<=[.!,;] ))(?:(?:sorry|oops|ah),? )?my (?:mistake|bad|fault|error)[.!,;]+ ?", ""),
        (r"\b(long|red|roll|shock|anti|ultra) (range|light|top|absorbing|shock)\b",
         r"\1-\2"),
        (r"\b(down|rain|fleece) jacket jackets?\b", r"\1 jacket"),
        (r"\b(?:puff(?:er|a|y)|duvet) (jackets?|coats?)\b", r"down \1"),
        (r"\b(?:best|highest|top)[ -](?:review|reveiw|reviw|revew)e?d\b", "best rated"),
        (rf"\b(?:the )?(stoves?|ones?|those|something|anything) (?:(?:that|which) )?"
         rf"(?:can )?(?:burn(?:s|ing)?|runs? (?:on|with)|running on|use|uses|using|work with)"
         rf" ({_FUELS})\b", r"\2 \1"),
        (r"(?<!marten )\bwood(?:en)? "
         r"(?=(?:camp(?:ing)? )?(?:stoves?|ones?|those|something|anything)\b)",
         "wood burning "),
        (r"\ba (?:second|third|2nd|3rd) (?=[a-z])(?!(?:hand|opinion|thought|chance|look|question"
         r"|later|ago|to|please|time|or|and)\b)", "another "),
        (r"\b(?:one|1|a) sec(?:ond)?s?\b(?=\W*(?:$|[.,!?]|please|pls))", "one moment"),
        (r"\b(?:shut up and )?take my money\b|\btake my card\b(?=\W*(?:$|please|pls|now))"
         r"|\b(?:(?:let'?s|let us) )?(?:go|head|off|straight|over|on)(?: me)? (?:to|for) the"
         r" (?:till|tills|register|cash ?desk|check-?out)\b", "check out"),
        (r"\b(let'?s) go{2,}\b", r"\1 go"),
        (r"^(\W*(?:(?:ok|okay|right|quick|quickly|so|then|now|please)\W+)*)(check ?out|order|buy"
         r"|pay)((?: (?:it|them|that|now|quick|quickly|everything|all))*) before (?:i|we|you|he|she"
         r"|they)(?: all)? (?:can |could |will )?(?:think|change|regret|lose|talk|have|start"
         r"|reconsider|chicken|get)\b(?! ?(?:paid|the money|my money|my card))[^.?!]*(?=[.!]*$)",
         r"\1\2\3"),
        (rf"^(\W*(?:(?:oh|and|plus|also|ah|ok)\W+)*)(?:another |an extra )?(?:one )?(?:for|too for)"
         rf" (?:my )?\w+(?: too| as well)?\W+so (?:that is |that['\u2019]?s "
         r"|it['\u2019]?s |make it )?"
         rf"({_NUMBER})(?: in total| altogether| then| of them| total)*(?=[.!]*$)",
         r"make it \2"),
        (r"\b(the (?:cheapest|lightest|warmest|best rated|brightest|first|second|third|last)"
         r"(?: one)?)(?: of (?:those|them|these))?\s*[.,]\s*(?:just |only )?(?:one|1)(?: please)?"
         r"(?=[.!]*$)", r"add \1"),
        (r"\blet (?:me|us) try (?=(?:one|two|a|the|\d) (?!time|again|way|thing|more))",
         "give me "),
        (rf"^({_NOUN}|fleeces?|softshells?|shells?|liners?) for (?:my|his|her|our) \w+\s*,\s*"
         r"((?:wo)?men|ladies|gents|kids|male|female)"
         r"(?:['\u2019]?s)?(?=[.!]*$)", r"show me \2 \1"),
        (r"\b(?:talk|speak|chat) (?:to|with) (?:a |the |your |somebody in |someone from )*"
         r"sales"
         r"(?:[ -]?(?:person|people|man|woman|team|rep|department|staff))?\b", "talk to a person"),
        (rf"\bmake (?:it|that|them) ({_NUMBER}(?: pairs?)?) of (the (?:[a-z-]+ ?){{1,5}})(?=\W*$)",
         r"make \2 \1"),
        (r"\b(with(?:in)? )?(?:the )?same budget\b", "same limit"),
        # What it is of, and no more of what was put in.
        (r"(?<=\w), (?:of )?(?:the )?same (?:sort|kind|type)\b(?=\W*$)", ""),
        (r"\bthe (?:one|thing|item) (?:that )?(?:i|we|you) (?:have )?(?:just|last) (?:added|put in"
         r"|chose|took|picked)\b", "it"),
        (r"\b(delete|erase|remove|drop) (?:that|this) ((?:\w+ )?sizes?)\b", r"\1 my \2"),
        (r"\b(?:delete|erase|remove|clear|forget) (what|everything|anything|all)(?: that)? you"
         r" (?:have )?(?:saved|stored|noted|noted down|remembered|wrote down|kept|know|remember)"
         r" (?:about|on|of)\b", r"forget \1 you know about"),
        (r"\b(?:help me (?:to )?)?(?:decide|choose|pick|torn|difference) between\b", "compare"),
        (r"\b(two|three)[ -]layers?\b", r"\1-layer"),
        (r"\bwhat (?:comes|is|would be|would come)(?: the)? closest(?: thing)? to"
         r" (?:it|that|this)\b",
         "something similar"),
        (r"^(\W*)(add|remove|delete)( please| pls)?(?=[,.;!] *\w)", r"\1\2 it\3"),
        (r"\b(?:do not|don'?t) (?:buy|order|check ?out|pay|charge)(?: (?:anything|it|me|that))?"
         r"(?: yet| now| for now)?[ ,.;-]+(?:but )?(?:(?:just|only|first) )+"
         r"(?=(?:put|add|throw|stick|chuck|pop|give|place)\b)", ""),
        (r"\bget (it|this|that|them|everything|all of it|the lot) (?:ordered|bought"
         r"|paid(?: for)?)\b",
         r"order \1"),
        (r"\b(all of it|all of them|everything|it all|it|them|that) (?:gets?|(?:can|should|must"
         r"|may|is"
         r" to|are to) be) (?:ordered|bought)\b", r"order \1"),
        (r"^\W*(i(?:'?m| am)? .+?)[ ,]+(?:please |pls )?(?:remember|note|save) (?:that|it|this)"
         r"(?: please| pls| ok)*\W*$", r"remember that \1"),
        (r"^((?:ok|hi|hello|and|also|so|please|pls|\W)*)(?:(?:can|could|would|will) you (?:please"
        r" |pls"
         r" )?)?(?:(?:keep|make|take) a note(?: please| pls)?(?: (?:that|of)(?! this\b| that\b|"
         r" it\b))?"
         r"|(?:(?:a|quick|small|little|side|another) )*notes? (?:for|to) (?:you|u|self|yourself"
         r"|later"
         r"|next time|the (?:shop|future)|future (?:orders|visits|reference))"
         r"|(?:for|in|to) (?:your|the) (?:notes?|records?|files?|memory)"
         r"|(?:please |pls )?(?:remember|note) for (?:next time|later|the future"
         r"|future orders)(?: that)?"
         r"|note to self|note down(?: that)?|jot down(?: that)?|write down that"
         r"|let me (?:tell you|say)(?: that)?"
         r"|(?:save|store) that(?= (?:i|we|my|our)\b)|for (?:your|ur) info(?:rmation)?|remember"
         r" (?:please|pls) that)[:, -]+(?=[\w'\u2019]+ \w)",
         r"\1remember that "),
        (r"^\W*(i(?:'?m| am| have|'ve)? [^,.?]+), (?:please |pls )?remember\W*$", r"remember that"
        r" \1"),
        (r"\blet(?:'|\u2019)?s get (?:this|it|that) over (?:and done )?with\b", "let us go"),
        (r"\bmy name['\u2019]s\b", "my name is"),
        (r"\bwhat (?:have you got|do you have|have you|is there|you got) (?:in the way of|by way of"
         r"|along the lines of|in terms of|for me in)\b", "show me"),
        (r"\bwhat (?:else )?(?:do you have|have you got|is there)(?: that(?: is|'s))?"
         r" (?:comparable|similar|equivalent|much the same)\b(?: to (?:it|that|this))?"
         r"(?:,? (?:and|that is|but|which is)? ?(?:actually |still )?(?:in stock|available))?",
         "something similar"),
        (r"\bit is possible to (?=.*\?)", "can i "),
        (r"\bis it (?:at all |even )?possible (?:for (?:me|us) )?to (?=(?:pay|order|get|return|send"
         r"|use|split|buy|change)\b)", "can i "),
        (r"^\W*(?:(?:oh|ok|well|no|right)\W+)*(?:forget (?:it|that)|never ?mind|scrap that)\W+"
         r"(?=(?:how|what) about\b)", ""),
        (r"^\W*good day\b", "hello"),
        (r"\b(add|put|take|get) also\b", r"also \1"),
        (r"\byou (?:would|do)(?: not|n['\u2019]?t) (?:happen to )?know\b", "do you know"),
        (r"\b(?:something|anything|stuff) (?:that|which|to) keeps? (?:my |the |our )?(?:tea|tee"
         r"|coffee|drinks?|water|soup) (?:hot|warm|cold|cool)\b", "an insulated bottle"),
        (r"\b(?:that|which|to) keeps? (?:my |the |our )?(?:tea|tee|coffee|drinks?|water|soup)"
         r" (?:hot|warm|cold|cool)\b", "that is insulated"),
        (r"\((?:aged? )?\d+(?:(?:,| and| &) ?\d+)*\)", ""),
        (r"\b(buy|order|purchase) the (?:things?|stuff|goods)\b", r"\1 it"),
        (rf"^\W*(?:(?:ok|well|right|and|so|great|no) )*{_DONE}[ ,.!;-]+(?:thanks[ ,.!]+)?"
         r"(?=(?:\w+\W+){0,5}?(?:pay|check ?out|buy|order|purchase|ring|charge|take my money|sort"
         r"|place)\b)", ""),
        (r"(\b(?:buy|order|pay|check ?out|purchase)\b[^.?]*?),? and (?:then )?(?:(?:e-?)?mail|send)"
         r" (?:me|us) (?:the|a|my) (?:confirmation|receipt)(?: (?:mail|please"
         r"|by e?-?mail))*", r"\1"),
        (r"\b(everything|all(?: of (?:it|them))?)( out| away| off)? but (?=the |my |that |those )",
         r"\1\2 except "),
        (r"\bi take it (?:that )?(?=(?:it|you|that|this|the|they|we|there|its|it's|i)\b)", ""),
        (r"\badd (?:it|them|that|this|these|everything)?(?: all)? up\b", "what is my total"),
        (r"\b(?:take|knock|give me|get me) (?:(?:\d+ ?(?:%|percent|dollars|bucks|usd|\$))"
         r"|[1-9]\d) off\b"
         r"(?= (?:and|please|then|or|if)\b|\W*$)", "any discount"),
        (r"\b(?:would|will|does|is|could) (it|that|this|they|these|those) (?:do|work|be|ok|okay"
         r"|good|fine|enough|warm enough|survive|cope|hold up)(?: (?:ok|okay|good|fine|enough|warm"
         r" enough))? (?:for|at|in|down to|to|with) (?:(?:minus |-)\w+|zero|freezing)"
         r"(?: degrees?)?(?: (?:c|f|celsius|fahrenheit|outside))?\b", r"what is the comfort of \1"),
        (r"\bhow (cold|low|warm) (?:can|could|may) (?:i|we|you|one) (?:go|get|sleep|camp|be)"
         r"(?: down)? (?:with|in)\b", r"how \1 is"),
        (r"\b(i|we) should (like|love|prefer)\b", r"\1 would \2"),
        (r"\bwhat is it (?:that )?you (?:do |actually |really |even )*(sell|have|offer)\b",
         r"what do you \1"),
        (r"\bnever (show|give|offer|suggest|recommend)\b", r"do not \1"),
        (r"^\W*(?:(?:this|that|it)(?: is|'s)? )?(?:now )?(?:the |my )?(?:second|third|fourth|fifth"
         r"|2nd|3rd|4th|5th|tenth|10th|hundredth) time (?:now )?(?:that )?"
         r"(?:i(?: a|'|\u2019)?m|i have|i've|i) (?:been )?(?:ask|typ|say|writ|tell|tr(?=y))\w*"
         r"(?: (?:this|it|that|you|now|today|here))*\s*[,.:;!-]*\s+(?=\w)", ""),
        (r"(^|[.,;!] )(?:and |so |but )?(?:may|could|can) (?:i|we) (?:please |kindly )?"
         r"(?:know|ask|have) ((?:the|my|our) (?:order|tracking|confirmation|reference)"
         r" (?:number|id|no)\b)", r"\1what is \2"),
        (r"\b(take|kick|pull|throw|leave|chuck|toss) (everything|all(?: of (?:it|them))?|the lot) "
         r"(out|off)(?: of (?:my |the )?(?:cart|basket|bag))? (except|but|apart from|other than)\b",
         r"\1 \3 everything \4"),
        (r"((?:^|[.,;!] )(?:(?:ok|so|then|yes|and|well) )*(?:(?:i|we) (?:will |would )?)?"
         r"(?:take|buy|choose)) (cheap|light|warm|small|larg|bigg|bright)"
         r"(er|est)(?=(?: (?:please|then|thanks))?\W*$)", r"\1 the \2\3 one"),
        (rf"\b(anything|something|things|stuff) (?={_COLOUR}\b)(?=\w+\W*(?:$|[,.!]))", r"\1 in "),
    )
)  # fmt: skip
"""What people say so or so, and how the rules know it."""
_ALONE: Final = re.compile(
    r"\b(?:(?:just|only) (?:me|myself|for me)|by myself|on my own|for me alone"
    r"|solo)\b",
    re.IGNORECASE,
)
_TENT: Final = re.compile(r"(?<!-)\btent\b", re.IGNORECASE)
_SKU: Final = r"\b([a-z]{4}-\d{3})\b"
_TIMES: Final = re.compile(rf"{_SKU}[ :]*(?:x|\*) ?(\d{{1,3}})\b", re.IGNORECASE)
_TELLS_ALL: Final = re.compile(
    r"\b(?:(?:give|show|get|tell|send) me )?(?:the |all |some |any |your )*(?:stats|specs?|info"
    r"|specifications?|details|deets|facts|figures|data|particulars|low-?down|rundown|run-down)"
    rf" (?:on|of|for|about) (?=(?:the |that )?(?:{'|'.join(MODELS)})\b)",
    re.IGNORECASE,
)
"""All that is known of goods: "stats on the Granite Bay"."""
_QUANTITY: Final = re.compile(
    r"(?<!set )(?<!set the )(?<!change )(?<!change the )(?<!make )(?<!make the )(?<!update )"
    rf"(?P<goods>{_SKU}|\b(?:{'|'.join(MODELS)})(?: [a-z-]+){{0,4}}?)\s*[,;:(-]?\s*"
    r"(?:(?:qty|quantity|amount|number of (?:pieces|units))\b[\s.:=]*(?:of )?|x )"
    r"(?P<count>\d{1,3})\b\)?(?! (?:or|to|usd|dollars?|litres?|person)\b)",
    re.IGNORECASE,
)
"""How many are wanted, behind the goods: "item code LAMP-013, qty 10"."""
_SO_MANY_OF: Final = re.compile(rf"\b(\d{{1,3}}) ?(?:x|\*) ?{_SKU}", re.IGNORECASE)
_EACH: Final = re.compile(rf"{_SKU} ?[:,-] ?(?:one|1)(?: of)? each\b", re.IGNORECASE)
_I_MEAN: Final = re.compile(
    r"\b\w+,? (?:(?:sorry|no|oh|er+m?|uh+|oops),? )?i meant? (?:the )?(?!dollars|usd|bucks)(\w+)"
    r"(?=\W*$|,)",
    re.IGNORECASE,
)
_OWN: Final = re.compile(
    r"\b((?:the|that|this) (?:\w+ ){0,3}?\w+)['\u2019]s (price|weight|size|sizes|colou?r|material"
    r"|height|rating|capacity|volume)\b",
    re.IGNORECASE,
)
_MODELS_OWN: Final = re.compile(rf"\b({'|'.join(MODELS)})['\u2019]s\b", re.IGNORECASE)
"""A model and what is its own, which is said before it: "the filter of the X, and the Y's?"."""
_PRAISED: Final = re.compile(
    rf"\b((?:{'|'.join(MODELS)})(?: (?!and\b|or\b|is\b|it\b|but\b)[\w-]+){{0,5}}?)"
    r" (?:looks?|seems?|sounds?|feels?)"
    r"(?: (?:really|very|quite|pretty|so|rather|just|like|a|the|an|all|super|proper))*"
    r" (?:nice|good|great|lovely|best|better|fine|gorgeous|smart|beautiful|cute|ideal|brilliant"
    r"|ok|okay|perfect|interesting|tempting|right|decent|cool|cosy|cozy|wonderful|solid|fun)\b",
    re.IGNORECASE,
)
"""A model that is praised: the praise is no part of its name."""
_BARE: Final = re.compile(
    r"((?:^|[.,;!]|\b(?:so|then|and|please|pls|ok|k|yes|just|\w+ please|\w+ pls)\b)\W*"
    r"(?:add|put|remove|gimme|give me|cart(?= it)))\W*$",
    re.IGNORECASE,
)
"""A verb with nothing behind it: "COAT-013 is fine. Add." """
