"""The stand-in on what is known of a person: noted, used, told and forgotten."""

from typing import Any

import pytest

from tests.words.dialogue import dialogues, held
from tests.words.shop_talk import ShopTalk

DIGEST = """\
# Progress

## Facts
- shoe size: 43
- feet: wide

## Preferences
- red jackets: liked

## Constraints
- budget: 130 dollars"""

DIALOGUES = """
# what a person states is noted and said shortly
my shoe size is 43 -> remember subject=shoe size, value=43, kind=fact ~ Noted: shoe size
I prefer wool -> remember subject=wool, value=preferred, kind=preference ~ Noted: wool
I am allergic to down -> remember subject=allergy to down, value=yes, kind=constraint ~ Noted: allergy to down
keep it below 300 dollars in all -> remember subject=budget, value=300 dollars, kind=constraint ~ Noted: budget
# a fact and a wish in one text are both followed
my shoe size is 43, show me boots ->> remember search_products * 2 ~ Noted: shoe size: 43. ~ BOOT-001
# two allergies do not take each other's place
I am allergic to down / I am allergic to wool
what am I allergic to ~ allergy to down ~ allergy to wool
# what is secret is not proposed
remember that my card number is 4111 -> ~ I do not note cards, passwords or addresses
remember that my password is hunter2 -> ~ I do not note cards, passwords or addresses
remember that my address is 1 Main Street -> ~ I do not note cards, passwords or addresses
remember my password is hunter2 -> ~ I do not note cards, passwords or addresses
my passcode is 4711 -> ~ I do not note cards, passwords or addresses
# what is forgotten is told no more
my shoe size is 43 / forget my shoe size == Forgotten: shoe size.
what is my shoe size ~ I know nothing about you
# what was never said is left to the machine to refuse
my shoe size is 43 / forget my hat size -> forget subject=hat size ~ known: shoe size
# a size or budget that is not known is asked for
show me boots in my size -> ~ I do not know your size
boots within my budget -> ~ I do not know your budget
# two statements are two facts
my shoe size is 44 and I live in Oslo -> remember subject=shoe size, value=44, kind=fact; remember subject=home, value=Oslo, kind=fact ~ Noted: shoe size: 44. ~ Noted: home: Oslo.
# a refusal of the memory is passed on
= remember remember refused: 100 facts are remembered already.
my feet are wide ~ 100 facts are remembered already.
what do you know about me ~ I know nothing
"""

KNOWN = """
## a question about what is known needs no tool
what is my shoe size -> ~ You told me: shoe size: 43.
what's my budget -> ~ You told me: budget: 130 dollars (limit).
what did I tell you about jackets -> ~ You told me: red jackets: liked (preference).
what do I like -> ~ - red jackets: liked (preference)
what did I tell you about kayaks -> ~ You have told me nothing about “kayaks”.
what size do I wear? -> == You told me: shoe size: 43.
## forgetting names each subject that is known
= forget memory: forgot it
forget my shoe size -> forget subject=shoe size
forget that I like red jackets -> forget subject=red jackets
forget what I said about jackets -> forget subject=red jackets
forget my shoe size and my budget -> forget subject=shoe size; forget subject=budget
forget everything you know about me -> forget subject=shoe size; forget subject=feet; forget subject=red jackets; forget subject=budget
## a size goes into a search where it is named, and a budget into every one
show me boots in my size -> search_products query=boots size 43, max_price=13000
boots within my budget -> search_products query=boots, max_price=13000
show me boots in my size within my budget -> search_products query=boots size 43, max_price=13000
show me boots -> search_products query=boots, max_price=13000
size 43 boots -> search_products query=size 43 boots, max_price=13000
boots / do you have anything in my size -> search_products query=boots size 43, max_price=13000
# forget everything asks what is meant
: cart BOOT-004 x1
forget everything -> ~ ...Shall I forget what I know about you, or empty your cart?
## what was meant by everything is forgotten
: cart BOOT-004 x1; said forget everything
= forget memory: forgot it
the cart ->> remove_from_cart
what you know about me ->> forget forget forget forget
forget everything you know about me ->> forget forget forget forget
both ->> forget forget forget forget remove_from_cart
no ->
"""


@dialogues(DIALOGUES)
def test_a_dialogue_about_what_is_known(lines: list[str], talk: ShopTalk):
    held(lines, talk)


def test_what_is_disliked_is_left_out_of_what_is_found(talk: ShopTalk):
    talk.say("i hate wool")
    assert "only what you told me" in talk.say("show me socks")
    assert "SOCK-012" in talk.say("show me wool socks")


@pytest.fixture
def known() -> ShopTalk:
    return ShopTalk(digest=DIGEST)


@dialogues(KNOWN)
def test_a_dialogue_where_something_is_known(lines: list[str], known: ShopTalk):
    held(lines, known)


def test_what_is_known_is_told_from_the_digest_the_tail_and_since(known: ShopTalk):
    known.since = "shoe size: 44; occasion: Iceland; it is cold"
    known.say("I hate synthetic socks")
    answer = known.say("what do you know about me")
    assert known.calls == []
    assert "- shoe size: 44" in answer
    assert "43" not in answer
    assert "- occasion: Iceland; it is cold" in answer
    assert "- budget: 130 dollars (limit)" in answer
    assert "- synthetic socks: disliked (preference)" in answer


@pytest.mark.parametrize("text", ["what you know about me", "both"])
def test_what_is_forgotten_is_said_where_the_question_went_with_it(known: ShopTalk, text: str):
    def forget(args: dict[str, Any]) -> str:
        said = [m.type for m in known.history]
        del known.history[: len(said) - 1 - said[::-1].index("human")]
        return f"memory: forgot {args['subject']}"

    known.answers["forget"] = forget
    known.say("forget everything")
    assert "Forgotten: shoe size." in known.say(text)
