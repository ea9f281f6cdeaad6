"""What the person of the script tells of himself: 25 facts in 200 turns, 13 of them in 100.

And what he says besides, which no call remembers: 14 things, 7 of them in 100.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Kind = Literal["fact", "preference", "constraint"]


class Stated(NamedTuple):
    """A fact and the words in which it is said; `value` stands in them as it is."""

    subject: str
    value: str
    kind: Kind
    said: str


FACTS = (
    Stated("shoe size", "EU 43", "fact", "My shoe size is EU 43, by the way."),
    Stated("allergy", "goose down", "constraint", "I am allergic to goose down, so none of that."),
    Stated("budget", "300 dollars in all", "constraint", "Keep it below 300 dollars in all."),
    Stated("journey", "Iceland in March", "fact", "All this is for Iceland in March."),
    Stated("companion", "my sister Maren", "fact", "I go together with my sister Maren."),
    Stated("colours", "nothing bright orange", "preference", "And please, nothing bright orange."),
    Stated("jacket size", "medium tall", "fact", "In jackets I take medium tall."),
    Stated("knee", "a bad left knee", "fact", "I have a bad left knee, which likes poles."),
    Stated("stove fuel", "gas canisters only", "constraint", "Stoves: gas canisters only."),
    Stated("flight", "on the ninth of March", "fact", "We fly on the ninth of March."),
    Stated("luggage", "one bag of 20 kilos", "constraint", "We may take one bag of 20 kilos."),
    Stated("material", "prefers merino", "preference", "Maren prefers merino."),
    Stated("height", "188 centimetres", "fact", "I am 188 centimetres, if that matters for tents."),
    Stated("Maren's shoe size", "EU 38", "fact", "Maren's shoe size is EU 38."),
    Stated("animals", "no leather", "preference", "If there is a choice, no leather."),
    Stated("water", "two litres a day", "fact", "I drink two litres a day when walking."),
    Stated("nights", "nine nights outside", "fact", "It will be nine nights outside."),
    Stated("cold", "freezes easily", "fact", "Maren freezes easily, keep that in mind."),
    Stated("gift", "a lamp for our father", "fact", "I also look for a lamp for our father."),
    Stated("returns", "no final sales", "constraint", "And for me no final sales."),
    Stated("zips", "left-handed zips", "preference", "I like left-handed zips."),
    Stated("brand", "not Hollow Oak again", "preference", "Please not Hollow Oak again."),
    Stated("delivery", "to the office", "preference", "Deliveries go to the office."),
    Stated("experience", "first winter tour", "fact", "It is our first winter tour."),
    Stated("camera", "a camera of 900 grams", "fact", "I carry a camera of 900 grams."),
)  # fmt: skip

WORDS = (
    Stated("red", "hate red", "preference", "I hate red."),
    Stated("until", "by friday", "constraint", "I need it all by Friday, at the latest."),
    Stated("blue", "blue is my colour", "preference", "Blue is my colour."),
    Stated("pockets", "must have pockets", "constraint", "Trousers must have pockets."),
    Stated("weight", "at most 2 kilos", "constraint", "The tent may weigh at most 2 kilos."),
    Stated("wool", "can't stand scratchy wool", "preference", "I can't stand scratchy wool."),
    Stated("gloves", "gloves in size 8", "fact", "I take gloves in size 8."),
    Stated("quiet", "prefer a quiet stove", "preference", "We prefer a quiet stove."),
    Stated("mummy", "mummy", "preference", "Anything but a mummy bag, please."),
    Stated("poles", "looking for poles that fold", "fact", "I'm looking for poles that fold."),
    Stated("laces", "nothing with laces", "preference", "Please, nothing with laces."),
    Stated("hood", "has to have a hood", "constraint", "A jacket has to have a hood."),
    Stated("plastic", "avoid plastic", "preference", "We avoid plastic bottles."),
    Stated("lamp", "lamp before christmas", "constraint", "I need the lamp before Christmas."),
)
"""Each is said once, by the way, and never by a call."""

_EVERY = 100 / 13


def fact_at(turn: int) -> Stated | None:
    """Return the fact that is said in a turn, counted from 1."""
    place = round((turn - 4) / _EVERY)
    is_here = place >= 0 and turn == round(4 + place * _EVERY)
    return FACTS[place] if is_here and place < len(FACTS) else None


def word_at(turn: int) -> Stated | None:
    """Return what is said in a turn and remembered by no call."""
    place, rest = divmod(turn - 6, 14)
    return WORDS[place] if rest == 0 and 0 <= place < len(WORDS) else None
