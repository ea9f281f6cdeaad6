"""The stand-in on sentences that leave out a word or two, and on what stands beside them."""

import pytest

from daybook.demo.model.grammar.language.intents.goods import AskProperty
from daybook.demo.model.grammar.language.intents.past import Remember
from daybook.demo.model.grammar.language.reading import understand
from daybook.demo.model.grammar.language.tokens import tokenise
from tests.words.dialogue import dialogues, held
from tests.words.shop_talk import ShopTalk
from tests.words.utterances import NAMES


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("headlmp wit red lihgt", "headlamp with red light"),
        ("brigth lamp", "bright lamp"),
        ("the diff between the two", "the difference between the two"),
        ("a diff colour", "a different color"),
        ("this is diff", "this is different"),
        ("whats ur fav", "what is your favourite"),
        # A word that is right as it stands stays.
        ("trial run", "trial run"),
        ("a quiet tent", "a quiet tent"),
        ("a causal walk", "a causal walk"),
    ],
)
def test_letters_that_changed_places_and_short_forms_are_read(text: str, words: str):
    assert " ".join(token.text for token in tokenise(text)) == words


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("so what CAN i buy here", "AskKinds()"),
        ("what else can we get here", "AskKinds()"),
        ("what can i order from you", "AskKinds()"),
        ("what was the first thing i asked you for", "Reopen(place=1)"),
        ("what is the last thing i looked for", "Reopen(place=-1)"),
        ("moss bridge, available?", 'AskProperty(Named(("moss", "bridge"), True), ("stock",))'),
        (
            "the moss bridge still in stock?",
            'AskProperty(Named(("moss", "bridge"), True), ("stock",))',
        ),
        ("flasks included?", 'AskProperty(It(), ("flasks",))'),
        ("are pegs included", 'AskProperty(It(), ("pegs",))'),
        (
            "how many litres does the cheapest one hold",
            'AskProperty(Extreme("cheapest"), ("capacity",))',
        ),
        ("how many litres does the lightest one hold", 'Pick(Extreme("lightest"))'),
        ("which is the cheapest one", 'Pick(Extreme("cheapest"))'),
        ("litres each?", 'AskProperty(It(True), ("litres",))'),
        ("weight of each one", 'AskProperty(It(True), ("weight",))'),
        ("one of each", None),
        ("is tax included?", 'AskPolicy("currency")'),
        ("shipping included?", 'AskPolicy("shipping")'),
    ],
)
def test_what_is_left_out_is_understood(text: str, meant: str | None):
    if meant is None:
        assert not [one for one in understand(text) if isinstance(one, AskProperty)]
    else:
        assert list(understand(text)) == [eval(meant, dict(NAMES))]


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        ("i take L in jackets and 41 in shoes", {"jacket size": "L", "shoe size": "41"}),
        ("i wear 42 in boots and M in jackets", {"shoe size": "42", "jacket size": "M"}),
        ("remember i need a 39 in boots but S in coats", {"shoe size": "39", "jacket size": "S"}),
        ("write 43 for boots and 42 for trail shoes",
         {"size of boots": "43", "size of trail shoes": "42"}),
        ("i wear M in jackets", {"jacket size": "M"}),
    ],
)  # fmt: skip
def test_sizes_are_noted_by_what_they_are_of(text: str, sizes: dict[str, str]):
    found = [one for one in understand(text) if isinstance(one, Remember)]
    assert {one.subject: one.value for one in found} == sizes


LEFT_OUT = """
## what it is of is asked of what was spoken of
: said tell me about TENT-001
alu poles or fibreglass? !-> search_products ~ Two Person Tent
steel or aluminium poles? !-> search_products ~ Two Person Tent
poles or tents? ->> search_products
## what was offered goes into the cart
: said tell me about BOOT-004
nice. into the basket & BOOT-004 x1
ok, in the cart & BOOT-004 x1
ok cart & BOOT-004 x1
in the cart? &
cart &
what is in the basket &
## what was spoken of and not offered is asked about
: said tell me about BOOT-004; said any reviews of it?
ok cart & ~ BOOT-004
ok cart / yes & BOOT-004 x1
## the sum is told again after a change
: cart BOOT-004 x1, SOCK-012 x1; said remove the socks
and now ~ Total: 129.00 USD
so now? ~ Total: 129.00 USD
now then ~ Total: 129.00 USD
now show me tents -> search_products query=tents
## which one is meant is told by its number
: said add BOOT-004; said add POLE-002
no i meant BOOT-007 not 004 & BOOT-007 x1, POLE-002 x1
sorry, not BOOT-004 but BOOT-007 & BOOT-007 x1, POLE-002 x1
i said BOOT-007, not BOOT-004 & BOOT-007 x1, POLE-002 x1
i meant BOOT-007, not 2 of them & BOOT-004 x1, POLE-002 x1
# nothing goes that is not there
: cart POLE-002 x1
no i meant BOOT-007 not 004 & POLE-002 x1
## pairs are a count, and no place in a list
: said I need waterproof hiking boots under 150; said does it have a heel
sold. 1 pair & ~ Which one
2 pairs please & ~ Which one
the 2nd & ~ Alder Ridge
## what comes first is no place in a list
: said I need waterproof hiking boots under 150
kid first. anything under 30 !-> get_product
the first, what does it weigh -> get_product sku=BOOT-001
## a name that is taken leaves open what was asked
: said I need waterproof hiking boots under 150; said but reviews?
ok alder ridge it is & BOOT-004 x1
alder ridge it is then & BOOT-004 x1
fine, i'll take the alder ridge & BOOT-004 x1
alder ridge &
the alder ridge, what is it like &
## what is asked of an order is asked of it
: order DB-10001 placed 129.00 USD; said where is my order
now where is it ->> list_orders
well, is it on its way ->> list_orders
## what is asked of each is told of each
: said I need waterproof hiking boots under 150
weight each? ->> get_product get_product get_product
how heavy is each of them ->> get_product get_product get_product
## what is skipped is left as it is
: said tell me about BOOT-004
nah skip it then !~ did not understand
skip it & !~ did not understand
no, skip that & !~ did not understand
## money that is taken from the card buys what is in the cart
: cart BOOT-004 x1
and please take the money from my card and send them off ->> checkout
get the payment off my card ->> checkout
take the money from my budget !-> checkout
when do you take the money from my card !-> checkout
do not take the money from my card !-> checkout
take the money from my card once it ships !-> checkout
take the money from my card? !-> checkout
he said take the money from my card !-> checkout
# what is sold out is said to be
night path headlamp, available? / is LAMP-005 in stock? ~ Night Path Headlamp is sold out.
# the kind is the one that was spoken of, where something else is offered
day hiking backpack / is the day hiking backpack waterproof / add TENT-001 / how heavy is that pack -> get_product sku=PACK-009
"""


@dialogues(LEFT_OUT)
def test_a_dialogue_of_little_said(lines: list[str], talk: ShopTalk):
    held(lines, talk)
