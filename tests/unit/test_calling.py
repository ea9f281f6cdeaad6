"""A tool's function gets the types of its signature; what it returns is kept as plain data."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from pydantic import BaseModel

from daybook.state.effects.outcome import Confirmed, Declined, NotSent, Unknown
from daybook.state.errors import ToolRefused
from daybook.tools.kinds import change, read, tool_of, write


class Guest(BaseModel):
    name: str


async def invite(day: date, guests: list[Guest], note: str | None = None, *, ctx: Any) -> Any:
    """Invite."""
    return ctx(day, guests, note)


GIVEN: dict[str, Any] = {"day": "2031-05-06", "guests": [{"name": "Mia"}]}


@pytest.mark.parametrize("declare", [read(), change, write(), tool_of])
async def test_arguments_have_the_types_of_the_signature_or_are_refused_before_it_runs(declare):
    seen = []
    await declare(invite).run(**GIVEN, ctx=lambda *args: seen.append(args))
    assert seen == [(date(2031, 5, 6), [Guest(name="Mia")], None)]
    with pytest.raises(ToolRefused, match="day: "):
        await declare(invite).run(day="tomorrow", guests=[], ctx=lambda *a: pytest.fail("ran"))


async def test_what_is_read_looked_up_observed_confirmed_or_declined_is_plain():
    day = date(2031, 5, 6)
    odd = {"on": day, "who": [Guest(name="Mia")], "sum": Decimal("1.5"), "is": object()}
    plain = {"on": "2031-05-06", "who": [{"name": "Mia"}], "sum": "1.5", "is": "<object>"}

    async def looked(args: Any, *, ctx: Any) -> Any:
        return [{"on": ctx}]

    assert await read()(invite).run(**GIVEN, ctx=lambda *args: odd) == plain
    tool = write(reference="id", probe=looked, observe=looked)(invite)
    for look in (tool.probe, tool.observe):
        assert await look({}, ctx=day) == [{"on": "2031-05-06"}]
    turned_away = Declined("unauthorized", "No.", at_the_door=True)
    for outcome, kept in (
        (Confirmed({"on": day}), Confirmed({"on": "2031-05-06"})),
        (Declined("full", "Full.", {"on": day}), Declined("full", "Full.", {"on": "2031-05-06"})),
        *((one, one) for one in (turned_away, NotSent("down"), Unknown("lost"))),
    ):
        assert await tool_of(invite).run(**GIVEN, ctx=lambda *a, o=outcome: o) == kept


def bottomless(levels: int) -> Any:
    """Make lists within lists."""
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


def endless() -> Any:
    """Make a list that holds itself."""
    value: list[Any] = []
    value.append(value)
    return value


UNKEPT = [
    float("nan"),
    float("-inf"),
    2**64,
    10**400,
    "\x00",
    "\ud800",
    b"\xff",
    bottomless(40),
    bottomless(100_000),
    endless(),
]


@pytest.mark.parametrize("odd", UNKEPT, ids=range(len(UNKEPT)))
async def test_what_cannot_be_kept_as_it_is_confirms_nothing_and_raises_nothing(odd: Any):
    """It comes after the effect: an exception would lose it, and storing it would change it."""
    tool = tool_of(invite)
    outcome = await tool.run(**GIVEN, ctx=lambda *a: Confirmed({"id": odd}))
    assert isinstance(outcome, Unknown)
    assert "cannot be stored" in outcome.reason
    declined = await tool.run(**GIVEN, ctx=lambda *a: Declined("full", "Full.", {"id": odd}))
    assert declined == Declined("full", "Full.", {})


@pytest.mark.parametrize(
    ("ends", "kept"),
    [
        ("2031-05-06T10:00:00+02:00", {"expires_at": "2031-05-06T10:00:00+02:00"}),
        ("2031-05-06T08:00:00", {"expires_at": "2031-05-06T08:00:00+00:00"}),
        ("2031-05-06T08:00:00Z", {"expires_at": "2031-05-06T08:00:00+00:00"}),
        ("1935820800", {"expires_at": "2031-05-06T08:00:00+00:00"}),
        (1_935_820_800, {"expires_at": "2031-05-06T08:00:00+00:00"}),
        (None, {}),
        ("in a while", {}),
    ],
)
async def test_the_end_of_what_is_held_is_kept_with_its_zone_or_not_at_all(ends: Any, kept: Any):
    """Whether a plan goes on depends on it: what cannot be read would stop the plan for ever."""

    async def looked(args: Any, *, ctx: Any) -> Any:
        return [{"expires_at": ends}]

    tool = write(reference="id", probe=looked)(invite)
    outcome = await tool.run(**GIVEN, ctx=lambda *args: Confirmed({"expires_at": ends}))
    assert outcome == Confirmed(kept)
    assert await tool.probe({}, ctx=None) == [kept]


@pytest.mark.parametrize("returned", [None, {"id": 1}, True, Confirmed([1])])
async def test_what_is_no_outcome_says_nothing_of_what_was_done(returned):
    outcome = await tool_of(invite).run(**GIVEN, ctx=lambda *args: returned)
    assert isinstance(outcome, Unknown)
    assert "which is not an outcome" in outcome.reason
