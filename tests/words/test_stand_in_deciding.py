"""The stand-in on decisions: done where every clause is accounted for, and never guessed."""

import pytest

from daybook.demo.model.grammar.answers.deciding.clauses import clauses_of
from daybook.demo.model.grammar.language.plain import tokens_of
from tests.words.dialogue import dialogues, held
from tests.words.shop_talk import ShopTalk

DECIDED = """
## what was talked over and is named goes in
: said I need waterproof hiking boots under 150
the Fern Gully then & BOOT-007 x1
sold. fern gully & BOOT-007 x1
ok the alder ridge & BOOT-004 x1
alder ridge it is, just one & BOOT-004 x1
I have made up my mind: Alder Ridge. One. & BOOT-004 x1
alder ridge boots then, it's cheaper anyway & BOOT-004 x1
let's go with the fern gully & BOOT-007 x1
then i'll have the fern gully in 44, my old ones leak & BOOT-007 x1
I'll try the Alder Ridge boot & BOOT-004 x1
final answer: fern gully & BOOT-007 x1
fern gully boots. cart. now. & BOOT-007 x1
fern gully x2, they're for me and my wife & BOOT-007 x2
ok the first & BOOT-001 x1
first and third & BOOT-001 x1, BOOT-007 x1
number two and number three & BOOT-004 x1, BOOT-007 x1
1 and 3 & BOOT-001 x1, BOOT-007 x1
one alder ridge and one fern gully, so they don't fight over them & BOOT-004 x1, BOOT-007 x1
## what is only asked, told, supposed or thought of changes nothing
: said I need waterproof hiking boots under 150
and the fern gully then? &
what about the fern gully then &
so the fern gully has the better sole then &
my dad would take the fern gully then &
i'd go for the fern gully, maybe &
i might take the fern gully &
i will take a look at the fern gully &
i nearly bought the fern gully last year &
not the fern gully then &
let's not go with the fern gully &
the alder ridge or the fern gully then &
the fern gully then, unless it is heavy &
first and foremost it must be light &
the first and the second look alike &
both are ugly &
first and second prices please &
deal with it later &
a stone bridge then &
## an offer is taken in few words
: said tell me about BOOT-004
sold & BOOT-004 x1
ok that one, size 44 & BOOT-004 x1
bummer. ok just the one then & BOOT-004 x1
jonas is in!! 4 & BOOT-004 x4
yes but 2 & BOOT-004 x2
alright, make it five & BOOT-004 x5
ok fine add it before i change my mind & BOOT-004 x1
nah &
two of my friends have it &
4 stars &
## a count right after a change corrects it
: said add SOCK-012
acutally 2, twins :) & SOCK-012 x2
then 8. two kids dropped out & SOCK-012 x8
three are enough & SOCK-012 x3
and the same again for my wife & SOCK-012 x2
ok then a second pair for my wife & SOCK-012 x2
plus two & SOCK-012 x3
two more on top, so three in total & SOCK-012 x3
actually make that 4 of the socks & SOCK-012 x4
two friends recommended it & SOCK-012 x1
4 people said they itch & SOCK-012 x1
one of my kids has it & SOCK-012 x1
half price would be nice & SOCK-012 x1
could I add five? I mean do you have that many & SOCK-012 x1
the same again for lunch lol & SOCK-012 x1
# half of an even count goes
add SOCK-012 x6 / half of those, the others bring their own & SOCK-012 x3 ~ Changed to 3
half of those please & SOCK-012 x3
# what comes instead takes the place of the one of its kind
I need waterproof hiking boots under 150 / add the alder ridge & BOOT-004 x1
No. The Fern Gully instead. I'll regret it otherwise. & BOOT-007 x1
lol no. back to the alder ridge. final answer & BOOT-004 x1
no perdon, better the fern gully, not the alder & BOOT-007 x1
my brother has the alder ridge instead & BOOT-007 x1
# the cart is emptied where that is asked for plainly
add SOCK-012 / no not yet. clear the cart, I need to measure my feet first &
add SOCK-012 / never mind all of it, empty the cart. they have some at their dads &
## a wish for more, or for less, than that is not taken for it
: cart SOCK-012 x1, BOOT-004 x1
clear the cart but keep the socks & SOCK-012 x1, BOOT-004 x1 ~ ?
don't clear the cart & SOCK-012 x1, BOOT-004 x1
i cleared the cart yesterday, or so i thought & SOCK-012 x1, BOOT-004 x1
should i clear the cart & SOCK-012 x1, BOOT-004 x1
# what several would cost is looked up, and so many can be had then
what would 3 of the alder ridge boots cost? -> search_products query=alder ridge boots, limit=20 ~ 387.00
ok let's do 4 & BOOT-004 x4
# two wishes in one sentence
add the alder ridge boots and tell me what your return policy is ->> search_products get_policy add_to_cart & BOOT-004 x1
"""


@dialogues(DECIDED)
def test_a_decision_is_done_and_nothing_else_is(lines: list[str], talk: ShopTalk):
    held(lines, talk)


@pytest.mark.parametrize(
    "said",
    [
        "the fern gully then, or the other one",
        "the fern gully if it is light",
        "ok the fern gully, but how heavy is that",
        "remove the fern gully then",
        "2 of the fern gully or 3",
    ],
)
def test_a_clause_that_is_not_accounted_for_leaves_no_decision(said: str):
    roles = [clause.role for clause in clauses_of(tokens_of(said)) or []]
    assert "loose" in roles or not roles
