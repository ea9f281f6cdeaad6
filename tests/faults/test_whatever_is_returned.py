"""Whatever code of a domain returns: no checkpoint, ledger or model is given what it cannot take.

What cannot be kept would end the run that keeps it, and each one that makes it again.
"""

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest

from daybook.state.ledger.recovery import Event
from daybook.state.receipts import ReceiptStatus
from daybook.tools.domain import Change
from tests.careless.agent import BARN, Careless, careless_agent
from tests.careless.domain import WORLD
from tests.conversation import answer_of, turn_receipt_lines, turn_receipt_text

HALF = "half a \ud800 character"
NUL = "a \x00 byte"


class OddText(str):
    """Is text, and cannot be taken apart."""

    def split(self, *args: Any, **given: Any) -> list[str]:
        raise RuntimeError("in one piece")


def circle() -> list[Any]:
    """Make a list that holds itself."""
    made: list[Any] = []
    made.append(made)
    return made


UNKEPT: dict[str, dict[str, Any]] = {
    "no data": {"people": lambda: 8},
    "an object": {"people": object()},
    "half a character": {"people": HALF},
    "a NUL": {"people": NUL},
    "no number": {"people": float("nan")},
    "a number too large": {"people": 2**70},
    "a number too large, within": {"people": [2**70]},
    "itself": {"people": circle()},
    "what is said": {"messages": [5]},
    "all that is not its own": {"messages": None, "ledger": None, "turn": None, "decision": 5},
    "where the flow stands": {"flow": "nowhere"},
}


@pytest.fixture
async def careless(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Careless]:
    monkeypatch.setattr("daybook.nodes.effects.claim.AGAIN", timedelta(0))
    async with careless_agent(postgres_url) as agent:
        yield agent


async def test_what_was_done_is_told_although_what_settled_makes_of_it_cannot_be_kept(careless):
    await careless.answers()
    for update in UNKEPT.values():
        WORLD.spoils("settled", update)
        found = await careless.decides(("clean", BARN))
        assert WORLD.given, "it was never asked"
        assert answer_of(found) == "clean is over"
        (line,) = turn_receipt_lines(found)
        assert (line.kind, line.status) == ("clean", ReceiptStatus.DONE)
        assert "could not be updated" in turn_receipt_text(found)
        await careless.answers()
        WORLD.mended()
    assert len(WORLD.did("clean")) == len(UNKEPT)
    assert (await careless.events()).count(Event.SUCCEEDED) == len(UNKEPT)
    assert (await careless.talk.state()).values["rented"] == 0


async def test_a_change_that_cannot_be_kept_is_refused_and_not_written_down(careless: Careless):
    await careless.answers()
    for update in UNKEPT.values():
        WORLD.spoils("apply", Change(update, "done"))
        said = answer_of(await careless.decides(("note", {"people": 3})))
        assert WORLD.given, "it was never asked"
        assert said == "note refused: The event is invalid. Nothing was done."
        WORLD.mended()
        await careless.answers()
    assert Event.APPLIED not in await careless.events()
    assert (await careless.talk.state()).values["people"] == 0


WORDS = [
    pytest.param(HALF, "half a  character", id="half a character"),
    pytest.param(NUL, "a  byte", id="NUL"),
    pytest.param(OddText("some words"), "some words", id="odd text"),
]


@pytest.mark.parametrize(("words", "said"), WORDS)
@pytest.mark.parametrize(
    ("name", "tool", "args"),
    [
        ("rendered", "find", BARN),
        ("outcome", "clean", BARN),
        ("refused", "find", {"room": 3}),
    ],
)
async def test_words_lose_what_nobody_takes_and_are_said(careless, name, tool, args, words, said):
    WORLD.spoils(name, words)
    shown = answer_of(await careless.decides((tool, args)))
    assert WORLD.given, "it was never asked"
    assert " ".join(said.split()) in " ".join(shown.split())
    await careless.talk.run(None)
    WORLD.mended()
    await careless.answers()
    await careless.events()


@pytest.mark.parametrize(
    ("name", "gift"),
    [
        ("title", HALF),
        ("title", NUL),
        ("title", OddText("Rent it")),
        ("summary", (HALF, NUL, OddText("for a day"))),
        ("step", HALF),
        ("step", NUL),
        ("step", OddText("hold")),
        ("step", ["hold"]),
        ("step", None),
        ("drafted", {"room": HALF, "day": NUL}),
        ("drafted", {"room": float("nan"), "day": 2**70}),
        ("drafted", {"room": object(), 5: 6}),
        ("args", {"room": HALF}),
        ("args", {"room": NUL}),
        ("args", {"room": 2**70}),
        ("args", {"room": ["Barn"]}),
    ],
)
async def test_a_plan_of_odd_words_is_asked_about_or_refused(careless, name, gift):
    WORLD.spoils(name, gift)
    ended = await careless.decides(("rent", BARN))
    assert WORLD.given, "it was never asked"
    if ended.interrupts:
        ended = await careless.talk.approve()
        assert answer_of(ended) == "rent is over"
        assert len(WORLD.did("book")) == 1
    else:
        assert answer_of(ended).startswith("rent refused: ")
        assert WORLD.happened == []
    WORLD.mended()
    await careless.answers()
    await careless.events()


@pytest.mark.parametrize("name", [HALF, NUL, "", 3.5, ["clean-1"], object()])
async def test_what_names_no_effect_is_put_to_a_person_and_hinders_nobody(careless, name):
    for talk in (careless, careless.anew()):
        await talk.answers()
        WORLD.spoils("names", name)
        ended = await talk.decides(("clean", BARN))
        assert WORLD.given, "it was never asked"
        assert ended.interrupts[0].value["in_doubt"]
        WORLD.mended()
        talk.model.script[:] = []
        await talk.talk.run(None)
    assert len(WORLD.did("clean")) == 2


@pytest.mark.parametrize("args", [{}, {"hold_id": ["hold-1"]}, {"hold": "hold-1"}, None])
async def test_an_undo_whose_arguments_do_not_fit_its_tool_is_put_to_a_person_at_once(
    careless: Careless, args: Any
):
    WORLD.full = True
    WORLD.spoils("undo", args)
    await careless.decides(("rent", BARN))
    doubtful = await careless.talk.approve()
    assert "hold" in doubtful.interrupts[0].value["in_doubt"]
    assert WORLD.given == 1
    assert WORLD.did("release") == []
    assert (await careless.events())[-2:] == [Event.UNDO_FAILED, Event.UNDO_STUCK]
