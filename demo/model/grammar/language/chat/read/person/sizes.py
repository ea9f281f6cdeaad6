"""Read the sizes that people wear, wherever they tell or change them. Pure."""

import re
from typing import Final

from daybook.demo.model.grammar.language.chat.read.person.wishes import END, LEAD, WANTED
from daybook.demo.model.grammar.language.intents.past import Remember

Noted = tuple[tuple[Remember, ...], str]
"""What is noted, and the text behind it."""

_SIZE: Final = r"(?:size |sizes )?(\d{1,2}(?:\.5| and a half)?|x{0,3}[sml]|small|medium|large)"
_SYSTEM: Final = r"(?: (?:uk|us|eu|european|in (?:eu|us|uk)(?: sizes?)?))?"
_SHOES: Final = (
    r"(?:hiking |walking |trail |running )?(?:shoes?|boots?|trainers|footwear|feet|foot)"
)
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
_WEARS: Final = re.compile(
    rf"{LEAD}{WANTED}?(?P<who>{_WHO})(?:'s)? {_OFTEN}(?:wear|wears|take|takes|am|is|are|need"
    rf"|needs|have"
    r"|has|fit|fits|go for|'s)? ?(?:(?:usually|normally|always|now|in|a|an|about|around|roughly|eu"
    rf"|uk|us|women|men|ladies|mens|womens) )*{_SIZE}{_SYSTEM}{_IN}{_SYSTEM}{END}"
)
_PUTS: Final = (
    r"(?:(?:please|can you|could you|you can|just|i need to|i want to) )*"
    r"(?:change|update|correct|set|switch|make|adjust|alter|fix|edit|put)(?: ?:)?"
)
_SIZE_IS: Final = re.compile(
    rf"{LEAD}{WANTED}?(?:i (?:got|had) |{_PUTS} )?(?P<who>my|our|his|her|the|that|my \w+'s?)?"
    rf" ?(?P<name>(?:shoe|boot|jacket|sock|coat|clothes|clothing|foot|shirt|eu|uk|us) )?sizes?"
    r"(?: (?:which is|that is|is|was|has|have|should|would|changed|change|be|its|now|actually"
    r"|really|about|around"
    r"|gone"
    r"|went|up|to|it|wrong|down|,|:|-|a|in fact|uk|us|eu|european|not \d+(?:\.5)?|from \d+(?:\.5)?"
    r"|you (?:have|noted|saved|kept)|on file|noted|saved|but|into|out of date|outdated))*"
    rf" ,? ?{_SIZE}{_SYSTEM}(?: now| actually| really| instead| from now on| please"
    rf"| not \d+(?:\.5)?)*{_IN}{END}"
)
_PUT_RIGHT: Final = re.compile(
    rf"{LEAD}(?:i (?:said|told you|wrote|gave you)|you (?:have|have got|got) me (?:down )?as)"
    r"(?: an?)? (?P<old>\d\d) ?,? (?:(?:but|and|sorry) )?,? ?(?:it is"
    r"|its|i am|it should be|that is|i meant)(?: actually| really| now| a| in fact)* (?P<new>\d\d)"
    r"(?:\.5)?(?: actually| really| now)*$"
)
_WRITE: Final = re.compile(
    r"\b(?:write|put down|note|note down|save|take|remember|use|store|make it)(?: down)?"
    rf" (?=\d\d(?:\.5)? (?:for|in) (?:my |the )?{_WORN})"
    rf"|\b(?:i|we) (?:take|wear|am|need|have)(?: an?)? (?={_SIZE} (?:for|in) (?:my |the )?{_WORN}"
    rf"(?: ,)? (?:and|but) (?:an? )?{_SIZE} (?:for|in))"
)
_PAIRS: Final = re.compile(rf"\b{_SIZE} (?:for|in) (?:my |the )?({_WORN})")
_FEET: Final = (34, 50)


def sized(text: str) -> Noted | None:
    """Read a size that is worn: of shoes where it may be one."""
    if re.search(r"\bcart\b", text):
        # "She has size M, so please to cart" is of the goods.
        return None
    if (pairs := _pairs(text) or _of_several(text)) is not None:
        return pairs
    if (found := _NO_MORE.match(text) or _MINE.match(text)) is not None:
        return (Remember("shoe size", found["new"]),), text[found.end() :]
    if found := _PUT_RIGHT.match(text):
        low, high = _FEET
        is_shoe = low <= int(found["old"]) <= high and low <= int(found["new"]) <= high
        return ((Remember("shoe size", found["new"]),), "") if is_shoe else None
    found = _SIZE_IS.match(text)
    is_told = re.match(
        rf"{LEAD}(?:{WANTED}|{_PUTS} (?:shoe )?size (?:is|:|to|now|\d)"
        r"|(?:shoe )?size (?:is|:|now) )",
        text,
    )
    if found is not None and (found["who"] or is_told):
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
    is_worn = _whose(found["who"]) and re.search(r" (?:wears|takes) ", says)
    is_foot = size.isdigit() and _FEET[0] <= int(size) <= _FEET[1]
    is_known = re.match(rf"{LEAD}{WANTED}", text) is not None or bool(is_worn and is_foot)
    if re.match(r"\d", size) and is_bare and not is_known:
        return None
    system = re.search(r"\b(uk|us)\b", says[says.rfind(size) :])
    value = _written(size) + (f" {system[1].upper()}" if system else "")
    name = _of_whom(found["who"], _name_of(size, of), text)
    return (Remember(name, value),), text[found.end() :]


def _pairs(text: str) -> Noted | None:
    """Read sizes that are told by what they are of: "write 43 for boots but 42 for trail shoes"."""
    found = _WRITE.search(text)
    pairs = _PAIRS.findall(text, found.end()) if found is not None else []
    pairs = [(_written(size), worn) for size, worn in pairs]
    if not all(_FEET[0] <= float(size) <= _FEET[1] for size, _ in pairs if size[0].isdigit()):
        return None
    names = [_name_of(size, worn) for size, worn in pairs]
    if len({*names}) < len(names):
        names = [f"size of {worn}" for _, worn in pairs]
    told = zip(names, pairs, strict=True)
    noted = tuple(Remember(name, size) for name, (size, _) in told)
    return (noted, "") if noted else None


def _of_several(text: str) -> Noted | None:
    """Read the sizes of several people: "my daughter takes a 36 and my son a 39, i am a 41"."""
    found = list(_EACH.finditer(text))
    if len(found) < _PAIR or re.search(r"\?|\b(?:add|cart|each|pairs of)\b", text):
        return None
    notes = []
    for one in found:
        whose = _whose(one["who"])
        is_own = not whose or one["who"] in ("i", "we")
        sizes = re.sub(r" ?, ?| and ", ", ", one["sizes"].strip(" ,"))
        notes.append(Remember("shoe size" if is_own else f"{whose}shoe size", _written(sizes)))
    return tuple(notes), text[found[-1].end() :]


_PAIR: Final = 2
_FOOT: Final = r"(?:2\d|3\d|4\d)(?:\.5)?"
_EACH: Final = re.compile(
    rf"\b(?P<who>{_WHO})(?:'s)?(?: (?:usually|normally|both|all|is|am|are|takes?|wears?|has|have"
    rf"|needs?|in|a|an|size|about|shoes?|boots?))* "
    rf"(?P<sizes>{_FOOT}(?:(?: ,|,| and| ,? and) {_FOOT}(?! (?:usd|dollars|litres?)))*)"
    r"(?! ?(?:usd|dollars|litres?|l\b|years?|people|g\b|kg))"
)
_NO_MORE: Final = re.compile(
    rf"{LEAD}{WANTED}?(?:my|the) (?:shoe |boot )?size (?:is not|was) (?:a )?\d\d(?:\.5)?"
    r"(?: any ?more| any longer| now)?[ ,]+(?:but )?(?:it is|its|i am|now)(?: now| actually| a)*"
    rf" (?P<new>{_FOOT})"
)
_MINE: Final = re.compile(
    rf"{LEAD}{WANTED}?(?:a )?size (?P<new>{_FOOT}) (?:for me|is mine|is me|is what i (?:wear|take))"
    rf"{END}"
)


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
