"""Read short forms, missing apostrophes and typing errors as the words that they stand for."""

import re
from functools import lru_cache
from typing import Final

from rapidfuzz.distance import OSA

from daybook.demo.model.grammar.language.words import ADJECTIVES, EXPANSIONS, KINDS

_WITHOUT_APOSTROPHE: Final[dict[str, str]] = {
    short.replace("'", ""): whole
    for short, whole in EXPANSIONS.items()
    if "'" in short and short not in ("it's", "we're", "we'll", "i'd", "i'll", "let's")
}

LAY_NAMES: Final[dict[str, str]] = {
    **dict.fromkeys(("raincoat", "cagoule", "kagoule", "kagool", "cagoul", "kagoul", "waterproofs",
                     "mackintosh", "regenjacke"), "rain jacket"),
    **dict.fromkeys(("raincoats", "cagoules", "raingear", "rainwear"), "rain jackets"),
    **dict.fromkeys(("puffer", "puffa", "puffy", "duvet-jacket"), "down jacket"),
    **dict.fromkeys(("puffers", "puffies"), "down jackets"),
    **dict.fromkeys(("pullover", "jumper", "sweater", "hoodie", "hoody", "sweatshirt"),
                    "fleece jacket"),
    **dict.fromkeys(("pullovers", "jumpers", "sweaters", "hoodies"), "fleece jackets"),
    **dict.fromkeys(("bairns", "kiddies", "kiddos", "youngsters", "toddlers"), "kids"),
    **dict.fromkeys(("purifier", "purifying"), "filter"),
    **dict.fromkeys(("thermos", "thermoses"), "vacuum flask"),
    **dict.fromkeys(("sox", "soks", "sokcs", "sockz", "scoks", "socx"), "socks"),
    **dict.fromkeys(("bootz", "boootz"), "boots"),
    **dict.fromkeys(("capuche", "kapuze"), "hood"),
    **dict.fromkeys(("reveiwed", "reviwed", "revewed", "reviewd"), "reviewed"),
}  # fmt: skip
"""What people call goods that the shop calls otherwise."""

_SHORTENED: Final[dict[str, str]] = {
    "wt": "weight", "wgt": "weight", "px": "price", "jkt": "jacket", "jkts": "jackets",
    "btl": "bottle", "btls": "bottles", "hl": "headlamp", "hls": "headlamps", "wp": "waterproof",
    "rtg": "rating", "dims": "dimensions", "ht": "height", "stk": "stock", "rm": "remove",
    "cxl": "cancel", "rmbr": "remember", "asap": "", "hows": "how is", "how's": "how is",
    "prc": "price", "bdgt": "budget", "bdg": "budget", "lgth": "length", "ea": "each",
}  # fmt: skip
"""Words without most of their vowels, as those write who are used to lists."""

CHAT: Final[dict[str, str]] = {
    **_WITHOUT_APOSTROPHE,
    **LAY_NAMES,
    **_SHORTENED,
    "lets": "let us", "ill": "i will", "ive": "i have", "im": "i am", "whens": "when is",
    "whys": "why is", "whichs": "which is", "which's": "which is", "heres": "here is",
    "hasnt": "has not", "hadnt": "had not", "werent": "were not", "aint": "is not",
    "shes": "she is", "hes": "he is", "she's": "she is", "he's": "he is", "itll": "it will",
    "weve": "we have", "theyve": "they have", "youve": "you have", "youll": "you will",
    "you'll": "you will", "hasn't": "has not", "weren't": "were not", "when's": "when is",
    "it'll": "it will", "they'll": "they will", "theyll": "they will", "you've": "you have",
    "you'd": "you would", "youd": "you would", "they'd": "they would", "theyd": "they would",
    "he'd": "he would", "she'd": "she would", "it'd": "it would", "itd": "it would",
    "we'd": "we would", "we've": "we have", "they've": "they have", "needn't": "not need to",
    "neednt": "not need to", "mustn't": "must not", "mustnt": "must not",
    "must've": "must have", "would've": "would have", "could've": "could have",
    "u": "you", "ur": "your", "r": "are", "ya": "you", "urs": "yours", "n": "and",
    "pls": "please", "plz": "please", "plse": "please", "pleas": "please", "plox": "please",
    "thx": "thanks", "thnx": "thanks", "thanx": "thanks", "tnx": "thanks", "ty": "thank you",
    "tysm": "thank you", "thnks": "thanks", "ta": "thanks", "thankyou": "thank you",
    "gimme": "give me", "lemme": "let me", "gotta": "have to", "gotcha": "ok",
    "dunno": "i do not know", "idk": "i do not know", "yea": "yes", "yess": "yes", "ye": "yes",
    "yah": "yes", "naw": "nah", "noo": "no", "okey": "ok", "oki": "ok", "k": "ok", "kk": "ok",
    "okie": "ok", "okk": "ok", "hiya": "hi", "heya": "hey", "helo": "hello", "hullo": "hello",
    "hii": "hi", "heyy": "hey", "wich": "which", "whcih": "which", "teh": "the", "hte": "the",
    "abt": "about", "tmrw": "tomorrow", "tmr": "tomorrow", "tomorow": "tomorrow",
    "qty": "quantity", "w": "with",
    "coz": "because", "cuz": "because", "cos": "because", "bc": "because",
    "sth": "something", "smth": "something", "somthing": "something", "nvm": "never mind",
    "nevermind": "never mind", "sz": "size", "tho": "", "though": "", "btw": "", "lol": "",
    "haha": "", "hahaha": "", "um": "", "umm": "", "uh": "", "uhm": "", "er": "", "erm": "",
    "hm": "", "hmm": "", "hmmm": "", "ugh": "", "argh": "", "mate": "", "bro": "", "dude": "",
    "kinda": "", "sorta": "", "basically": "", "literally": "", "honestly": "", "oops": "sorry",
    "whoops": "sorry", "ooh": "", "aha": "", "wow": "", "yo": "hi", "oh": "", "eh": "",
    "quid": "pounds", "tenner": "10 dollars", "fiver": "5 dollars",
    "dollar": "dollars", "buck": "bucks", "wanna": "want to", "add'l": "more",
    "carts": "cart", "check-out": "check out", "chekout": "check out", "chekcout": "check out",
    "chek": "check", "cxl": "cancel",
    "checkuot": "check out", "checkot": "check out", "chk": "check", "recieve": "receive",
    "aight": "ok", "il": "i will",
    "btl": "bottle", "btls": "bottles", "jkt": "jacket", "jkts": "jackets", "hl": "headlamp",
    "hls": "headlamps", "wp": "waterproof", "pr": "pair", "px": "price",
    "ight": "ok", "bst": "best", "rec": "recommend", "recs": "recommendations", "reco": "recommend",
    "hav": "have", "havent": "have not", "wat": "what", "wats": "what is", "wut": "what",
    "wht": "what", "whta": "what", "hw": "how", "wher": "where", "b4": "before", "cld": "could",
    "shld": "should", "wld": "would", "evrything": "everything", "everthing": "everything",
    "everyting": "everything", "alot": "a lot", "alright": "ok", "allright": "ok",
    "aswell": "as well", "bday": "birthday", "xmas": "christmas", "rn": "right now",
    "cheapy": "cheap", "cheep": "cheap", "cheepest": "cheapest",
    "cheeper": "cheaper", "womens": "women", "mens": "men", "ladies": "women", "gents": "men",
    "women's": "women", "men's": "men", "woman's": "women", "man's": "men", "kid's": "kids",
    "kids'": "kids", "childrens": "kids", "children's": "kids", "children": "kids",
    "child": "kids", "brighest": "brightest", "lightst": "lightest", "an'": "and",
    "lightwieght": "lightweight", "colors": "colors", "cartt": "cart", "addd": "add", "ad": "add",
    "taht": "that", "thta": "that", "adn": "and", "nad": "and", "fro": "for",
    "form": "from", "shwo": "show", "shw": "show", "hsow": "show", "sohw": "show", "mroe": "more",
    "delet": "delete", "rmv": "remove", "shud": "should", "cud": "could", "wud": "would",
    "undr": "under", "unter": "under", "les": "less", "thn": "than", "tahn": "than", "mx": "max",
    "approx": "around", "approximately": "around", "wnat": "want", "ned": "need",
    "lookin": "looking",
    "lookign": "looking", "loking": "looking", "fo": "for", "i'am": "i am", "whit": "with",
    "abot": "about", "abut": "about", "ay": "any", "anyting": "anything", "sumthing": "something",
    "pair's": "pairs", "pleasee": "please", "thankss": "thanks", "yup": "yes",
    "clr": "color", "ppl": "people", "prs": "pairs", "em": "them", "chkout": "check out",
    "whas": "what is", "thatre": "that are", "gf": "girlfriend", "bf": "boyfriend", "soz": "sorry",
    "tho'": "", "cuppa": "",
    "arvo": "afternoon", "rmbr": "remember", "rember": "remember", "rmb": "remember",
    "remeber": "remember", "till": "until", "til": "until",
    "nah'": "nah", "aye": "yes", "wee": "small", "tae": "to",
    "agian": "again", "agan": "again", "acutally": "actually", "acually": "actually",
    "actualy": "actually", "actaully": "actually", "mcuh": "much", "jus": "just",
    "sry": "sorry", "srry": "sorry", "bugger": "sorry", "mk": "make", "halve": "halve",
    "halves": "halves", "jst": "just", "sum": "some", "thier": "their",
    "ment": "meant", "sory": "sorry", "wit": "with", "fav": "favourite", "alu": "aluminium",
    "fave": "favourite",
}  # fmt: skip
"""Short form -> the words for it; "" for what says nothing."""

_TARGETS: Final[tuple[str, ...]] = tuple(
    sorted(
        {
            *(word for nouns in KINDS.values() for noun in nouns for word in noun.split()),
            *(f"{noun.split()[-1]}s" for nouns in KINDS.values() for noun in nouns),
            *(word for word in ADJECTIVES if len(word) > 5),
            "hiking", "trekking", "sleeping", "running", "remove", "delete", "cancel", "compare",
            "recommend", "recommendation", "reviews", "review", "address", "shipping", "delivery",
            "returns", "return", "refund", "payment", "warranty", "cheapest", "cheaper",
            "lightest", "lighter", "warmest", "warmer", "heaviest", "brightest", "expensive",
            "material", "quantity", "colour", "weight", "rechargeable", "folding", "carbon",
            "aluminium", "titanium", "stainless", "thermal", "camping", "person", "winter",
            "summer", "reserve", "checkout", "basket", "available", "difference", "between",
            "another", "please", "forget", "remember", "budget", "allergic", "favourite",
            "everything", "anything", "something", "first", "second", "third", "fourth", "currency",
            "dollars", "orders", "order", "status", "suggest", "suggestion", "similar",
            "alternative", "instead", "should", "would", "could", "which", "there", "take",
            "have", "want", "need",
            "what", "cart", "does", "much", "thanks",
            "under", "below", "looking", "searching", "within", "around", "maximum", "smaller",
            "bigger",
            "larger", "details", "problem", "yesterday", "policy", "paypal", "exchange", "language",
            "english", "understand", "deliver", "delivered", "shipped", "tracking", "total",
            "replace",
            "weigh", "weighs",
            "without", "rated", "rating", "popular", "purchase", "waiting", "birthday", "present",
            "together", "altogether", "battery",
            "human", "support", "fleece", "softshell", "merino", "cotton", "filter", "insulated",
        }
    )
)  # fmt: skip

_REAL: Final = frozenset(
    """
    books book boats boat boost booth shows shops shots shop shot stocks stock sacks sucks docks
    cold packets packet rackets tends tenth texts tests tense polls pools pole's stores store stones
    stone state stage battle battles parks picks touch older odder borders border prize pride
    prince sheet sheets short shirt shirts coast coats cost costs chat lamb lambs damp camps camp
    lights night eight might fight weigh height freight rate rates late later letter latter
    better bitter butter matter winner dinner letters person's persons personal reason season
    seasons mountain fountain curtain certain carton cartoon button bottom total vital metal
    retain remain remains move moved moves improve prove return's turn turns torn worn scorn
    review's renew renewal preview hinting hitting biking liking hiring hiding walking talking
    taking making baking skiing sleepy slipping dripping stripping chipping shopping ripping
    trucking tracking tricking trickling wrecking cracking running ruining raining training
    fording holding molding folding's binding finding funding budged budgets gadget fleet
    flee flea fleeing flexible sort sorts sport sports spot spots spend spent send sent tenant
    tent's torches porch poach coach beach reach teach bench lunch french
    single simple sample ample small smell smells smelled tea tee sick
    shell shall skull bell sell cell tell well
    thing things think thinks thank this these those there's their where were here
    world words word work works wool pool cool foot food good mood wood hood
    flash flask flashes task mask disc desk backs packed picked
    jack jacks socket sockets rocket rockets pocket pockets hockey
    stick sticks stack stacks sting string strings strong wrong
    coater boater beater heater cater water waters after winters writer waiter
    quilt quit quite quiet guilt built build
    stover stave starve strive stoic stole slope slopes
    orders ordered reorder ordering ordinary
    cancels cancelled canceled cancelling cancer cannel channel
    compared compares comparing company companion
    suggested suggests recommended recommends forgets forgot forgotten
    reviewer reviewers reviewed removed removes removing deleted deletes
    refunds refunded returned returning payments addresses shipped ships
    colours colour color colors weights weighs materials
    another's other others either neither mother brother father
    cool's coolest largest larger smaller smallest bigger biggest taller longer longest
    everyone anyone someone nothing everywhere anywhere somewhere
    seconds thirds fourths forth thirst
    thanksgiving thankful humane humans supported supports
    filters filtered cottons similarly insulation insulate
    would've could've should've
    available unavailable
    couple couples
    saturday sunday monday tuesday wednesday thursday friday january february summer's shock shocks
    shoulder shoulders simmer lined lines line liners march april june july august september october
    trial trials barely casual
    lucky duck back lack black block blank bleak
    """.split()  # noqa: SIM905
)
"""Words that are right as they stand, though one letter makes another word of them."""

_ITS_A_VERB: Final = frozenset(
    {
        "too", "not", "for", "a", "an", "the", "ok", "okay", "fine", "good", "my", "very", "so",
        "really", "all", "just", "on", "in", "at", "only", "been", "never", "still", "more",
        "pretty", "quite", "great", "perfect", "nice", "no", "way", "gonna", "cold", "wet",
    }
)  # fmt: skip
_BEFORE_THAN: Final = frozenset(
    [
        "less",
        "more",
        "cheaper",
        "lighter",
        "better",
        "rather",
        "heavier",
        "warmer",
        "higher",
        "lower",
        "bigger",
        "smaller",
        "other",
    ]
)
_BEFORE_ADJECTIVES: Final = frozenset({"a", "any", "other", "some", "is", "are", "two", "in"})
_AFTER_A_NAME: Final = frozenset({"card", "order", "address", "product", "the", "my", "an", "user"})
_SHORTEST: Final = 5
_LONG: Final = 8


def spelt(word: str, before: str, after: str, known: frozenset[str]) -> str:
    """Return the words that one word stands for, in lower case; "" where it says nothing.

    Args:
        word: lower case.
        before, after: the words beside it, "" where there are none.
        known: words that are right as they stand.
    """
    if word == "its":
        return "it is" if after in _ITS_A_VERB else word
    if word == "then" and before in _BEFORE_THAN:
        return "than"
    if word == "diff":
        return "different" if before in _BEFORE_ADJECTIVES else "difference"
    if word == "id":
        return word if before in _AFTER_A_NAME else "i would"
    if word in ("k", "r", "n", "ad", "form", "sum") and not _stands_for(word, before, after):
        return word
    if word not in CHAT and _DRAWN_OUT.search(word) and not _AS_IT_IS.fullmatch(word):
        twice, once = _DRAWN_OUT.sub(r"\1\1", word), _DRAWN_OUT.sub(r"\1", word)
        word = twice if twice in known or twice in CHAT else once
    if _DROPPED_G.fullmatch(word):
        return f"{word.rstrip(chr(39))}g"
    if word in CHAT:
        return CHAT[word]
    return word if word in known else _corrected(word, known)


_DROPPED_G: Final = re.compile(
    r"(?:buy|hav|look|go|think|brows|gett|tak|com|try|do|ask|check|wait|shopp|mak|pay|order|say"
    r"|want|need|look|search|feel|plann|add|show|talk|runn|walk|hik|camp|noth|someth|anyth)in'?"
)
"""Words that are said without their last letter: "just lookin"."""
_DRAWN_OUT: Final = re.compile(r"([a-z])\1{2,}")
"""A letter that is said for long: "yesss", "hiii"."""
_AS_IT_IS: Final = re.compile(r"x+[sl]|([a-z])\1+")
"""A size, and what has no other letter: "aaa" cells."""


def _stands_for(word: str, before: str, after: str) -> bool:
    """Tell whether a short form that is a word as well is the short form."""
    match word:
        case "n":
            return bool(before and after)
        case "k":
            return not before
        case "r":
            return after in ("you", "u", "there", "these", "they", "those", "the")
        case "ad":
            return not before
        case _:
            return False


@lru_cache(maxsize=4096)
def _corrected(word: str, known: frozenset[str]) -> str:
    """Return the one word that a typing error stands for, else the word itself."""
    for other in _SHORT:
        if len(word) == len(other) and word[0] == other[0] and sorted(word) == sorted(other):
            return other
    if len(word) >= _SHORTEST and word not in _REAL and (swapped := _two_swapped(word, known)):
        return swapped
    if len(word) < _SHORTEST - 1 or word in _REAL or not re.fullmatch(r"[a-z]+", word):
        return word
    most = 2 if len(word) >= _LONG else 1
    near = [
        (distance, target)
        for target in _TARGETS
        if target[0] == word[0]
        and (len(word) >= _SHORTEST or _is_slip(word, target))
        and (distance := OSA.distance(word, target, score_cutoff=most)) <= most
    ]
    if not near:
        return word
    near.sort()
    tied = [target for distance, target in near if distance == near[0][0]]
    return tied[0] if len(tied) == 1 or _plain(tied[0]) == _plain(tied[-1]) else word


_SHORT: Final = (
    "can", "the", "and", "you", "buy", "add", "get", "put", "how", "has", "about", "that", "what",
    "with", "they", "this", "some", "from", "your", "than", "then", "them", "show", "size", "one",
)  # fmt: skip
"""Words so frequent that their letters in another order are taken for a slip."""


def _two_swapped(word: str, known: frozenset[str]) -> str:
    """Return the one known word in which two letters behind the first stand the other way."""
    turned = {
        word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(1, len(word) - 1)
    }
    found = turned & known
    return found.pop() if len(found) == 1 else ""


def _is_slip(word: str, target: str) -> bool:
    """Tell whether two letters changed places, or an inner one is missing."""
    if sorted(target) == sorted(word):
        return True
    return any(target[:at] + target[at + 1 :] == word for at in range(1, len(target) - 1))


def _plain(word: str) -> str:
    return word.removesuffix("s")
