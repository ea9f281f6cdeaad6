"""The stand-in on what people tell of themselves, ask back, or want struck: in many wordings."""

import pytest

from daybook.demo.model.grammar.language.intents.cart import Add
from daybook.demo.model.grammar.language.intents.goods import Search
from daybook.demo.model.grammar.language.intents.orders import Mail
from daybook.demo.model.grammar.language.intents.past import AskKnown, Forget, ForgetAll, Remember
from daybook.demo.model.grammar.language.reading import understand
from tests.words.shop_talk import ShopTalk

FORGOTTEN = """
forget sz -> size
forget my shoe size will you -> shoe size
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
wool gives me a rash so no merino for me please -> wool: gives me a rash; merino: never
no leather for me please, I'm vegan -> vegan: no leather
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
cant do wool, never could, my nan knitted it all, so no wool for me ever -> wool: never
just so you know wool brings me out in a rash so none of that -> wool: brings me out in a rash
my husband is allergic to down, so nothing with down ever please -> husband: is allergic to down
remember i hate wool it itches dont ever show me any -> wool: never
remember no leather, no wool, no down, im vegan -> vegan: no leather no wool no down
vegan here, so no leather no wool no down -> vegan: no leather no wool no down
rmbr: no down, shoe sz 44 -> down: never; shoe size: 44
rmbr: shoe sz 43, no wool ever -> wool: never; shoe size: 43
Please remember: I'm a 42 in boots and I don't wear leather -> leather: never; shoe size: 42
I come out in hives from wool, haha, so please never wool -> wool: never
allergic to latex and wool btw -> allergy to latex: yes; allergy to wool: yes
for the record - polyester: never -> polyester: never
black only please, i hate bright colours like orange and yellow -> orange: disliked; yellow: disliked
we never take gas stoves, not allowed at our camp -> gas stoves: never
gas stoves are banned in our woods so remember that -> gas stoves: banned
Note for the future: I wear 44, wide feet, no cotton. -> cotton: never; shoe size: 44
Change the size to 45. -> shoe size: 45
update my shoe size to 41, the shop measured me -> shoe size: 41
the size you have is wrong, it's 45 -> shoe size: 45
my size isn't 43 it's 44 -> shoe size: 44
you've got me down as 42, I'm 43 -> shoe size: 43
sz is now 42 -> shoe size: 42
Store this preference: I only want backpacks under 1100 g. -> only want backpacks under 1100 g: yes
Save as preference: green jackets -> green jackets: yes
My budget is 500 USD in total. Keep this in mind for the whole order. -> budget: 500 usd
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
        "do you have socks with no wool?",
        "i never tried merino, is it good?",
        "the black one never arrived",
        "never mind the down jacket",
        "my sister hated the wool socks I gave her",
        "my mother never liked wool, but I do",
        "I would never say no to wool",
        "I am not allergic to anything",
        "which gas stoves are not allowed on planes?",
        "size 41 boots",
        "is size 44 available",
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


@pytest.mark.parametrize(
    ("said", "kind", "most"),
    [
        ("I have 300 dollar for tent and sleeping bag, both together", "tent", 30000),
        ("got 250 for a tent and a stove, all in", "tent", 25000),
        ("our budget is 100 per sleeping bag and we need two", "sleeping bag", 10000),
        ("Budget is 600 dollars for daypacks, 10 kids. So max 60 each", "daypacks", 6000),
        ("200 for headlamps, five of us, so 40 apiece tops", "headlamps", 4000),
        ("we can spend 150 a tent and want two", "tent", 15000),
        ("Around 250 I could spend for a jacket, not more", "jacket", 25000),
        ("There are some waterproof jackets until 250?", "waterproof jackets", 25000),
        ("Could you show me a bottle to go with it, up to 20 dollars?", "bottle", 2000),
        ("poles to go with those, not above 90", "poles", 9000),
        ("jackets to 150 max", "jackets", 15000),
        ("2 nights in september, with my friend, and we dont have a tent", "tent", None),
        ("3 days out with my sister and no sleeping bag between us", "sleeping bag", None),
        ("my boots fell apart last week in the rain", "boots", None),
        ("I lost my sleeping bag on the train", "sleeping bag", None),
        ("my lad has outgrown his boots", "boots", None),
        ("Perhaps a headlamp for children. What do you have?", "headlamp kids", None),
        ("after a decent thermos for me arvo cuppa, nothing over 40 bucks", "vacuum flask", 4000),
    ],
)
def test_a_need_is_looked_for_however_it_is_told(said: str, kind: str, most: int | None):
    found = [one for one in understand(said) if isinstance(one, Search)]
    assert (found[0].query, found[0].max_price) == (kind, most)
    assert all(isinstance(one, Search | Remember) for one in understand(said))


@pytest.mark.parametrize(
    "said",
    [
        "anything in that style up to 60?",
        "ok she says its too dear. anything similar under 150",
        "order them by price please",
        "not those, others please",
        "the dearest first",
        "do you have others that are cheaper",
        "the ones that have a hood please",
        "only the ones that have usb",
        "sort by price",
        "show them cheapest first",
    ],
)
def test_what_goes_on_with_a_list_is_a_search_and_nothing_else(said: str):
    assert [type(one) for one in understand(said)] == [Search]


@pytest.mark.parametrize(
    ("said", "known"),
    [
        (
            "My daughter takes a 36 and my son a 39, I'm a 41.",
            {"daughter shoe size": "36", "son shoe size": "39", "shoe size": "41"},
        ),
        (
            "the kids wear 31, 34 and 36 in shoes and im a 39",
            {"kids shoe size": "31, 34, 36", "shoe size": "39"},
        ),
        ("And my sister wears 41, can you keep that too?", {"sister size": "41"}),
        ("Hi! Size 39 for me, remember that please.", {"shoe size": "39"}),
        ("my shoe size isn't 44 any more, it's 45", {"shoe size": "45"}),
        ("i had bad luck with Ironbark, not a fan of that brand", {"brand ironbark": "disliked"}),
        ("i only wear cotton, nothing with wool please", {"wool": "never"}),
        # near misses
        ("my son is 8 and my daughter is 10", {}),
        ("any Ironbark tents?", {}),
        ("what sizes do you have", {}),
    ],
)
def test_sizes_and_makers_are_noted_as_they_are_told(said: str, known: dict[str, str]):
    noted = {one.subject: one.value for one in understand(said) if isinstance(one, Remember)}
    assert noted == known


@pytest.mark.parametrize(
    ("before", "said", "noted"),
    [
        ("did I tell you my size", "its 41", "41"),
        ("my shoe size is 41", "actually 42 now", "42"),
        ("my shoe size is 39", "oh my feet grew, it's 40 now, can you change it", "40"),
        ("socks please", "41", None),
        ("my shoe size is 41", "make it 42", None),
        ("my shoe size is 41", "is it 42 now?", None),
    ],
)
def test_a_number_is_a_size_where_a_size_was_spoken_of(before: str, said: str, noted: str | None):
    talk = ShopTalk()
    talk.say(before)
    talk.say(said)
    values = [args["value"] for name, args in talk.calls if name == "remember"]
    assert values == ([] if noted is None else [noted])
