"""The stand-in on sentences that hold a verb or a count of the cart, and ask for no change of it."""

import pytest

from daybook.demo.model.grammar.language.chat.told import wants_nothing
from daybook.demo.model.grammar.language.plain import tokens_of
from tests.words.dialogue import dialogues, held
from tests.words.shop_talk import BOOTS, ShopTalk

NOTHING_IS_WANTED = """
would two be enough
shall i take two of them
do you have two of them
do i have two
would you take two if you were me
wld you take the second one
whould two do
how much would it be with two
what makes 2 better than one
can people buy two
i removed it earlier
i thought i removed it
i put two in yesterday i think
last time i ordered 3
i sold two of them last year
ive got 2 at home already
i only have 100
you put two in
so u added 2
my wife says i should take two
the page said add two
my brother took both
they'd buy both
people usualy take two
i always take two on a trip
theres two of them in there
tempted to take two
i was going to take two
hopefully two is enough
would be nice to have two
number 2 looks nice
i like the second one
i prefer the first
thanks for the two tips
thx for adding the second
no need for two
theres no need to add two
neednt add it
dont add it yet
dont replace it with the first
do not make it 2
never add two of them
stop adding it
i dont need two
i dont need another one
no more boots
no other boots
say two
say "add it"
remember i wanted two
let me know when you have two
thats twice the price
i need it by the second
at first i wanted two
first things first
i need to see it first
put them in order
put them side by side
give it a rest
take it easy
one more thing
one sec
have a nice day
can you reserve two for me
can you put it aside for me
put it on my wishlist
its fine as it is
129
129 is fine
oh ok
hm ok
sure?
yes?
go ahead and tell me
yeah but is it waterproof
sounds good but whats the total
thats fine but how heavy is it
undo?
get it?
can i put it in the washing machine
can i take it on a plane
im taking it to norway
i need it by friday
i need it for a trip in may
take 150 as the limit
lower it to 80
forget about it, whats the total
pick it up in store
reserve the second one
add them together
add those two together, whats that
put it in dollars
take it times 3
get me both reviews
include everything
the tent
could i add two of those?
put it in writing
pay half now
another thing
anything but that
never mind that one
skip the first
in theory i would take it
nice one
gotcha
on the 2nd
scratch that
add it to the comparison
place order?
for three of us
please forget that about the wool
so can i read the reviews first
so two pairs, right? not four?
isnt that just 1
is that still under 60?
would two still be below 30?
my dog is 3
there are 2 of us, first time camping
""".strip().splitlines()


@pytest.mark.parametrize("sentence", NOTHING_IS_WANTED)
@pytest.mark.parametrize(
    "before",
    [
        [BOOTS, "tell me about the second one"],
        [BOOTS, "add the second one"],
        [BOOTS, "add the second one", "add SOCK-012"],
    ],
    ids=["offered", "added", "two added"],
)
def test_nothing_is_changed_by_what_only_asks_or_tells(
    talk: ShopTalk, before: list[str], sentence: str
):
    for said in before:
        talk.say(said)
    cart = dict(talk.cart)
    talk.say(sentence)
    assert talk.cart == cart
    assert not {name for name, _ in talk.calls} & {"checkout", "cancel_order"}


@pytest.mark.parametrize(
    "text",
    [
        "is it waterproof? add it then",
        "i like the first but ill take the third",
        "i put the wrong one in, swap it for the first",
        "you said two, make it two",
        "can you add it",
        "could i get two of those",
        "can you take it out",
        "would you put it in please",
        "dont forget the socks",
        "no wait, 2",
        "i wanted two",
        "i meant the third",
        "take two",
    ],
)
def test_a_wish_beside_what_is_asked_or_told_is_one(text: str):
    assert not wants_nothing(tokens_of(text))


DIALOGUES = """
# what was told the price of is what "it" is
BOOTS / how much is the third / add it & BOOT-007 x1
# a price and a wish stand in one text
BOOTS / how much is the third? add it anyway & BOOT-007 x1
# a count behind the thing is how many of it
BOOTS / add the 2nd one, 2 pairs & BOOT-004 x2
# the cheapest two may be two of it, or the two that are cheapest
BOOTS / add the cheapest two & ~ Shall I put BOOT-001 into your cart (quantity 2)
# where one is there, and two more are offered, one is plenty
BOOTS / add the second one & BOOT-004 x1
how heavy is it
ok fine. 2 of them, we're 14 people & BOOT-004 x1 ~ (quantity 2)
hmm my wife says one is plenty. one & BOOT-004 x1
# a size is no count
BOOTS / add the second in 43 & BOOT-004 x1
# so many of each are asked about where there are several
: filled
two of each & BOOT-004 x1, SOCK-012 x2 ~ ?
# one of them, where one of each is there
: cart BOOT-004 x1, SOCK-012 x1
what's in my cart / remove one of them & BOOT-004 x1, SOCK-012 x1 ~ Which one shall I remove
# something is nothing certain
: cart BOOT-004 x1, SOCK-012 x1
thats too much, remove something & BOOT-004 x1, SOCK-012 x1 ~ ?
# to start over may mean the conversation
: cart BOOT-004 x1
lets start over & BOOT-004 x1 ~ Shall I take everything out of your cart?
# a comparison is of two, and of more it is asked about
BOOTS / put the cheaper 1 in my cart & ~ Shall I put BOOT-001 into your cart?
# a second one is one more, and no place of the list
BOOTS / add the first / add a second one & BOOT-001 x2
# a number alone chooses from what was asked about
BOOTS / add socks / two & SOCK-003 x1
# what another one is of is asked about where none is there
BOOTS / tell me about the second one / another one & ~ Shall I put BOOT-004 into your cart
# nothing was done that could be undone
BOOTS / tell me about the second one / undo & !-> add_to_cart
# a question that is open says what a yes would come to
BOOTS / tell me about the second one / whats the total ~ your cart would come to 129.00 USD
# of the same sort is no more of the same
add 3 SOCK-012 / no wait, 2 / and BOOT-004, same sort & SOCK-012 x2, BOOT-004 x1
# what went in meanwhile is not told as missing
BOOTS / tell me about the second one
: cart BOOT-004 x1
whats the total ~ would come to 258.00 USD !~ Not in your cart yet
## a count right after a change is how many there shall be, and more of it as more
add SOCK-012 / two more kids signed up, so 4 in total & SOCK-012 x4
add SOCK-012 / one more for my roomie & SOCK-012 x2
add SOCK-012 / ok he says only one pair, the other would be too small & SOCK-012 x1
add SOCK-012 / add POLE-002 / make it 2 of each & SOCK-012 x2, POLE-002 x2
## a number alone is how many, when the list has gone by
BOOTS / tell me about the second one / I'll take 3 & BOOT-004 x3
BOOTS / tell me about the second one / ouch. 1 & BOOT-004 x1
# into the cart, behind what is said of it
BOOTS / tell me about the second one / blue, good. so please to cart & BOOT-004 x1
## a wish to pay right after an offer is a yes to it
BOOTS / tell me about the second one / ok pay now ->> add_to_cart checkout
BOOTS / tell me about the second one / can i pay now? !-> add_to_cart
# several that may be wanted are asked about once
BOOTS / put the first and the second in the cart, so we know whose is whose & ~ Shall I put both of them (BOOT-001, BOOT-004) into your cart?
# a number behind "take" may be a place or a count
BOOTS / I'll take 3 & ~ Shall I put BOOT-007 into your cart
# what is added is asked again where something else is to be had first
BOOTS / add the boots / now let me pay ~ Which one shall I add?
# what is left of the money that was named
: cart SOCK-012 x2
how much is left of my 100? ~ 76.00 USD is left
# what is left of the money that was told of before
need wool socks, i have 40 to spend / add SOCK-012 / how much have i got left ~ 28.00 USD is left
## "that one" is nothing that was shown, where it was asked which one and none was named
: said tell me about BOOT-004
what did I buy last time? / yes, that one, add it & ~ Shall I put BOOT-004 into your cart
do you remember the one my wife wanted? / ok add that one & ~ Shall I put BOOT-004 into your cart
how heavy is it / which one did I say I liked? / yes, that one, add it & ~ Shall I put BOOT-004
which one did I say I liked? / add BOOT-004, that one & BOOT-004 x1
# what was liked is shown again, and is what "that one" is
BOOTS / I like the Pine Hollow boots best so far / how heavy is BOOT-004
which one did I say I liked? ~ BOOT-001 !~ BOOT-004
yes, that one, add it & BOOT-001 x1
# where there is nothing to buy, to get it is to have it
tell me about BOOT-004 / how heavy is it / get that & BOOT-004 x1
# money that is left is a limit, and so is a price that was told
need wool socks, i have 100 to spend / add 2 of SOCK-012 / so what's left for the poles? ~ 76.00 USD is left
are there trekking poles for me in that? -> search_products query=trekking poles, max_price=7600
tell me about BOOT-004 / are there hiking boots cheaper than that? -> search_products query=hiking boots, max_price=12899
# what the cart comes to without a thing, or with fewer of it
: cart BOOT-004 x1, SOCK-012 x4
and what would it be without the boots? & BOOT-004 x1, SOCK-012 x4 ~ would come to 48.00 USD ~ Shall I take BOOT-004 out
add 2 more of SOCK-012 / if I dropped one what would the total be? ~ would come to 189.00 USD
# a number of the one thing in the cart is how many of it go
: cart SOCK-012 x12
hmm, take 2 out again & SOCK-012 x10 ~ Changed to 10
# the others are the list on view
BOOTS / tell me about the second one / show me the others again ~ 3. **Fern Gully
"""


@dialogues(DIALOGUES)
def test_what_may_mean_more_than_one_thing(lines: list[str], talk: ShopTalk):
    held(lines, talk)


SIZES = """
## a size that is not made is told before anything is added
: said BOOTS
= get_product r9 get_product ok\\nBOOT-004 | Alder Ridge Waterproof Hiking Boot | 129.00 USD | 4.6 of 5 (31) | 14 in stock\\nA boot.\\nattributes: sizes=40-49, weight_g=450
add the second one, size 38 & ~ does not come in 38: sizes: 40-49 ~ Shall I put BOOT-004 into your cart?
add the second in 38 & ~ Shall I put BOOT-004 into your cart
add the second one, size 43 & BOOT-004 x1
"""


@dialogues(SIZES)
def test_a_size_is_looked_up(lines: list[str], talk: ShopTalk):
    held(lines, talk)


@pytest.mark.parametrize(
    "said",
    ["need to ask my mum", "my old one lasted ten years though so i guess its worth it"],
)
def test_what_wants_nothing_is_not_called_misunderstood(said: str, talk: ShopTalk):
    talk.say(BOOTS)
    assert "I did not understand" not in talk.say(said)
    assert not talk.calls
