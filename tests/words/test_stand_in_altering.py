"""The stand-in on what is in the cart already: plain changes are made, beside whatever is said."""

from tests.words.dialogue import dialogues, held
from tests.words.shop_talk import ShopTalk

ALTERED = """
## a count right after something was put in is how many of it there shall be
: said add SOCK-012 x14
make that 16, two late signups & SOCK-012 x16
oh bother, Tim has measles. 13 then & SOCK-012 x13
scrap that, 12 is plenty haha & SOCK-012 x12
not 14, 16!! & SOCK-012 x16
qty 16 not 14 & SOCK-012 x16
Please to change the number from 14 to 15. & SOCK-012 x15
could we go down to 11 please, the budget got cut & SOCK-012 x11
hang on there's 5 of us, make it five & SOCK-012 x5
would you be so kind as to make that four pairs? I had forgotten my grandson. & SOCK-012 x4
oh no, sorry, I meant two. Two pairs. & SOCK-012 x2
no wait 2. one for me and one for my bf & SOCK-012 x2
actually just the one, the missus has her own & SOCK-012 x1
we do NOT share. two. & SOCK-012 x2
I think I had better take only two after all. & SOCK-012 x2
one pair is enough now that I see the price & SOCK-012 x1
we need two less, there are only 12 beds & SOCK-012 x12
up the number to 16 would you, the Hansens are in after all & SOCK-012 x16
5 fewer. half the troop has flu & SOCK-012 x9
bugger, meant three & SOCK-012 x3
cut it in half & SOCK-012 x7
actually only half of them are coming, halve it & SOCK-012 x7
1 less & SOCK-012 x13
take 4 of them out, they have their own & SOCK-012 x10
that's one too many, my assistant brings hers & SOCK-012 x13
drop 2, Ollie and Max are off sick & SOCK-012 x12
## what only tells, asks or supposes a count changes none
: said add SOCK-012 x14
two late signups & SOCK-012 x14
would 12 be enough & SOCK-012 x14
don't make it 15 & SOCK-012 x14
if Tim comes too make it 15 & SOCK-012 x14
my friend made it 16 & SOCK-012 x14
i might take 2 out later & SOCK-012 x14
half of them are broken at our place & SOCK-012 x14
in my group 3 are adults & SOCK-012 x14
people usualy take two & SOCK-012 x14
could be 12, could be 16 & SOCK-012 x14
make it 43 & SOCK-012 x14
change it to 12 Elm street & SOCK-012 x14
it weighs 2 less than mine & SOCK-012 x14
i am not sure. 3 & SOCK-012 x14
## several lines are told apart by what they are called
: cart SOCK-012 x8, TENT-001 x8
: said what is in my cart
socks to 10, tents stay at 8 & SOCK-012 x10, TENT-001 x8
make the tents 12, the socks are fine & SOCK-012 x8, TENT-001 x12
tents down to 6 and socks up to 9 & SOCK-012 x9, TENT-001 x6
3 of the tents can go & SOCK-012 x8, TENT-001 x5
lose the tents, everyone has one & SOCK-012 x8
remove 2 tents, the Kerrs sleep in the caravan & SOCK-012 x8, TENT-001 x6
do 10 socks fit in a bag & SOCK-012 x8, TENT-001 x8
## what is regretted goes, whatever is said beside it
: said add TENT-001
nah remove &
rm, too $$ &
Whoa 200?? No. take it out &
no wait i dont need a tent my wife has like ten take it out again &
Kindly remove this again. My daughter has protested. &
on second thoughts lose it &
bin that sorry &
get rid of it, my son laughed at me &
i want it out, husband vetoed &
He doesn't need a 200 dollar tent, take that out please &
don't take it out & TENT-001 x1
take it out? hmm & TENT-001 x1
should i take it out & TENT-001 x1
my husband took it out & TENT-001 x1
take it out. no wait, keep it & TENT-001 x1
if it leaks I take it back & TENT-001 x1
can i take it out of the box and return it & TENT-001 x1
## of two it is told which by a look, a price or a place
: cart SOCK-012 x1, SOCK-003 x1
: said what is in my cart
flick the merino ones, dont need them & SOCK-003 x1
drop the expensive ones lol & SOCK-012 x1
remove the cheaper pair & SOCK-003 x1
correction: only the merino ones & SOCK-012 x1
the merino ones can go, they look flimsy & SOCK-003 x1
which ones should go & SOCK-012 x1, SOCK-003 x1
# whose it is was said when it was put in
add TENT-001 / and add POLE-002 for my wife & TENT-001 x1, POLE-002 x1
oh wait, she just texted, she's bringing her own. So take hers out again & TENT-001 x1
# one takes another's place
BOOTS / add the alder ridge & BOOT-004 x1
swap them for the fern gully, same number & BOOT-007 x1
my brother has the alder ridge instead of the fern gully & BOOT-007 x1
Jonas says he wants the alder ridge instead of the fern gully & BOOT-004 x1
i don't want the alder ridge, i want the fern gully. swap it & BOOT-007 x1
# some of it goes, and as many of another come
BOOTS / add 2 of the alder ridge & BOOT-004 x2
replace one of them with a fern gully & BOOT-004 x1, BOOT-007 x1
swap the alder ridge for another fern gully & BOOT-007 x2
"""


@dialogues(ALTERED)
def test_what_is_plain_is_done_and_nothing_else_is(lines: list[str], talk: ShopTalk):
    held(lines, talk)
