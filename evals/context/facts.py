"""What the person of the script tells of himself: 25 facts in 200 turns, 13 of them in 100."""

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
    Stated("sister's shoe size", "EU 38", "fact", "Maren's shoe size is EU 38."),
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

_EVERY = 100 / 13


def fact_at(turn: int) -> Stated | None:
    """Return the fact that is said in a turn, counted from 1."""
    place = round((turn - 4) / _EVERY)
    is_here = place >= 0 and turn == round(4 + place * _EVERY)
    return FACTS[place] if is_here and place < len(FACTS) else None
