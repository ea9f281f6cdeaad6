"""What is asked again of other goods, and what is asked though it reads as a wish. Pure prompt in.

"And the Pine Ledge?" asks what was asked before; "ship to Canada?" buys nothing; "the lightest
synthetic one" is the most of those that are so.
"""

import re
from dataclasses import replace
from typing import Final

from daybook.demo.model.grammar.language.chat.frames.things import SUPERLATIVES
from daybook.demo.model.grammar.language.chat.joining.idle import names_nothing
from daybook.demo.model.grammar.language.chat.names import has_model
from daybook.demo.model.grammar.language.chat.vocabulary import (
    COLOURS,
    MATERIALS,
    is_a_name,
    says_goods,
)
from daybook.demo.model.grammar.language.intents.cart import Add, Doubtful
from daybook.demo.model.grammar.language.intents.goods import (
    AskPrice,
    AskProperty,
    Details,
    Mention,
    Pick,
    Reviews,
    Search,
    Times,
)
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.orders import AskPolicy, Checkout, OrderNews
from daybook.demo.model.grammar.language.intents.references import (
    By,
    Choice,
    Every,
    Extreme,
    It,
    Named,
)
from daybook.demo.model.grammar.language.intents.talk import Finished, NotUnderstood, Talk
from daybook.demo.model.grammar.language.reading import understand
from daybook.demo.model.grammar.language.words import NOUNS, NUMBERS, fold, kind_of, kind_of_item
from daybook.demo.model.grammar.seen.prompt import Prompt
from daybook.demo.model.grammar.seen.scene import scene_of
from daybook.demo.model.grammar.units import COUNTED, UNITS


def of_the_most(intent: Intent) -> Intent:
    """Read "the cheapest waterproof one" as the most of those that are so, not as a name."""
    match intent:
        case Mention(Named() as item, None) if (most := _most(item)) is not None:
            return Pick(most)
        case Add(Named() as item, 1, False, False) if (most := _most(item)) is not None:
            return replace(intent, item=most)
        case Doubtful("add", (Named() as item,), 1) if (most := _most(item)) is not None:
            return Pick(most)
        case _:
            return intent


_MOST_OF: Final = {
    word: by for word, by in SUPERLATIVES.items() if word.endswith("est") and word != "best"
}


def _most(item: Named) -> Extreme | None:
    first, *rest = item.words or ("",)
    words = tuple(word for word in rest if word not in ("of", "the", "all"))
    is_so = item.definite and item.max_price is None and words and not has_model(words)
    if first not in _MOST_OF or not is_so or not all(map(_says_so, words)):
        return None
    return Extreme(_MOST_OF[first], words)


def _says_so(word: str) -> bool:
    return says_goods(word) or word.isdigit() or word in UNITS | COUNTED | NUMBERS.keys()


def not_sent(intent: Intent, text: str) -> Intent:
    """Take "ship to Canada?" for a question: where nobody lives, nothing is sent."""
    match intent:
        case Checkout(None, Choice(words)) if words and not _A_HOME & {*words}:
            asks = text.rstrip().endswith("?") or _ASKS_WHETHER.match(text.lower())
            return AskPolicy("shipping") if asks and not _BUYS_TOO.search(text.lower()) else intent
        case _:
            return intent


_A_HOME: Final = frozenset(
    """
    home house work office flat apartment place cabin address same usual default other first second
    last mum mums mom moms mother mothers dad dads parents sister brother friend friends neighbour
    """.split()  # noqa: SIM905
)
_ASKS_WHETHER: Final = re.compile(
    r"\W*(?:(?:hello|hi|hey|and|so|ok|but|also|oh|please|one question|question)\W+)*"
    r"(?:is (?:it|this|that) possible|(?:can|could|do|does|will|would|may) (?:i|it|you|we|they"
    r"|the \w+|this|that)\b)"
)
_BUYS_TOO: Final = re.compile(r"\b(?:buy|order|check ?out|checkout|pay|purchase|charge|card)\b")


def as_before(intent: Intent, prompt: Prompt) -> tuple[Intent, ...]:
    """Ask of another product what was asked last: "and the second one?"."""
    asks_too = _ASKS_TOO.match(prompt.turn.text.lower())
    if asks_too is None or not prompt.past or not isinstance(intent, Mention | Details):
        return (intent,)
    before_it = understand(prompt.past[-1].text)
    asked = [one for one in before_it if isinstance(one, AskProperty | AskPrice | Reviews | Pick)]
    if isinstance(intent.item, Extreme) and asked and not isinstance(asked[-1], AskPrice | Reviews):
        return (Pick(intent.item),)
    asked = [replace(one, item=intent.item) for one in asked if not isinstance(one, Pick)]
    return tuple(dict.fromkeys(asked)) or (intent,)


def asked_too(intent: Intent, prompt: Prompt) -> tuple[Intent, ...]:
    """Ask of a product that is only named what was asked before: nothing says it shall be had."""
    text = prompt.turn.text.lower()
    match intent:
        case Add(Named(words) as item, 1) | Doubtful("add", (Named(words) as item,), 1) if (
            has_model(words) and prompt.past and not _WANTS_IT.search(text)
        ):
            before = understand(prompt.past[-1].text)
            asks = all(isinstance(one, AskProperty | AskPrice | Reviews | Talk) for one in before)
            is_asked = asks and _ASKS_TOO.match(text) is not None
            return as_before(Mention(item), prompt) if is_asked else (intent,)
        case Pick(Extreme("cheapest", ())) if _OF_THE_SHOP.search(text) and (
            words := _sought(prompt)
        ):
            # "What is your cheapest one": of all that were looked for, and not of those on view.
            return (Pick(Extreme("cheapest", words)),)
        case Search() if (
            intent == Search() and _HAVE_ANY.fullmatch(text) and (words := _sought(prompt))
        ):
            # "Do you have any?"
            return (Search(" ".join(words)),)
        case Search(query, max_price=None, min_price=None, measures=()) if query in _MORE_OF and (
            words := _sought(prompt)
        ):
            # "Is there a quicker one?": the quickest of all that were looked for.
            of_those = _OF_ONE.match(text) is not None
            return (Pick(Extreme(_MORE_OF[query], () if of_those else words)),)
        case Times(1, also=()) if prompt.past and (again := _ONE_MORE.search(text)):
            # "What would two be?" "And if I got a third one?"
            sums = [one for one in understand(prompt.past[-1].text) if isinstance(one, Times)]
            count = _SO_MANY[again[1]]
            is_more = len(sums) == 1 and sums[0].count == count - 1
            return (replace(sums[0], count=count),) if is_more else (intent,)
        case Doubtful("keep", (Named(words),)) if (
            kind_of(words) is not None
            and not has_model(words)
            and not prompt.now.cart
            and not _COUNTS.search(text)
        ):
            # "Only socks", where there is no cart of which they could be kept.
            return (Search(" ".join(words)),)
        case Search(query) if (
            query
            and {*query.split()} <= _PARTS
            and _is_short(text)
            and scene_of(prompt).focus is not None
        ):
            # "Rain cover?" asks it of what was told of, and looks for no such thing.
            return (AskProperty(It(), tuple(query.split())),)
        case Search(query, narrows=False) if _is_of_it(query, text) and prompt.past:
            # "Can you tumble dry them?" looks for no tumble.
            many = re.search(r"\b(?:them|these|those|they)\b", text) is not None
            asked = AskProperty(It(many), tuple(query.split()))
            return (of_both(asked, text, prompt),)
        case Finished() if prompt.past and text.rstrip().endswith("?"):
            return (OrderNews("done"),)
        case Pick(Extreme(by, ())) if prompt.past and not _OF_THOSE.search(text):
            # "The lightest tent?" "And the cheapest?": of all tents, not of those that are light.
            words = _most_asked(by, prompt)
            return (Pick(Extreme(by, words)),) if words else (intent,)
        case Talk() | NotUnderstood() | AskProperty(It()) | Search() if (
            prompt.past and _EVEN_IF.match(text)
        ):
            # "Even if it was worn?": it is said of what was promised before.
            before = understand(prompt.past[-1].text)
            is_promised = bool(before) and isinstance(before[0], AskPolicy)
            names = isinstance(intent, Search) and not names_nothing(intent)
            return before[:1] if is_promised and not names else (intent,)
        case _:
            return (intent,)


_PARTS: Final = frozenset(
    """
    rain cover hip belt porch pegs pockets pocket straps strap zip zips pit footprint groundsheet
    laces insole insoles lining tips baskets stuff sack carry lid straw handle clip vestibule doors
    """.split()  # noqa: SIM905
)
"""Parts that goods have, and that are not sold apart."""
_FEW: Final = 4


def _is_short(text: str) -> bool:
    return (
        len(text.split()) <= _FEW and re.search(r"\b(?:show|find|sell|need|want)\b", text) is None
    )


def _is_of_it(query: str, text: str) -> bool:
    """Tell whether words of no goods are asked of "them", and not looked for."""
    words = query.split()
    names_none = kind_of(words) is None and not has_model(words)
    return names_none and any(map(is_a_name, words)) and _OF_IT.match(text) is not None


_COUNTS: Final = re.compile(rf"\d|\b(?:{'|'.join(NUMBERS)})\b")
_OF_IT: Final = re.compile(
    r"\W*(?:(?:and|so|ok|but|also)\W+)*(?:can|could|may|should|do|does|will|would|is|are)"
    r" (?:you|i|we|one|it|they|these|those|that)\b(?!.* (?:have|sell|got|stock|carry|show|find)\b)"
    r".*\b(?:it|them|these|those|that|this|they)\b"
)
_HAVE_ANY: Final = re.compile(
    r"\W*(?:(?:so|and|well|ok|but|please)\W+)*(?:do|have|did)? ?(?:you|u|ya)"
    r"(?: (?:have|hav|got|sell|stock|actually|even|really))* (?:any|some|them|one|such)\W*"
)
_SO_MANY: Final = {
    "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "fifth": 5, "sixth": 6,
}  # fmt: skip
_ONE_MORE: Final = re.compile(rf"\ban? ({'|'.join(_SO_MANY)})(?: (?:one|pair))?\b")
_MORE_OF: Final[dict[str, By]] = {
    "quicker": "quickest", "faster": "quickest", "brighter": "brightest", "bigger": "largest",
    "larger": "largest", "roomier": "largest", "taller": "tallest", "smaller": "smallest",
}  # fmt: skip


def _most_asked(by: By, prompt: Prompt) -> tuple[str, ...]:
    """Return of what goods it was asked last which has most of something else; () for none."""
    before = [one.item for one in understand(prompt.past[-1].text) if isinstance(one, Pick)]
    others = [item.words for item in before if isinstance(item, Extreme) and item.by != by]
    return others[0] if len(others) == 1 == len(before) else ()


_OF_THE_SHOP: Final = re.compile(
    r"\b(?:your|ur) (?:\w+ )?(?:\w+est|most|least)\b"
    r"|\b(?:\w+est|most \w+|least \w+)(?: one)? (?:that )?(?:you|u) (?:have|got|have got|sell|do"
    r"|stock|carry)\b"
    r"|\b(?:in|of) (?:the|your) (?:whole )?(?:shop|store|range)\b"
)


def _sought(prompt: Prompt) -> tuple[str, ...]:
    """Return the words of goods that were searched for last; none where they name no kind."""
    queries = [
        str(call.args.get("query"))
        for turn in prompt.past
        for call in turn.calls
        if call.tool == "search_products"
    ]
    words = tuple(queries[-1].lower().split()) if queries else ()
    said = tuple(word for word in words if says_goods(word) or fold(word) in NOUNS)
    return said if kind_of(said) is not None and not has_model(words) else ()


_OF_THOSE: Final = re.compile(
    r"\b(?:of (?:those|these|them|the)|(?:those|these|them)|among|out of|ones)\b"
)
_EVEN_IF: Final = re.compile(r"\W*(?:(?:and|but|also|ok|so)\W+)*(?:even|what|only)?\W*if\b")


_ASKS_TOO: Final = re.compile(
    r"\W*(?:(?:ok(?:ay)?|no+|nope|hm+|ah+|oh+|ouch|wow|cool|thanks|thank you|right|well|good|great"
    r"|fine|alright|nice|i see|got it|too (?:much|dear|expensive)|lol|haha|damn)\W+)*"
    r"(?:and|what about|how about)\b"
)
_WANTS_IT: Final = re.compile(
    r"\b(?:please|pls|plz|add|put|take|want|have|get|buy|order|need|cart|basket|in|too|also|more"
    r"|another|pairs?|for|one of|i'?ll|i|me|my)\b"
)


def of_both(intent: Intent, text: str, prompt: Prompt) -> Intent:
    """Ask of the two that were told of last what is asked of two: "what do the two weigh?".

    What is asked of "them" right after a list, or of each, is asked of all of a short one.
    """
    match intent:
        case AskProperty(It()) if _OF_TWO.search(text.lower()) or _told_of_two(prompt):
            return replace(intent, item=Every(2, exact=True))
        case AskProperty(It(many)) | AskPrice(It(many)) if many or _OF_EACH.search(text.lower()):
            scene = scene_of(prompt)
            is_list = scene.focus is None and not scene.group
            most = _WHOLE_LIST if _OF_EACH_ONE.search(text.lower()) else _SHORT_LIST
            is_list = is_list and 1 < len(scene.latest) <= most
            is_list = is_list and len({kind_of_item(r.name, r.sku) for r in scene.latest}) == 1
            one_alone = _OF_ONE.match(text.lower()) is not None
            # "Do they come in black?" asks which of them do.
            words = intent.words if isinstance(intent, AskProperty) else ()
            one_alone = one_alone or bool((COLOURS | MATERIALS) & {*words})
            return replace(intent, item=Every()) if is_list and not one_alone else intent
        case _:
            return intent


def _told_of_two(prompt: Prompt) -> bool:
    """Tell whether two were told of together last, and none of them alone since."""
    scene = scene_of(prompt)
    is_told = bool(prompt.past) and not prompt.past[-1].answer.endswith("Which one do you mean?")
    return scene.focus is None and len(scene.group) == _PAIR and is_told


_PAIR: Final = 2
_SHORT_LIST: Final = 3
"""As many as are looked up at once: of a longer list an answer would tell half."""
_WHOLE_LIST: Final = 5
_OF_EACH_ONE: Final = re.compile(r"\beach\b(?! other)")
"""Who asks of each wants all that are shown, and is not asked which one."""
_OF_EACH: Final = re.compile(
    r"\b(?:(?:of|for) (?:each|all|every one)|each of (?:them|those|these)|all of (?:them|those"
    r"|these)"
    r"|(?:they|those|these|them) all|all (?:three|four|five))\b"
)
_OF_ONE: Final = re.compile(r"\W*(?:(?:and|so|ok|but)\W+)*(?:which|what one|who)\b")


_OF_TWO: Final = re.compile(r"\b(?:(?:the|these|those|of) two|both(?: of (?:them|those|these))?)\b")
