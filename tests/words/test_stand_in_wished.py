"""What is no wish, here and now, changes nothing; what is one is done, and as often as was meant."""

import pytest

from tests.words.dialogue import dialogues, held
from tests.words.shop_talk import ShopTalk

NO_WISHES = """
## a command that is told of somebody is none
: said show me waterproof hiking boots
my brother said: take the first one &
he wrote: "add the second, they are great" &
someone told me to type: add the first &
## scorn is no wish
: said show me waterproof hiking boots
as if i'd buy the second &
like hell i'll take the first &
no way i'm taking the third &
## another day, a condition and what forbids it leave the cart
: said show me waterproof hiking boots
i'm going to take the first, but not today &
add the first once it is on sale &
add the second when it's back in stock &
i want the first but can't afford it &
i want the second but my wife says no &
add the first. hm, actually no. &
i'll add the first myself &
## what is found of two is no wish for either
: said show me waterproof hiking boots
the first is nice, the third too &
the first is dear, the second too &
i like the first, the third as well &
the first looks ok, the second too &
## idioms of taking and putting move nothing
: said tell me about SOCK-012
i'll take that as a yes &
i'll take it from here &
put it this way &
put it down to experience &
one isn't enough &
i want it but not two &
give me one reason to buy it &
promise me it's warm and i'll take it &
## a price for so many that is not the shop's is a bargain, and no count
: said tell me about SOCK-012
2 for 20 dollars &
2 for the price of one &
3 for 2 &
## a number of something else counts no goods
: cart SOCK-012 x1
: said what is in my cart
my house number is 4 & SOCK-012 x1
my number is 4 & SOCK-012 x1
he is 4 & SOCK-012 x1
my son is 5 & SOCK-012 x1
## what may be said of a list is not taken of the cart
: cart SOCK-012 x2, TENT-001 x1
: said show me waterproof hiking boots
not the cheapest one & SOCK-012 x2, TENT-001 x1
no, not the first one & SOCK-012 x2, TENT-001 x1
## a nod before something to look at consents to nothing
: said tell me about SOCK-012
fine. show me tents &
ok, show me tents &
fine, what's the return policy &
## what may come in another's place is asked about
: cart SOCK-012 x2
: said show me waterproof hiking boots
the first instead & SOCK-012 x2
never mind the socks, the first & SOCK-012 x2
not the socks, the first boot & SOCK-012 x2
"""

WISHES = """
## what is wished for is done, whatever is told beside it
: said show me waterproof hiking boots
i said: the first please & BOOT-001 x1
my wife said yes, add the first & BOOT-001 x1
i like the first, add it & BOOT-001 x1
i'd like the first, the third too & BOOT-001 x1, BOOT-007 x1
i couldn't afford it last year but now i can, add the first & BOOT-001 x1
## a yes before something to look at is one
: said tell me about SOCK-012
yes. now show me tents & SOCK-012 x1
ok add it, and show me tents & SOCK-012 x1
fine & SOCK-012 x1
## one piece goes where one is said, all where all are
: cart SOCK-012 x3, TENT-001 x2
: said what is in my cart
remove a tent & SOCK-012 x3, TENT-001 x1
take a tent out & SOCK-012 x3, TENT-001 x1
take one of the tents out & SOCK-012 x3, TENT-001 x1
remove the tents & SOCK-012 x3
get rid of the tents & SOCK-012 x3
take a tent out and the socks too & TENT-001 x1
## what went comes back as it was
: cart SOCK-012 x3, TENT-001 x2
: said what is in my cart
remove the tents / put them back & SOCK-012 x3, TENT-001 x2
remove the tents / undo & SOCK-012 x3, TENT-001 x2
remove the tents / put one back & SOCK-012 x3, TENT-001 x1
remove the tents / can i bring it back & SOCK-012 x3
## after what so many would cost, so many are meant
: said tell me about SOCK-012
what would two cost / deal & SOCK-012 x2
what would two cost / i'll take them & SOCK-012 x2
what would two cost / please add & SOCK-012 x2
what would two cost / yes please & SOCK-012 x2
what would two cost / just one then & SOCK-012 x1
what would two cost / and three &
what would two cost / right &
what would two cost / add it ~ (quantity 2) &
## a count of every line right after a change is how many there shall be
: said add SOCK-012 x2
add TENT-001 / two tents, one pair of socks & SOCK-012 x1, TENT-001 x2
add TENT-001 / one pair of socks and two tents & SOCK-012 x1, TENT-001 x2
add TENT-001 / two tents, one pair of socks? & SOCK-012 x2, TENT-001 x1
## the numbers of a list count nothing
add these:\\n1. SOCK-012\\n2. TENT-001 & SOCK-012 x1, TENT-001 x1
1) SOCK-012 2) TENT-001 please & SOCK-012 x1, TENT-001 x1
## a yes and what goes for it are both done
: cart SOCK-012 x1
: said tell me about SOCK-003
yes, and drop SOCK-012 & SOCK-003 x1
yes. take SOCK-012 out then & SOCK-003 x1
remove SOCK-012 &
"""


@dialogues(NO_WISHES)
def test_what_is_no_wish_changes_nothing(lines: list[str]):
    held(lines, ShopTalk())


@dialogues(WISHES)
def test_a_wish_is_done_as_it_was_meant(lines: list[str]):
    held(lines, ShopTalk())


@pytest.mark.parametrize(
    "said", ["add -1 SOCK-012", "add 2-3 socks", "add as many socks as i can get for 100"]
)
def test_a_count_that_is_none_is_asked_about(said: str):
    talk = ShopTalk()
    talk.say("show me socks")
    talk.say(said)
    assert talk.cart == {}


def test_the_most_of_no_kind_is_of_the_kind_that_was_spoken_of():
    talk = ShopTalk()
    talk.say("nobody has warm wool socks")
    talk.say("which is the cheapest warm one")
    assert all("sock" in str(args).lower() for name, args in talk.calls if name != "get_product")


def test_a_count_of_pairs_is_no_place_of_the_list_that_was_asked_about():
    talk = ShopTalk()
    talk.say("show me waterproof hiking boots")
    asked = talk.say("make that 2 pairs lol")
    assert talk.cart == {}
    assert "BOOT-004" not in asked


@pytest.mark.parametrize("said", ["one more for my roomie", "two more please", "and one more"])
def test_of_what_is_not_in_the_cart_there_is_no_one_more(said: str):
    talk = ShopTalk()
    talk.say("tell me about SOCK-012")
    talk.say(said)
    assert talk.cart == {}
    talk.say("add SOCK-012")
    talk.say(said)
    assert talk.cart["SOCK-012"] > 1
