"""Read what a person says of themselves in passing, asks back of it, or wants struck. Pure.

It is heard before anything else: "i'm 6 foot 4 so i need a long bag" tells a height, and wants a
bag. Only what no other reading may mean is read here; the rest is left to the rules.
"""

import re
from collections.abc import Callable, Sequence
from typing import Final

from daybook.demo.model.grammar.language.chat.read.forgetting import forgotten
from daybook.demo.model.grammar.language.chat.read.known import asked_of_oneself
from daybook.demo.model.grammar.language.chat.read.wishes import LEAD, said_by, wish_behind
from daybook.demo.model.grammar.language.chat.vocabulary import COLOURS, MATERIALS
from daybook.demo.model.grammar.language.intents import Intent
from daybook.demo.model.grammar.language.intents_past import Remember
from daybook.demo.model.grammar.language.tokens import Token
from daybook.demo.model.grammar.language.words import NOUNS, fold

Told = tuple[tuple[Intent, ...], Sequence[Token]]

_WANTED: Final = (
    r"(?:(?:(?:can|could|would|will) you |i want you to |you should )?(?:please )?(?:remember(?:"
    r" me)?"
    r"|note|keep in mind|make a note|do not forget|you should know|be aware|just so you know"
    r"|for the record|fyi|for your information|write|save|store|put me down|put down)"
    r"(?: down)?(?: please| that| of|,|:)* )"
)
_SIZE: Final = r"(?:size |sizes )?(\d{1,2}(?:\.5| and a half)?|x{0,3}[sml]|small|medium|large)"
_SYSTEM: Final = r"(?: (?:uk|us|eu|european|in (?:eu|us|uk)(?: sizes?)?))?"
_SHOES: Final = r"(?:hiking |walking |trail |running )?(?:shoes?|boots?|trainers|footwear)"
_WORN: Final = rf"(?:{_SHOES}|(?:rain )?(?:jackets?|coats?)|socks?|clothes|clothing|tops?|shirts?)"
_IN: Final = rf"(?: (?:in|for) (?:my |the )?({_WORN})| ({_WORN}))?"
_WHO: Final = (
    r"(?:i|we|(?:my|our|the) (?:\w+ ){0,2}?(?:son|daughter|wife|husband|partner|dad|father|mum|mom"
    r"|mother|brother|sister|kids?|boy|girl|girlfriend|boyfriend|friend|nephew|niece|grandson"
    r"|granddaughter|family|feet|youngest|eldest|oldest)|he|she|they)"
)
_OFTEN: Final = (
    r"(?:(?:usually|normally|always|mostly|generally|do|just|only|also|really|simply) )*"
)
_END: Final = (
    r"(?=$| ?,| - | (?:so|and|but|because|since|as|fyi|by the way|just so you know|please|now"
    r"|if that|for the record|thanks|i|it|can|could|show|what|do)\b)"
)
_STUFF: Final = (
    r"(?:any |anything |something |things |stuff |clothes )*(?:(?:with|of|from|in"
    r"|made (?:of|from|out of|with)|that has|containing) )*(?:any )?"
)
_NEVER: Final = re.compile(
    rf"{LEAD}{_WANTED}?(?P<who>{_WHO}) {_OFTEN}(?:ca ?n?not|can not|could not|must not|should not"
    r"|am not allowed to|is not allowed to|never|will never|would never|will not|would not"
    r"|do not ever|do not|does not|refuse to|refuses to|try not to|avoid|avoids|try to avoid)"
    r"(?: ever)?(?: (?P<verb>wear|have|use|stand|tolerate|eat|buy|do|touch|bear|abide|wearing|using"
    r"|buying|get on with|get along with|go near|deal with|sleep in|sleep on))?"
    rf" {_STUFF}(?P<what>\w+(?: (?:or|and) \w+)*)(?: (?:at all|anymore|any more|ever|products?"
    rf"|stuff|things|next to my skin|on my skin|in our house|here))*{_END}"
)
_HARMS: Final = re.compile(
    rf"{LEAD}{_WANTED}?(?P<what>\w+(?: (?:or|and) \w+)*) (?:always |really |just )*(?:(?:makes?"
    rf"|gives?"
    r"|causes?) (?P<who>me|us|him|her|them|my \w+) (?:\w+ )*?(?:itch\w*|sneez\w+|rash\w*|hives"
    r"|scratch\w*|sick|allerg\w+|trouble|eczema|come out|break out|ill|cough\w*)"
    r"|(?:itches|irritates|bothers|scratches)(?: (?:me|us|my skin|like \w+))*"
    rf"|and i do not (?:get on|get along|agree|mix))\b[^,]*?{_END}"
)
_NOT_FOR_ME: Final = re.compile(
    rf"{LEAD}{_WANTED}?(?:no|never|absolutely no|definitely no|nothing (?:with|in|made of|of))"
    rf" (?:any )?(?P<what>\w+(?: (?:or|and) \w+)*) (?:for (?:me|us)|ever|whatsoever"
    rf"|in (?:my|our) house)(?: please| thanks| ever)*{_END}"
)
_NEVER_SHOW: Final = re.compile(
    rf"{LEAD}(?:please )?do not (?:ever )?(?:show|give|offer|suggest|recommend)(?: me| us)?(?:"
    rf" ever)?"
    rf" {_STUFF}(?P<what>\w+(?: (?:or|and) \w+)*) (?:ever|ever again|again|any more|anymore)"
    rf"(?: please)?{_END}"
)
_DISLIKES: Final = re.compile(
    rf"{LEAD}{_WANTED}?(?:i (?:am (?:really )?not (?:really )?(?:a (?:big )?fan of|into|keen on"
    r"|fond of|big on)|(?:really |absolutely |just )*(?:detest|despise|loathe|hate|dislike|can not"
    r" stand|can not bear|do not (?:really )?(?:like|care for|get on with)))"
    rf" (?:the color |wearing |anything (?:in )?|things in )?(?P<what>\w+)|(?P<color>\w+)"
    r" is (?:just |really )?not (?:really )?(?:my (?:color|thing|cup of tea|style)|for me))"
    rf"(?: at all| though| either| one bit| with a passion)?{_END}"
)
_DIET: Final = re.compile(
    rf"{LEAD}{_WANTED}?(?:(?:i|we) (?:am|are|have gone|went|went fully|have been|always|only|just"
    rf"|do"
    r"|try to|will|strictly|am a|are all|exclusively|buy|purchase|wear|use|shop|stick to|keep)"
    rf"(?: (?:only|just|strictly|exclusively|a|buy|purchase|wear|use|want|to))* (?P<diet>vegan"
    r"|vegetarian)(?: (?:stuff|things|gear|products?|goods|clothes|clothing|here|myself|friendly"
    rf"|materials))*){_END}"
)
_WEARS: Final = re.compile(
    rf"{LEAD}{_WANTED}?(?P<who>{_WHO})(?:'s)? {_OFTEN}(?:wear|wears|take|takes|am|is|are|need"
    rf"|needs|have"
    r"|has|fit|fits|go for|'s)? ?(?:(?:usually|normally|always|now|in|a|an|about|around|roughly|eu"
    rf"|uk|us|women|men|ladies|mens|womens) )*{_SIZE}{_SYSTEM}{_IN}{_SYSTEM}{_END}"
)
_SIZE_IS: Final = re.compile(
    rf"{LEAD}{_WANTED}?(?:i (?:got|had) )?(?P<who>my|our|his|her|the|my \w+'s?)?"
    rf" ?(?P<name>(?:shoe|boot|jacket|sock|coat|clothes|clothing|foot|shirt|eu|uk|us) )?sizes?"
    r"(?: (?:which is|that is|is|was|has|have|should|would|changed|change|be|its|now|actually"
    r"|really|about|around"
    r"|gone"
    r"|went|up|to|it|wrong|down|,|:|a|in fact|uk|us|eu|european))*"
    rf" ,? ?{_SIZE}{_SYSTEM}(?: now| actually| really| not \d+(?:\.5)?)*{_IN}{_END}"
)
_PUT_RIGHT: Final = re.compile(
    rf"{LEAD}i (?:said|told you|wrote|gave you) (?P<old>\d\d) ?,? (?:but|and|sorry) ,? ?(?:it is"
    r"|its|i am|it should be|that is|i meant)(?: actually| really| now| a| in fact)* (?P<new>\d\d)"
    r"(?:\.5)?(?: actually| really| now)*$"
)
_WRITE: Final = re.compile(
    r"\b(?:write|put down|note|note down|save|take|remember|use|store|make it)(?: down)?"
    rf" (?=\d\d(?:\.5)? (?:for|in) (?:my |the )?{_WORN})"
)
_PAIRS: Final = re.compile(rf"(\d\d(?:\.5)?) (?:for|in) (?:my |the )?({_WORN})")
_TALL: Final = re.compile(
    rf"{LEAD}{_WANTED}?i am (?P<tall>\d (?:foot|feet|ft)(?: ?\d{{1,2}})?(?: ?inches)?|\d'\d{{1,2}}"
    r"|1\.\d\d ?(?:m|meters?|metres?)?|[12]\d\d ?cm|(?:very|really|quite|pretty|rather) (?:tall"
    rf"|short)|tall|short)(?: tall)?{_END}"
)
_LIMIT: Final = re.compile(
    rf"{LEAD}{_WANTED}?(?:(?:my|our|the) )?(?:total |whole |overall |absolute )?(?:budget|limit"
    rf"|maximum"
    r"|cap|ceiling)(?:'s| is| would be| will be|:| for (?:this|it all|everything|all of it|the lot)"
    r"(?: is)?)(?: (?:at most|about|around|up to|only|like|roughly|strictly|now))*"
    r" (?P<most>[$]?\d+(?:\.\d\d)?(?: (?:dollars|usd|bucks))?)"
    r"(?: (?:in total|all in|altogether|in all|max|tops|overall|a pair|each|per (?:item|pair|piece)"
    rf"|for (?:everything|all of it|the lot)))*{_END}"
)
_MATERIAL: Final = (MATERIALS - {"gas", "alcohol", "wood", "petrol", "fleece", "softshell"}) | {
    "feathers", "feather", "fur", "latex", "nickel",
}  # fmt: skip
_FEET: Final = (34, 50)


def told_of_oneself(sentence: Sequence[Token]) -> Told | None:
    """Return what a sentence tells, asks or takes back of a person, and the wish behind it."""
    struck = forgotten(sentence)
    if struck is not None:
        return struck
    text = said_by(sentence)
    if (asked := asked_of_oneself(text)) is not None:
        return (asked,), ()
    if sentence[-1].text == "?":
        return None
    text = _CALLED.sub("", text)
    for read in _NOTES:
        found = read(text)
        if found is not None:
            facts, rest = found
            return facts, wish_behind(rest, sentence, tells=True)
    return None


_CALLED: Final = re.compile(rf"^{LEAD}(?:please )?call me \w+(?: ,| and|, and)+ (?=i |my )")

Noted = tuple[tuple[Remember, ...], str]


def _never(text: str) -> Noted | None:
    """Read what a person cannot have: materials alone, for goods are looked for."""
    found = _NEVER.match(text)
    if found is not None and found["verb"] in (None, "do", "have", "stand", "want"):
        allowed = {"stand": True, "do": True, "have": True}.get(found["verb"] or "", False)
        if not allowed and not re.search(r"\bavoids?\b", found.group()):
            return None
    found = found or _HARMS.match(text) or _NOT_FOR_ME.match(text) or _NEVER_SHOW.match(text)
    if found is None:
        return None
    what = [one for one in re.split(r" (?:or|and) ", found["what"]) if one]
    if not what or not all(one in _MATERIAL for one in what):
        return None
    who = found.groupdict().get("who") or "i"
    if who in ("i", "we", "me", "us"):
        # What does harm is noted as it was told: nothing was denied.
        clauses = re.split(r"[,;:]| (?:and|but) ", text)
        denied = any(_DENIES.search(one) for one in clauses if what[0] in one)
        harm = "" if denied else found.group()[found.end("what") - found.start() :].strip()
        return tuple(Remember(one, harm[:40] or "never", "constraint") for one in what), text[
            found.end() :
        ]
    who = re.sub(r"^(?:my|our|the) ", "", who)
    verb = found.groupdict().get("verb")
    value = f"can not {verb or 'wear'} {' or '.join(what)}" if _DENIES.search(found.group()) else ""
    value = value or found.group()[found.start("what") - found.start() :].strip()[:60]
    return (Remember(who.removeprefix("my "), value),), text[found.end() :]


_DENIES: Final = re.compile(r"\b(?:no|not|never|avoids?|nothing|refuses?)\b")


def _disliked(text: str) -> Noted | None:
    found = _DISLIKES.match(text)
    what = (found["what"] or found["color"]) if found is not None else None
    if found is None or what not in _MATERIAL | COLOURS:
        return None
    return (Remember(what, "disliked", "preference"),), text[found.end() :]


def _diet(text: str) -> Noted | None:
    found = _DIET.match(text)
    if found is None:
        return None
    return (Remember("diet", found["diet"]),), text[found.end() :]


def _sized(text: str) -> Noted | None:
    """Read a size that is worn: of shoes where it may be one."""
    if re.search(r"\bcart\b", text):
        # "She has size M, so please to cart" is of the goods.
        return None
    if (pairs := _pairs(text)) is not None:
        return pairs
    if found := _PUT_RIGHT.match(text):
        low, high = _FEET
        is_shoe = low <= int(found["old"]) <= high and low <= int(found["new"]) <= high
        return ((Remember("shoe size", found["new"]),), "") if is_shoe else None
    found = _SIZE_IS.match(text)
    if found is not None and (found["who"] or re.match(rf"{LEAD}{_WANTED}", text)):
        size, *worn = found.groups()[2:]
        name = _name_of(size, next((one for one in worn if one), found["name"] or ""))
        value = _written(size)
        other = re.search(rf"{size} (not \d+)", found.group())
        value += f" {other[1]}" if other is not None else ""
        return (Remember(_of_whom(found["who"] or "", name, text), value),), text[found.end() :]
    found = _WEARS.match(text)
    if found is None:
        return None
    size, *worn = found.groups()[1:]
    of = next((one for one in worn if one), "feet" if "feet" in found["who"] else "")
    says = f"{found.group()} "
    if not of and " size " not in says and not re.search(r" (?:uk|eu|us) ", says):
        # "I take 42" may as well be a count.
        is_size = re.fullmatch(r"x{0,3}[sml]", size) or (size.isdigit() and 34 <= int(size) <= 50)
        if not is_size or re.search(r"\b(?:need|have|has|fit|fits|are)\b", says):
            return None
    is_bare = not of and not re.search(r"\b(?:size|an?|eu|uk|us)\b", says)
    if re.match(r"\d", size) and is_bare:
        return None
    system = re.search(r"\b(uk|us)\b", says[says.rfind(size) :])
    value = _written(size) + (f" {system[1].upper()}" if system else "")
    name = _of_whom(found["who"], _name_of(size, of), text)
    return (Remember(name, value),), text[found.end() :]


def _pairs(text: str) -> Noted | None:
    """Read sizes that are told by what they are of: "write 43 for boots but 42 for trail shoes"."""
    found = _WRITE.search(text)
    pairs = _PAIRS.findall(text, found.end()) if found is not None else []
    if not pairs or not all(_FEET[0] <= float(size) <= _FEET[1] for size, _ in pairs):
        return None
    return tuple(Remember(f"size of {worn}", size) for size, worn in pairs), ""


def _of_whom(who: str, name: str, text: str) -> str:
    """Name a size by whose it is; what of another's was not said is not told as theirs."""
    whose = _whose(who)
    kind = name.removesuffix("size").strip()
    return whose + ("size" if whose and kind and kind not in text else name)


def _whose(who: str) -> str:
    who = re.sub(r"^(?:my|our|the|i|we|his|her|he|she|they|i (?:got|had) my)\b ?|'s?$", "", who)
    return f"{who} " if who and who != "feet" else ""


def _name_of(size: str, worn: str) -> str:
    if re.search(r"shoe|boot|trainer|foot|feet", worn):
        return "shoe size"
    if re.search(r"jacket|coat", worn):
        return "jacket size"
    if "sock" in worn:
        return "sock size"
    is_shoe = re.match(r"\d\d", size) is not None and _FEET[0] <= int(size[:2]) <= _FEET[1]
    return "shoe size" if is_shoe else "size"


def _written(size: str) -> str:
    size = size.replace(" and a half", ".5")
    return size.upper() if re.fullmatch(r"x{0,3}[sml]", size) else size


def _plainly(text: str) -> Noted | None:
    """Read a height or a limit."""
    if found := _TALL.match(text):
        return (Remember("height", found["tall"]),), text[found.end() :]
    if (capped := _capped(text)) is not None:
        return capped
    found = _LIMIT.match(text)
    if found is None or any(fold(word) in NOUNS for word in text.split()):
        return None
    return (Remember("budget", found["most"], "constraint"),), text[found.end() :]


def _capped(text: str) -> Noted | None:
    """Read a limit that holds for everything: said with weight, of no goods and of no search."""
    found = _CAP.search(text)
    if found is None or not _WEIGHTY.search(text) or _LOOKS.search(text):
        return None
    if any(fold(word) in NOUNS for word in text.split()):
        return None
    words = [found["deny"], found["above"]] if found["deny"] else [found["most"]]
    value = " ".join(part for part in (*words, found["one"] or found["two"]) if part)
    return (Remember("budget", value, "constraint"),), text[found.end() :]


_LOOKS: Final = re.compile(
    r"\b(?:find|look|looking|search|need|recommend|suggest|show me (?!any|nothing)|show us|how|what"
    r"|which|would you|could you|can you)\b"
)
_CAP: Final = re.compile(
    r"\b(?P<deny>nothing|never|not|no) (?:\w+ ){0,4}?(?P<above>above|over|more than"
    r"|beyond|dearer than|past) (?P<one>[$]?\d+(?:\.\d\d)?(?: (?:dollars|usd|bucks))?)\b"
    r"(?! (?:g|grams|kg|litres|lumens?|people"
    r"|nights?|days?|times|years?|stars?)\b)"
    r"|\b(?P<most>max|maximum|at most|up to|no more than|under|below|within|less than)"
    r" (?P<two>[$]?\d+(?:\.\d\d)?(?: (?:dollars|usd|bucks))?) (?:per (?:piece|item|thing|pair"
    r"|product)"
    r"|each|a (?:piece|pop|pair|go)|apiece|for (?:everything|anything)|in total|altogether|all"
    r" in)\b"
)
_WEIGHTY: Final = re.compile(
    r"\b(?:just so you know|for the record|fyi|in mind|remember|hard limit|strict|strictly|broke"
    r"|skint"
    r"|never|absolutely|ever|my limit|tight|always|student)\b"
)

_NOTES: Final[tuple[Callable[[str], Noted | None], ...]] = (
    _never, _disliked, _diet, _sized, _plainly,
)  # fmt: skip
