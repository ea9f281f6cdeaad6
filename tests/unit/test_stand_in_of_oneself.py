"""The stand-in on what people tell of themselves, ask back, or want struck: in many wordings."""

import pytest

from daybook.demo.model.grammar.language.intents import Add, Mail, Search
from daybook.demo.model.grammar.language.intents_past import AskKnown, Forget, ForgetAll, Remember
from daybook.demo.model.grammar.language.reading import understand
from tests.unit.shop_talk import ShopTalk

FORGOTTEN = """
hm no forget my size, I measured it wrong -> size
You can forget the thing about black, I've decided to live a little. -> black
oh and you can forget the wool thing, my partner shops here too -> wool
forget I said anything about wool -> wool
please forget that I'm allergic to wool, that was my sister -> wool
you dont need to remember my size any more -> size
can you delete what you know about my budget -> budget
scratch what I told you about leather -> leather
actually disregard my earlier comment about the budget -> budget
my size, forget it -> size
my size is wrong, please delete it -> size
you can stop remembering that I hate yellow -> yellow
could you please erase my shoe size from your notes? -> shoe size
no longer vegan by the way, you can drop that -> vegan
Would you mind forgetting my size -> size
take the wool thing off my profile -> wool
nvm the budget thing, my dad pays -> budget
forget the 80 dollar limit -> budget
the wool allergy was a mistake, forget that -> wool allergy
I don't want you to keep my size -> size
forget that size, it was my brother's -> size
I changed my mind on orange, forget it -> orange
you can drop that vegan thing, my ex wanted it -> vegan
"""

NOTED = """
its 42 and a half, so write 43 for boots but 42 for trail shoes -> size of boots: 43; size of trail shoes: 42
my son can't wear wool -> son: can not wear wool
I only buy vegan stuff -> diet: vegan
I take a size 9 UK -> size: 9 UK
my feet are a 44 -> shoe size: 44
I cant have feathers, asthma -> feathers: never
down makes me sneeze -> down: makes me sneeze
wool gives me a rash so no merino for me please -> wool: never
no leather for me please, I'm vegan -> leather: never
we don't do leather in our house -> leather: never
my wife's a size 38 -> wife size: 38
My husband takes XL jackets -> husband jacket size: XL
Put down that I'm a 41 -> shoe size: 41
save my shoe size, 39 -> shoe size: 39
I'm not a fan of orange -> orange: disliked
orange isn't my colour -> orange: disliked
Don't show me wool ever -> wool: never
my limit's 80 bucks a pair -> budget: 80 bucks
can you keep a note that I like blue -> blue: liked
my size has changed, it's 44 now -> shoe size: 44
my size is 42 not 43 -> shoe size: 42 not 43
I said 43 but its actually 44 -> shoe size: 44
Kindly remember my size which is UK 9 -> size: 9
please never show me anything over 100 -> budget: not over 100
"""

LIMITS = """
just so you know im broke, nothing above 40 bucks please -> nothing above 40 bucks
max 90 per piece, thats a hard limit -> max 90
I never pay more than 60, ever -> never more than 60
"""

ASKED = """
do u still know my budget -> budget
did I mention my shoe size? -> shoe size
which size did I say -> size
have you remembered the wool thing? -> wool
you remember I hate wool right? -> wool
remind me what size I take -> size
tell me what you've noted down ->
have you forgotten what I told you? ->
which colour do i like ->
"""


def _rows(table: str) -> list[tuple[str, str]]:
    lines = [line.partition(" ->") for line in table.strip().split("\n")]
    return [(said, meant.strip()) for said, _, meant in lines]


@pytest.mark.parametrize(("said", "subject"), _rows(FORGOTTEN))
def test_what_is_struck_is_forgotten_whatever_the_reason(said: str, subject: str):
    assert understand(said) == (Forget(subject),)


@pytest.mark.parametrize(("said", "facts"), _rows(NOTED))
def test_what_is_told_in_passing_is_noted_and_not_looked_for(said: str, facts: str):
    noted = [one for one in understand(said) if isinstance(one, Remember)]
    assert "; ".join(f"{one.subject}: {one.value}" for one in noted).startswith(facts)
    assert not any(isinstance(one, Search | Add) for one in understand(said))


@pytest.mark.parametrize(("said", "most"), _rows(LIMITS))
def test_a_limit_that_is_said_with_weight_is_noted(said: str, most: str):
    assert understand(said) == (Remember("budget", most, "constraint"),)


@pytest.mark.parametrize(
    "said",
    [
        "nothing above 100 please",
        "socks under 20 each",
        "max 30",
        "Would you be so kind as to show me a few, at best ever so light, nothing above 50 dollars",
    ],
)
def test_a_limit_of_what_is_looked_for_is_not_noted(said: str):
    assert not [one for one in understand(said) if isinstance(one, Remember)]


@pytest.mark.parametrize(("said", "words"), _rows(ASKED))
def test_what_is_asked_back_is_told(said: str, words: str):
    assert understand(said) == (AskKnown(tuple(words.split())),)


@pytest.mark.parametrize(
    ("said", "subject", "query"),
    [
        ("I'm 6 foot 4 so I need long sleeping bags", "height", "long sleeping bags"),
        ("no wool for me please, show me socks", "wool", "socks"),
        ("forget my shoe size and show me boots", "", "boots"),
    ],
)
def test_a_wish_behind_what_is_told_is_followed_too(said: str, subject: str, query: str):
    first, second = understand(said)
    assert isinstance(first, Remember | Forget)
    assert not subject or first.subject == subject
    assert isinstance(second, Search)
    assert second.query == query


@pytest.mark.parametrize(
    "said",
    [
        "forget the daypack",
        "forget the second one",
        "forget it",
        "forget the stove, show me tents",
        "forget the tent thing",
        "remove the wool socks",
        "size 43 boots",
        "does wool itch?",
        "can i wear wool in summer?",
        "should I avoid down in rain?",
        "i dont want wool ones",
        "do you have it in my size",
        "I need two",
        "i take 2",
        "show me something without leather",
    ],
)
def test_what_is_said_of_goods_is_no_fact_of_the_person(said: str):
    of_person = (Remember, Forget, ForgetAll, AskKnown)
    assert not [one for one in understand(said) if isinstance(one, of_person)]


def test_a_vegan_is_shown_nothing_of_an_animal(talk: ShopTalk):
    talk.say("I only buy vegan stuff")
    assert "SOCK-012" not in talk.say("show me socks")


@pytest.mark.parametrize(
    ("said", "to"),
    [
        ("email my cart to my husband", "your husband"),
        ("forward the order to lisa@example.com please", "lisa@example.com"),
        ("Can you email that to my hiking buddy? tom.w@example.org", "your hiking buddy"),
        ("email me my cart to lou@example.com", ""),
        ("mail me my cart", ""),
        ("send the list to my email", ""),
    ],
)
def test_who_shall_have_a_mail_is_told_from_oneself(said: str, to: str):
    assert [one.to for one in understand(said) if isinstance(one, Mail)] == [to]
