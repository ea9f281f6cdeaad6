"""A change beside which something is told is done, unless a word of what is told may turn it."""

import pytest

from tests.words.dialogue import dialogues, held
from tests.words.shop_talk import ShopTalk

DONE = """
## what is spoken of, with a count, and why
: said tell me about TENT-001
hm my aunt swears by it. three then & TENT-001 x3
Could you pop a couple of those in the basket for me, love? & TENT-001 x2
my dog ate the old ones, so two of those & TENT-001 x2
good, four of them, I am a teacher and we lose everything & TENT-001 x4
Not very pretty but ok. Three of it please. & TENT-001 x3
ok then that one goes in the cart. my mother will be happy that I don't freeze any more & TENT-001 x1
## how many there shall be, and why
: said add 3 of SOCK-012
: said add PACK-009
granny wants a pair as well, so make it four pairs of the socks & SOCK-012 x4, PACK-009 x1
one kid cancelled, so only 2 socks & SOCK-012 x2, PACK-009 x1
I'm over budget. Drop the backpack please, thanks & SOCK-012 x3
## what alone is in the cart
: said add 4 of SOCK-012
two people dropped out. three & SOCK-012 x3
Sorry, two people just dropped out, so 2 & SOCK-012 x2
## nothing of what only tells, asks or supposes
: said tell me about TENT-001
do two of them fit in one box & ~ ?
I had two of those &
he wanted two, I want none &
if they leak I send two of them back &
maybe two of those &
two of those or three, not sure &
could I add two of those later &
give me two reasons to take them &
nice one &
I could take two of those to the alps &
Then I shall have the one made by Dunmore, just the one. &
hm. it is nice but then again do i really need it, my old one still sort of works &
go back to the first tent you told me about, i want that &
## nothing goes of what only tells of it
: said add 3 of SOCK-012
: said add PACK-009
we lose everything & SOCK-012 x3, PACK-009 x1
the kids always forget the backpack & SOCK-012 x3, PACK-009 x1
socks are out at the shop here & SOCK-012 x3, PACK-009 x1
my son would remove the backpack & SOCK-012 x3, PACK-009 x1
remove the backpack if it has no hip belt & SOCK-012 x3, PACK-009 x1
I removed the backpack once, it was a mistake & SOCK-012 x3, PACK-009 x1
## all of the cart is halved or doubled, where it can be
: cart SOCK-012 x4, PACK-009 x2
yikes thats too dear. halve everything & SOCK-012 x2, PACK-009 x1
he wants none, halve both & SOCK-012 x2, PACK-009 x1
double everything please & SOCK-012 x8, PACK-009 x4
# half of an odd number is no number
: cart SOCK-012 x3, PACK-009 x2
halve everything & SOCK-012 x3, PACK-009 x2
## a count of pairs is of what comes in pairs, whatever was put in last
: said add 2 of SOCK-012
: said add PACK-009
i said 3 pairs & SOCK-012 x3, PACK-009 x1
one pair less & SOCK-012 x1, PACK-009 x1
i only need one pair & SOCK-012 x1, PACK-009 x1
one backpack more & SOCK-012 x2, PACK-009 x2
should be 3 pairs of socks & SOCK-012 x3, PACK-009 x1
actually make the socks 5 and drop the backpack & SOCK-012 x5
would 3 pairs be cheaper & SOCK-012 x2, PACK-009 x1
my friend has 3 pairs of these socks & SOCK-012 x2, PACK-009 x1
## a count is of what was kept, and never of what went
: said add SOCK-012, PACK-009 and TENT-001
: said take everything out except the socks
lets do three pairs of those & SOCK-012 x3
two more & SOCK-012 x3
put them back & SOCK-012 x1, PACK-009 x1, TENT-001 x1
put the tent back & SOCK-012 x1, TENT-001 x1
## what went comes only where it is said to come back
add SOCK-012 and PACK-009 / remove the backpack / actually two of them & SOCK-012 x1 ~ Shall I put PACK-009
add SOCK-012 and PACK-009 / remove the backpack / 3 of those please & SOCK-012 x1
## it is a yes to an offer to do it
: said tell me about TENT-001
OK then do that please & TENT-001 x1
yes do it & TENT-001 x1
right, in with it & TENT-001 x1
then do it later &
do that thing with the reviews &
## the first so many of a list
: said show me waterproof hiking boots
first two please & BOOT-001 x1, BOOT-004 x1
could you put the first two in, one of each? & BOOT-001 x1, BOOT-004 x1
first tell me the weights &
## both stands before two names
: said hello
add both the alder ridge boot and the fern gully boot & BOOT-004 x1, BOOT-007 x1
both BOOT-004 and SOCK-012 please & BOOT-004 x1, SOCK-012 x1
are both BOOT-004 and SOCK-012 waterproof &
both BOOT-004 and SOCK-012 are nice &
# twice is two
add SOCK-012 twice & SOCK-012 x2
# what it shall be rather is in the place of another
BOOTS / add the alder ridge & BOOT-004 x1
I'd rather have the fern gully boot & BOOT-004 x1 ~ in the place of BOOT-004
# of a price alone nothing is put in after a search in vain
tell me about TENT-001 / find me yak saddles / ok that one then &
# the places of those
: cart SOCK-012 x1, PACK-009 x1, POLE-002 x1
what is in my cart / remove the first and the last of those & PACK-009 x1
# both of a kind come back
add SOCK-012, SOCK-003, PACK-009 and TENT-001 / remove everything except the tent & TENT-001 x1
put both socks back & TENT-001 x1, SOCK-012 x1, SOCK-003 x1
# of a name alone it is asked which, and a kind that is counted apart is its own
BOOTS / add alder ridge and a pair of merino wool socks & BOOT-004 x1, SOCK-012 x1
# a word alone that is only breath breaks nothing
: cart SOCK-012 x1
hmm. remove the socks &
"""


@dialogues(DONE)
def test_what_is_told_beside_a_change_turns_it_or_does_not(lines: list[str], talk: ShopTalk):
    held(lines, talk)


@pytest.mark.parametrize("article", ["a", "any", "some"])
def test_any_one_of_a_name_is_asked_about(article: str):
    talk = ShopTalk()
    talk.say("show me headlamps")
    talk.say(f"and {article} pebble strand as well please")
    assert not talk.cart
