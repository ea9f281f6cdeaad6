"""What a person said that matters later, by patterns: kept until it is contradicted."""

import pytest

from daybook.state.prompt.wants import LONGEST, MOST_KEPT, stated_in
from daybook.state.prompt.wants import kept as kept_of


def kept(messages: list[str]) -> tuple[str, ...]:
    """Return what is kept of messages, as text."""
    return tuple(one.text for one in kept_of((str(n), text) for n, text in enumerate(messages)))


MATTERS = [
    ("I hate red.", "dislike"),
    ("I don\u2019t like zips.", "dislike"),
    ("We can't stand wool.", "dislike"),
    ("Please, nothing bright orange.", "dislike"),
    ("No leather, please.", "dislike"),
    ("I am allergic to goose down.", "dislike"),
    ("I'm vegan.", "dislike"),
    ("Anything but a mummy bag.", "dislike"),
    ("Blue is my colour.", "want"),
    ("I prefer merino.", "want"),
    ("I need something warm for Iceland.", "want"),
    ("It must have a hood.", "want"),
    ("It has to be waterproof.", "want"),
    ("Gas canisters only, please.", "want"),
    ("I'm looking for a light tent.", "want"),
    ("It's for my daughter.", "want"),
    ("Keep it below 300 dollars in all.", "limit"),
    ("My budget is 400.", "limit"),
    ("Nothing over 200.", "limit"),
    ("At most 2 kg.", "limit"),
    ("I can spend 150 at most.", "limit"),
    ("My shoe size is EU 43.", "size"),
    ("I wear 43.", "size"),
    ("I take a medium in jackets, size M.", "size"),
    ("I have wide feet.", "size"),
    ("I need it by Friday.", "date"),
    ("We fly on the ninth of March.", "date"),
    ("It is for Christmas.", "date"),
    ("We leave in two weeks.", "date"),
    ("The hike is tomorrow.", "date"),
    # in other words
    ("I'd rather have something in green.", "want"),
    ("Green suits me best.", "want"),
    ("The tent has to sleep four.", "want"),
    ("Preferably with a hood.", "want"),
    ("It'd be great if it had pockets.", "want"),
    ("Waterproof is non-negotiable.", "want"),
    ("Weight matters most to me.", "want"),
    ("Comfort comes first.", "want"),
    ("Please make sure it's vegan.", "want"),
    ("It's a present for my mum.", "want"),
    ("We're four people.", "want"),
    ("I run hot at night.", "want"),
    ("I always get cold feet.", "want"),
    ("I camp above the tree line in winter.", "want"),
    ("must b waterproof", "want"),
    ("Needs to fit in my backpack.", "want"),
    ("Red makes me look ill.", "dislike"),
    ("Wool itches on my skin.", "dislike"),
    ("I get a rash from wool.", "dislike"),
    ("I react badly to latex.", "dislike"),
    ("Keep away from anything with PFAS.", "dislike"),
    ("Leather is out of the question for me.", "dislike"),
    ("I'm against fur.", "dislike"),
    ("I don't do zippers.", "dislike"),
    ("Synthetics are a no-go.", "dislike"),
    ("Just not orange, ok?", "dislike"),
    ("Make it something without a zip, please.", "dislike"),
    ("i dont like black", "dislike"),
    ("cant wear wool", "dislike"),
    ("I have 250 to spend.", "limit"),
    ("I've got about 180 bucks for this.", "limit"),
    ("The whole lot can't exceed 500 USD.", "limit"),
    ("Anything heavier than 2 kg is useless to me.", "limit"),
    ("It shouldn't cost over 90.", "limit"),
    ("80 dollars is all I've got.", "limit"),
    ("I'm 1.86 tall.", "size"),
    ("My head is 58 around.", "size"),
    ("Chest 104, usually an L.", "size"),
    ("Glove size nine.", "size"),
    ("I need boots in 45.", "size"),
    ("The trip starts March 3rd.", "date"),
    ("I'm off to Norway at the end of October.", "date"),
    ("We set off on Sat.", "date"),
    ("need it b4 friday", "date"),
    # in others again
    ("Blue would be nice.", "want"),
    ("blue please", "want"),
    ("Blue if possible.", "want"),
    ("I'd go with blue.", "want"),
    ("I'm more of a blue person.", "want"),
    ("Blue is my thing.", "want"),
    ("It should be waterproof.", "want"),
    ("It mustn't be heavy.", "want"),
    ("As light as possible.", "want"),
    ("The lighter the better.", "want"),
    ("Comfort over price.", "want"),
    ("Price matters most.", "want"),
    ("We're a family of four.", "want"),
    ("There's four of us.", "want"),
    ("It's just me and my son.", "want"),
    ("I only buy recycled stuff.", "want"),
    ("Red is a no for me.", "dislike"),
    ("Red isn't my colour.", "dislike"),
    ("Yellow's ugly.", "dislike"),
    ("Yellow is awful.", "dislike"),
    ("Leather is a deal breaker.", "dislike"),
    ("Wool gives me hives.", "dislike"),
    ("Latex is bad for me.", "dislike"),
    ("I'm sensitive to latex.", "dislike"),
    ("Down feathers trigger my asthma.", "dislike"),
    ("I'm celiac.", "dislike"),
    ("i'm alergic to nickel", "dislike"),
    ("I boycott Altura Works.", "dislike"),
    ("I had a bad experience with Altura.", "dislike"),
    ("Keep it under a hundred.", "limit"),
    ("Keep it below two hundred dollars.", "limit"),
    ("My budget is eighty.", "limit"),
    ("I've got 150 bucks.", "limit"),
    ("About 150 would be ok.", "limit"),
    ("I could stretch to 200 dollars.", "limit"),
    ("My pack shouldn't weigh more than 2 kilos.", "limit"),
    ("For temperatures down to -20.", "limit"),
    ("I'm a 43.", "size"),
    ("43 is what I wear.", "size"),
    ("I take a large.", "size"),
    ("I'm an L.", "size"),
    ("I'm 6'2.", "size"),
    ("Inside leg 32.", "size"),
    ("As soon as possible please.", "date"),
    ("It's urgent.", "date"),
    ("I'm going to Iceland in winter.", "date"),
    # once more
    ("Something light, please.", "want"),
    ("Something that packs small.", "want"),
    ("There are two of us.", "want"),
    ("Don't send me mails.", "dislike"),
    ("Please don't suggest boots again.", "dislike"),
    ("My feet are wide.", "size"),
    ("My knees are bad.", "size"),
    ("43 fits me.", "size"),
    ("100 is the most I can spend.", "limit"),
    ("I have $100.", "limit"),
]

BESIDE_AN_ACT = [
    ("Add BOOT-001, and by the way I hate red laces.", "and by the way I hate red laces"),
    ("Show me tents, but nothing over 200 dollars.", "but nothing over 200 dollars"),
    ("Put them in my cart, I need them by Friday.", "I need them by Friday"),
    ("Do you have it in 43? That's what I wear.", "Do you have it in 43?"),
    ("Could it be here by Friday? We leave then.", "Could it be here by Friday?"),
]

OF_NO_USE_LATER = [
    "Show me boots.",
    "Could you look for a tent, at most 300 dollars?",
    "Add BOOT-001 to my cart.",
    "I want to check out.",
    "I'd like the first one.",
    "I do not want the Pebble Strand boots after all, take it out.",
    "We need more than one of the socks, make it 3.",
    "Good, put the Kestrel Edge Tent into my cart.",
    "What do you know about me?",
    "Is it better to wear two thin layers or one thick one?",
    "Thanks, that is all.",
    "No thanks.",
    "Yes.",
    "No problem.",
    "I would like to see the reviews.",
    "I want you to compare them.",
    "No.",
    "Something is wrong.",
    "Something else.",
    "Don't send me the mail yet.",
]

PRIVATE = [
    "I want it charged to 4242 4242 4242 4242.",
    "I need it sent to 12 Market Street by Friday.",
    "My address is Hauptstra\u00dfe 5, I need it by Friday.",
    "I like mail at ada@example.com.",
    "I prefer my password hunter2.",
    "My postcode is 8001, I need it tomorrow.",
    "I need a call on +41791234567 by Friday.",
]


@pytest.mark.parametrize(("said", "kind"), MATTERS)
def test_a_want_a_dislike_a_limit_a_size_and_a_date_are_kept(said: str, kind: str):
    assert kind in {kind for one in stated_in(said) for kind in one.kinds}
    assert kept([said, "Show me boots.", "What else?"]) == (said.rstrip("."),)


@pytest.mark.parametrize(("said", "stated"), BESIDE_AN_ACT)
def test_what_is_stated_beside_an_act_or_in_a_question_is_kept_too(said: str, stated: str):
    assert stated in kept([said, "Show me boots."])


@pytest.mark.parametrize("said", OF_NO_USE_LATER)
def test_what_is_done_at_once_is_not(said: str):
    assert kept([said]) == ()


@pytest.mark.parametrize("said", PRIVATE)
def test_no_card_address_or_secret_is(said: str):
    told = " ".join(kept([said]))
    for word in ("4242", "Market", "Haupt", "@", "hunter2", "8001", "4179"):
        assert word not in told


@pytest.mark.parametrize(
    ("said", "left"),
    [
        (["I hate red, need it by Friday."], ["I hate red", "need it by Friday"]),
        (["I hate red.", "Red is fine after all."], []),
        (["I hate red.", "I like red now."], ["I like red now"]),
        (["I hate red.", "I hate wool."], ["I hate red", "I hate wool"]),
        (["I hate red.", "I hate red!"], ["I hate red"]),
        (["My budget is 300.", "My budget is 400 now."], ["My budget is 400 now"]),
        (
            ["The tent must be under 300.", "Boots must be under 150."],
            ["The tent must be under 300", "Boots must be under 150"],
        ),
        (["My shoe size is 43.", "My shoe size is 44, sorry."], ["My shoe size is 44, sorry"]),
        (
            ["My shoe size is 43.", "My jacket size is M."],
            ["My shoe size is 43", "My jacket size is M"],
        ),
        (["I need it by Friday.", "By Monday is enough."], ["By Monday is enough"]),
        (["I like merino.", "Blue is my colour.", "Never mind."], ["I like merino"]),
        (["I like merino.", "I hate red.", "Never mind the merino."], ["I hate red"]),
        (["I prefer merino, wool and silk."], ["I prefer merino, wool and silk"]),
        (["Do you have boots? I wear 43. Show me."], ["I wear 43"]),
        (["I hate red.", "Red would be lovely after all."], []),
        (["No zips, please.", "Zips don't bother me."], []),
        (["I don't want leather.", "I've come round to leather."], []),
        (["My budget is 300.", "I can go up to 450."], ["I can go up to 450"]),
        (
            ["My budget is 300.", "Let's say 400 instead."],
            ["My budget is 300 / Let's say 400 instead"],
        ),
        (["My shoe size is 43.", "It's 44 nowadays."], ["My shoe size is 43 / It's 44 nowadays"]),
        (["I wear 43.", "Sorry, 44, not 43."], ["I wear 43 / Sorry, 44, not 43"]),
        (
            ["I want something in blue.", "Make that green."],
            ["I want something in blue / Make that green"],
        ),
        (["Nothing over 200.", "Money is no object."], []),
        (["I need it by Friday.", "There's no rush."], []),
        (["We fly on Friday.", "There's no rush."], ["We fly on Friday"]),
        (["At most 2 kg.", "Nothing over 200.", "Weight doesn't matter."], ["Nothing over 200"]),
        # of other things, or of other people
        (["I hate red boots.", "I like warm boots."], ["I hate red boots", "I like warm boots"]),
        (
            ["I want waterproof boots.", "I don't want leather boots."],
            ["I want waterproof boots", "I don't want leather boots"],
        ),
        (
            ["I need boots in size 43.", "My wife needs boots in size 38."],
            ["I need boots in size 43", "My wife needs boots in size 38"],
        ),
        (
            ["I need warm socks for my daughter.", "My daughter hates pink."],
            ["I need warm socks for my daughter", "My daughter hates pink"],
        ),
        # what is taken back is what was said just now, and no allergy or size beside it
        (["I'm allergic to down.", "Show me bags.", "Never mind."], ["I'm allergic to down"]),
        (["I like merino.", "Show me bags.", "That is fine."], ["I like merino"]),
        (["My boots are size 43.", "Never mind the boots."], ["My boots are size 43"]),
        (["I'm allergic to down.", "Forget the down bag."], ["I'm allergic to down"]),
        (
            ["I'm allergic to down.", "I need a down bag."],
            ["I'm allergic to down", "I need a down bag"],
        ),
        (["I'm allergic to wool.", "I like wool."], ["I'm allergic to wool", "I like wool"]),
        (["I have a wool allergy.", "Forget my nut allergy."], ["I have a wool allergy"]),
        (["I'm allergic to wool.", "I'm not allergic to nuts."], ["I'm allergic to wool"]),
        (["I'm allergic to wool.", "I'm not allergic to wool."], []),
        (["My budget is 300.", "I wear 43."], ["My budget is 300", "I wear 43"]),
        (["I wear 43.", "My budget is 300."], ["I wear 43", "My budget is 300"]),
        (["I wear 43.", "I can spend 90."], ["I wear 43", "I can spend 90"]),
        (["I wear 43.", "I'm an L.", "I'm 6'2."], ["I wear 43", "I'm an L", "I'm 6'2"]),
        (["I'm an L.", "I'm an XL."], ["I'm an XL"]),
        (["My limit is 2 kg.", "I'm a 43."], ["My limit is 2 kg", "I'm a 43"]),
        # of several that are listed, that one alone
        (["I hate red and orange.", "Orange is fine."], ["I hate red"]),
        (["I hate red, orange and pink.", "Red is fine."], ["I hate orange and pink"]),
        (["I don't want wool or leather.", "Leather is fine after all."], ["I don't want wool"]),
        (["I hate red and orange.", "Red is fine.", "Orange is fine."], []),
        (["I need waterproof boots.", "Waterproof isn't important."], []),
        (["Nothing over 200.", "Price isn't important."], []),
        (["I wear 43.", "Sorry, I wear 44."], ["Sorry, I wear 44"]),
        (["size 43", "actually 44"], ["size 43 / actually 44"]),
        (["size 43", "Sorry, 44."], ["size 43 / Sorry, 44"]),
        (["size 43", "44, actually."], ["size 43 / 44, actually"]),
        (["size 43", "Show me boots.", "actually 44"], ["size 43"]),
        (["I hate red.", "I don't hate red."], []),
        (["I hate red.", "I don't hate pink."], ["I hate red"]),
        (["My budget is 300.", "Forget the budget."], []),
        (["My budget is 300.", "I have no limit."], ["I have no limit"]),
        (["My budget is 300.", "Don't forget my budget."], ["My budget is 300"]),
        (["I need it by Friday.", "Never mind the deadline."], []),
        (["My feet are wide.", "My feet are cold."], ["My feet are wide", "My feet are cold"]),
    ],
)
def test_it_is_kept_until_it_is_contradicted_or_taken_back(said: list[str], left: list[str]):
    assert list(kept(said)) == left


def test_it_is_bounded():
    many = [f"I like thing{chr(97 + n // 26)}{chr(97 + n % 26)} a lot." for n in range(60)]
    assert kept(many) == tuple(one.rstrip(".") for one in many[-MOST_KEPT:])
    (long,) = kept(["I like " + "wool " * 200])
    assert len(long) <= LONGEST


def test_an_allergy_and_a_size_outlast_what_is_only_liked():
    many = [f"I like thing{chr(97 + n // 26)}{chr(97 + n % 26)} a lot." for n in range(60)]
    found = kept(["I am allergic to goose down.", "I wear 43.", *many])
    assert found[:2] == ("I am allergic to goose down", "I wear 43")
    assert len(found) == MOST_KEPT


def test_a_message_without_an_end_is_read_in_pieces():
    """A pattern takes the square of a sentence's length; anybody may write one."""
    found = stated_in("98.90 " * 5_000 + "and I hate red")
    assert found[-1].text.endswith("I hate red")
    assert all(len(one.text) <= LONGEST for one in found)


@pytest.mark.parametrize(
    ("said", "subject", "value", "is_told"),
    [
        ("My shoe size is 43", "shoe size", "43", True),
        ("I wear 43", "shoe size", "43", True),
        ("I hate red", "colours", "hates red", True),
        ("I am allergic to goose down", "allergy", "goose down", True),
        ("I hate red laces", "jacket size", "L", False),
        ("My budget is 430", "shoe size", "43", False),
        ("At most 43 dollars", "shoe size", "43", False),
        ("In 43, for Iceland in winter with a dog", "shoe size", "43", False),
    ],
)
def test_what_is_remembered_tells_a_sentence_where_it_holds_all_of_it(
    said: str, subject: str, value: str, is_told: bool
):
    (one,) = stated_in(said)
    assert one.is_told_by(subject, value) is is_told


def test_of_too_many_what_must_not_be_lost_is_kept_longest():
    """An allergy and a size that were told at the very beginning outlive forty limits and dates."""
    said = ["I'm allergic to wool.", "My shoe size is 43."]
    later = [f"I need the thing{chr(97 + n // 26)}{chr(97 + n % 26)} by Friday." for n in range(99)]
    left = kept([*said, *later])
    assert len(left) == MOST_KEPT
    assert left[:2] == ("I'm allergic to wool", "My shoe size is 43")
    assert left[-1] == later[-1].rstrip(".")
