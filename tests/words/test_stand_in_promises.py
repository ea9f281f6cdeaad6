"""The stand-in on what the shop promises, asked by what happens."""

import pytest

from tests.words.shop_talk import ShopTalk


@pytest.mark.parametrize(
    ("said", "topic"),
    [
        ("who pays the postage if i send something back", "returns"),
        ("free label or do i pay", "returns"),
        ("how long till i get my money back", "returns"),
        ("what happens if it breaks after a year", "warranty"),
        ("and if it leaks after a year you better pay", "warranty"),
        ("what if the zip goes within six months", "warranty"),
        ("is there a minimum spend", "shipping"),
        ("any minimum order", "shipping"),
        ("If I order something can it go straight to my grandson's house in Ohio?", "shipping"),
        ("do you do anything faster than ordinary post, an express or courier?", "shipping"),
        ("when exactly is my card charged", "payment"),
        ("when do you take the money from my card", "payment"),
        ("my card is canadian is that a problem", "currency"),
        ("ship to norway?", "shipping"),
        ("Is it possible to deliver to Chile?", "shipping"),
        ("hi, can i have it sent to Denmark", "shipping"),
        ("do you guys post to japan", "shipping"),
        ("Would a parcel reach Utah before the 14th of May if I buy today?", "shipping"),
        ("will it get here by the 3rd", "shipping"),
        ("and how long until I see my money again?", "returns"),
        ("how long till the cash is back", "returns"),
        ("Your prices: do they include tax or does that come on top at the end?", "currency"),
    ],
)
def test_a_promise_is_told_by_what_happens(said: str, topic: str):
    talk = ShopTalk()
    talk.say(said)
    assert talk.calls == [("get_policy", {"topic": topic})]


def test_who_pays_for_it_is_of_what_was_asked_before():
    talk = ShopTalk()
    talk.say("can I send them back if they do not fit?")
    talk.say("and who pays the postage on that")
    assert talk.calls == [("get_policy", {"topic": "returns"})]


@pytest.mark.parametrize("said", ["even if they were worn a bit?", "but what if I wore them once"])
def test_what_is_supposed_beside_a_promise_is_of_that_promise(said: str):
    talk = ShopTalk()
    talk.say("can I send them back if they do not fit?")
    talk.say(said)
    assert talk.calls == [("get_policy", {"topic": "returns"})]


@pytest.mark.parametrize("said", ["ship it to my work address", "can you send it home?"])
def test_what_shall_go_where_somebody_lives_is_bought(said: str):
    talk = ShopTalk()
    talk.cart["BOOT-004"] = 1
    talk.say(said)
    assert ("get_policy", {"topic": "shipping"}) not in talk.calls


@pytest.mark.parametrize(
    "said",
    [
        "i need boots, mine broke after a year",
        "is there a faster stove than that",
        "show me the BOOT-004",
    ],
)
def test_what_is_wanted_is_no_promise(said: str):
    talk = ShopTalk()
    talk.say(said)
    assert "get_policy" not in [name for name, _ in talk.calls]
