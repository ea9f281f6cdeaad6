"""The words that say something of goods, and those that say nothing: for sentences of no rule."""

from collections.abc import Sequence
from typing import Final

from daybook.demo.model.grammar.language.chat.names import has_model
from daybook.demo.model.grammar.language.words import ADJECTIVES, NOUNS, NUMBERS, fold

COLOURS: Final = frozenset(
    """
    black white red blue green grey gray brown yellow orange purple pink navy olive forest slate
    sand stone moss mist plum flame teal clay ocean lake pine denim charcoal khaki rust sky brick
    lichen smoke sage graphite oatmeal cream coral spruce
    """.split()  # noqa: SIM905
)
MATERIALS: Final = frozenset(
    """
    wool merino down synthetic leather nylon polyester cotton carbon aluminium aluminum titanium
    steel stainless plastic silicone silk bamboo cork foam rubber canvas suede nubuck mesh gas
    alcohol wood petrol fleece softshell goose duck membrane
    """.split()  # noqa: SIM905
)
FEATURES: Final = frozenset(
    """
    waterproof windproof insulated breathable light lightweight ultralight warm heavy thick thin
    rechargeable usb folding foldable collapsible freestanding compact filter vacuum thermal hood
    hooded rain winter summer snow season running trail trekking hiking camping mountain
    expedition family kids kid children men women man woman unisex hydration overnight roll-top
    day liner crew ankle knee mid high low soft shock-absorbing long-range red-light headlight
    integrated canister liquid fuel burning two-burner three-season three-layer mummy quilt
    shell parka flask daypack sleeping piezo water warmest warmer lighter hydration anti-shock
    cushioned cushion stretch sturdy durable comfortable cheap budget matching camp system
    resoleable serviceable cover
    """.split()  # noqa: SIM905
)
PROPERTIES: Final = frozenset(
    """
    weight weigh weighs heavy mass size sizes color colour colours colors material materials fabric
    fit comfort temperature temp height length packed folded capacity volume litres liters lumen
    lumens brightness battery batteries runs charge charging rechargeable fuel grip sole hood fill
    filling filled insulation seasons season cushion shape poles pegs waterproof windproof
    waterproofing dimensions measurements boil boiling reach range filter denier thickness
    """.split()  # noqa: SIM905
)
"""Words that ask for a property and name no goods by themselves."""
BRANDS: Final = frozenset(
    """
    ironbark greyhen juniper fieldnote dunmore eastfell brightwater cairnfield
    """.split()  # noqa: SIM905
)
"""The first words of the makers' names that are no word for a place of the shop's as well."""

GOODS: Final[frozenset[str]] = COLOURS | MATERIALS | FEATURES | ADJECTIVES | BRANDS
"""Words by which a search is narrowed."""

SILENT: Final = frozenset(
    """
    a an the and or but so then also plus if of for with without in on at to from by as into onto
    about than that this these those it its they them their there here i me my mine you your yours
    we us our he him his she her who whom what which when where why how is are am was were be been
    being do does did done have has had having will would can could should shall may might must
    not no yes please thanks ok okay well just only really very too quite more most less least
    some any all both each every other another one ones thing things something anything stuff
    show find look looking search see view get give want need like love prefer recommend suggest
    tell know think guess say said mean meant go going goes come comes make makes take takes put
    add buy order got let now today again still already yet ever never always also even sure maybe
    perhaps kind sort type types lot bit pair pairs piece pieces set around roughly approximately
    under over below above between up max maximum min minimum tops limit price priced cost costs
    costing cheaper expensive dollars dollar usd bucks money budget spend euros euro pounds gbp eur
    people person persons planning plan week weeks month months year years day days trip trips
    holiday vacation work works working good better best nice great fine okay perfect decent
    because since while though although until before after during next last first second third
    same instead rather preferably ideally possibly probably hopefully size sizes sized review
    reviews rated rating ratings stars star dad mum mom son daughter wife husband friend brother
    sister old new number option item items product products cart list shop store sell sold stock
    available left anymore matter matters much many few little big large small long short thats
    whats hello hi hey thank cheers bye sorry wait hold hang actually alright right
    """.split()  # noqa: SIM905
)
"""Words that say nothing to a search."""


def says_goods(word: str) -> bool:
    """Tell whether a word narrows a search, or names a kind of goods."""
    return word in GOODS or fold(word) in NOUNS or fold(word) in GOODS


def names_goods(words: Sequence[str]) -> bool:
    """Tell whether words are a product's name, with nothing beside it but what it is."""
    return has_model(words) and all(
        says_goods(word) or word in _COUNTED or has_model(words[max(0, at - 1) : at + 2])
        for at, word in enumerate(words)
    )


_COUNTED: Final = NUMBERS.keys() | frozenset({"person", "man", "season", "layer", "burner", "kids"})
"""What a name counts: "one person tent"."""


def is_content(word: str) -> bool:
    """Tell whether a word means something by itself."""
    return word not in SILENT and len(word) > 1


def is_a_name(word: str) -> bool:
    """Tell whether a word may be part of a product's own name: it is no word of every day."""
    return word.isalpha() and word not in SILENT and not says_goods(word)
