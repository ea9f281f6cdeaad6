"""What is put right within a breath, listed under a head, or wished beside what is only told."""

import pytest

from daybook.demo.model.grammar.answers.pieces.restated import restated
from tests.words.dialogue import dialogues, held
from tests.words.shop_talk import ShopTalk

RESTATED = """
## what was said last holds
: said I need waterproof hiking boots under 150
put the alder ridge in. no sorry, the fern gully & BOOT-007 x1
I'll take the second one, no wait, the third please & BOOT-007 x1
the first and the third no just the first & BOOT-001 x1
add the first. no. the second & BOOT-004 x1
2 of the fern gully no wait 3 & BOOT-007 x3
I want two alder ridge boots, no sorry, three & BOOT-004 x3
the alder ridge one. wait no pine hollow. hmm no alder ridge is fine & BOOT-004 x1
## what is only asked, refused or taken back adds nothing
: said I need waterproof hiking boots under 150
the first no the second? &
add the first. no wait &
is the second, no the third, warm &
show me the first. no, the second &
put the first in. no, forget the first &
i took the first last year. no, the second &
2 pairs. no 3 &
let me ask my wife. Then I'll take the fern gully &
My wife is not sure yet. I would take the fern gully one &
I want the fern gully to be warm & ~ ?
## a list has a head
Please add: 3 x Alder Ridge Waterproof Hiking Boot, 2 x Fern Gully Waterproof Hiking Boot & BOOT-004 x3, BOOT-007 x2
Could you put the following in my cart: 2 x SOCK-012, 1 x POLE-002 & SOCK-012 x2, POLE-002 x1
I have these: the Alder Ridge boot, the Fern Gully boot. &
not for my cart: Alder Ridge boot &
are these in my cart: SOCK-012, POLE-002? &
## beside what is only told it is done
: said I need waterproof hiking boots under 150
Well if they're good enough for Peg. I'll take the Fern Gully boots too, the one pair. & BOOT-007 x1
nah thats 2 much. put the alder ridge one in & BOOT-004 x1
Well it never stops raining here. Put the Fern Gully in & BOOT-007 x1
Unless they are too small. I'll take the Alder Ridge & ~ ?
Tomorrow maybe. I'll take the Fern Gully & ~ ?
The Fern Gully is too dear. Take it off &
## what was offered and is wished for once more is taken
: said tell me about BOOT-004
then give me please this boot & BOOT-004 x1
This one I want, thanks you & BOOT-004 x1
give me the weight of it &
I need it by friday &
would you take it &
put it in writing &
## by when it is needed takes nothing of the wish away
: said I need waterproof hiking boots under 150
add the first, i need it by friday & BOOT-001 x1
the second one. i want it for a trip & BOOT-004 x1
add the third. i need it by the 3rd & BOOT-007 x1
need them by the 3rd of december please &
i want it for the second &
## how many there shall be stands beside what is told
: said add SOCK-012
Actually his twin sister Molly would be cross, wouldn't she. Better make it two. & SOCK-012 x2
good cause I wanna put a second one in first & SOCK-012 x2
If his brother comes along. Make it two. & SOCK-012 x1
I want to see a second one first & SOCK-012 x1
## what was just put in, or is not wanted after all, goes
: cart POLE-002 x1
: said add the Alpine Wool Socks
take out what I just added & POLE-002 x1
not the socks & POLE-002 x1
no wait, not the socks & POLE-002 x1
nvm on the socks & POLE-002 x1
never mind the socks, he has some & POLE-002 x1
not the socks? & POLE-002 x1, SOCK-003 x1
never mind & POLE-002 x1, SOCK-003 x1
don't forget the socks & POLE-002 x1, SOCK-003 x1
forget about it, whats the total & POLE-002 x1, SOCK-003 x1
make the socks 7 instead of 1 & POLE-002 x1, SOCK-003 x7
## what is denied is what was asked
: cart POLE-002 x1, SOCK-003 x1
: said maybe the socks should go
not the socks & POLE-002 x1, SOCK-003 x1
no, not the socks & POLE-002 x1, SOCK-003 x1
## one of two that are in the cart stays
: cart BOOT-004 x1, BOOT-007 x1
ok then only the cheaper one of the two & BOOT-004 x1
which is the cheaper one of the two & BOOT-004 x1, BOOT-007 x1
is only the cheaper one waterproof & BOOT-004 x1, BOOT-007 x1
## I buy, for those to whom English is foreign
: cart SOCK-012 x1
It is good. I order. ->> checkout
ok I buy now ->> checkout
I buy not yet !-> checkout
I order always too much !-> checkout
"""


@dialogues(RESTATED)
def test_what_is_meant_in_the_end_is_done_and_nothing_else_is(lines: list[str], talk: ShopTalk):
    held(lines, talk)


@pytest.mark.parametrize(
    "text",
    [
        "there are 5 of us, make it five",
        "not 3 mate, I meant 2",
        "2 pairs. no 3",
        "the clover bank has no hood. the timber line has one",
        "My list for later: 2 of the alder ridge boots",
        "the jacket I want is warm",
        "which one shall I look at first",
    ],
)
def test_a_text_that_takes_nothing_back_stands_as_it_was_said(text: str):
    assert restated(text) == text
