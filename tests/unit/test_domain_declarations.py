"""What a domain is declared of fits together, or says what to write instead, when it is built."""

import dataclasses
import enum
import types
import typing
from dataclasses import replace
from datetime import date
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from daybook.state.agent import STORED_TYPES, AgentState
from daybook.state.effects.bind import take
from daybook.state.effects.outcome import Confirmed, Outcome
from daybook.state.errors import DeclarationError, ToolRefused
from daybook.state.flow import FlowTable
from daybook.tools.checks.draft import check_draft
from daybook.tools.domain import Domain, Prompt
from daybook.tools.draft import ActionDraft, StepDraft
from daybook.tools.kinds import plan, read, write
from daybook.tools.registry import Registry


@read()
async def look(*, ctx: Any) -> Any:
    """Look."""


@write(evidence=lambda args: {"place": args["place"]}, makes_stale=("places:{place}",))
async def go(place: Annotated[str, Field(max_length=10)], times: int = 1, *, ctx: Any) -> Outcome:
    """Go."""
    return Confirmed({})


@write()
async def rest(day: date, *, ctx: Any) -> Outcome:
    """Rest."""
    return Confirmed({})


@plan
async def travel(*, ctx: Any) -> ActionDraft:
    """Travel."""
    return journey()


def journey(*steps: StepDraft) -> ActionDraft:
    default = (StepDraft("out", "go", "travel/1", {"place": "Rome"}, pivot=True),)
    return ActionDraft(tool="travel", args={}, title="Travel", steps=steps or default)


REGISTRY = Registry([look, go, travel], [rest])
ALL = frozenset({"look", "go", "travel"})
FLOW = FlowTable(
    start="home",
    moves={
        ("home", "travel.opened"): "away",
        ("away", "travel.succeeded"): "home",
        ("away", "travel.failed"): "home",
    },
    offered={"home": ALL, "away": frozenset({"look"})},
)
PROMPT = Prompt(system="Travel.")
DOMAIN = Domain(name="travels", registry=REGISTRY, flow=FLOW, prompt=PROMPT)


# -- defaults -------------------------------------------------------------------------------------


def test_a_fault_in_apply_refuses_the_event(caplog):
    """Raised in a run it would stay in the checkpoint and meet every later run."""
    domain = replace(DOMAIN, apply=lambda state, event, turn_id: event["key"])
    with pytest.raises(ToolRefused, match="The event is invalid"):
        domain.changed({}, {"id": "e"}, "turn")
    assert "KeyError" in caplog.text


# -- state ----------------------------------------------------------------------------------------


class Kind(enum.Enum):
    SMALL = "small"


class Inner(BaseModel):
    kind: Kind


class Outer(BaseModel):
    parts: tuple[Inner, ...] = ()
    next: "Outer | None" = None


@dataclasses.dataclass
class Plain:
    since: date


class Holder(TypedDict):
    plain: list[Plain]


class Travels(AgentState, total=False):
    outer: Annotated[Outer | None, Field(description="what")]
    held: dict[str, Holder]


class FurtherTravels(Travels, total=False):
    more: int


def test_models_enums_and_dataclasses_of_the_state_are_restored_however_deep():
    found = replace(DOMAIN, state=FurtherTravels).restored_types
    own = found[len(STORED_TYPES) :]
    assert found == (*STORED_TYPES, *own)
    assert sorted(one.__name__ for one in own) == ["Inner", "Kind", "Outer", "Plain"]
    assert set(own) == {Outer, Inner, Kind, Plain}


class Odd:
    pass


class StandardPart(typing.TypedDict):
    a: int


@pytest.mark.parametrize(
    ("key", "hint", "said"),
    [
        # On Python 3.11 the server would show clients no schema at all.
        ("part", StandardPart, r"Whole has no schema.*typing_extensions.TypedDict"),
        ("odd", Odd, "Whole has no schema"),
        ("ledger", list[str], r"declares ledger, .*Rename yours"),
    ],
)
def test_a_key_of_the_state_that_cannot_be_says_what_to_write(key: str, hint: Any, said: str):
    whole = types.new_class(
        "Whole",
        (AgentState,),
        {"total": False},
        lambda body: body.update({"__annotations__": {key: hint}, "__module__": __name__}),
    )
    with pytest.raises(DeclarationError, match=said):
        replace(DOMAIN, state=whole)


# -- flow -----------------------------------------------------------------------------------------


def offering(home: frozenset[str], **others: frozenset[str]) -> dict[str, Any]:
    return {"offered": {**FLOW.offered, "home": home, **others}}


def moving(at: str, trigger: str, to: str) -> dict[str, Any]:
    return {"moves": {**FLOW.moves, (at, trigger): to}}


def without(trigger: str) -> dict[str, Any]:
    return {"moves": {move: to for move, to in FLOW.moves.items() if move[1] != trigger}}


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        (offering(ALL | {"fly"}), "fly"),
        (offering(ALL | {"rest"}), "rest"),
        (offering(ALL - {"look"}, away=frozenset()), "look"),
        ({"start": "abroad"}, "abroad"),
        (moving("home", "tired", "abroad"), "abroad"),
        (moving("home", "travels.opened", "away"), r"travels\.opened"),
        (moving("away", "go.failed", "home"), r"go\.failed"),
        (without("travel.succeeded"), r"'away', 'travel\.succeeded'"),
        (without("travel.failed"), r"'away', 'travel\.failed'"),
    ],
    ids=[
        *("a tool that is not registered", "a step", "a tool that is offered nowhere"),
        *("a start where nothing is offered", "a move to where nothing is offered"),
        *("a trigger that never happens", "an ending that is a move elsewhere only"),
        *("a plan that cannot succeed", "a plan that cannot fail"),
    ],
)
def test_what_does_not_fit_the_flow_is_refused_by_its_name(changes: dict[str, Any], named: str):
    with pytest.raises(DeclarationError, match=named):
        replace(DOMAIN, flow=replace(FLOW, **changes))
    assert replace(DOMAIN, flow=replace(FLOW, moves={})).flow.moves == {}, "nothing is moved"


# -- drafts ---------------------------------------------------------------------------------------


OUT = StepDraft("out", "go", "travel/1", {"place": "Rome"})
BACK = StepDraft("back", "rest", "travel/1/back", {"day": date(2031, 5, 6)}, pivot=True)
LATER = StepDraft("later", "go", "travel/1/later", {"place": "Rome"})
BOUND = StepDraft("on", "go", "travel/1/on", {}, {"place": take("out", "place")}, pivot=True)


@pytest.mark.parametrize(
    ("steps", "named"),
    [
        ([OUT], "'out'"),
        ([replace(OUT, pivot=True), BACK], r"\['out', 'back'\]"),
        ([replace(BACK, pivot=False), BACK], "several steps named back"),
        *(
            ([OUT, replace(BACK, binds={"day": take(step, "day")}), LATER], step)
            for step in ("off", "back", "later")
        ),
        *(([replace(OUT, tool=tool, pivot=True)], tool) for tool in ("fly", "look", "travel")),
        ([replace(OUT, args={}, pivot=True)], "place"),
        ([replace(OUT, args={"place": "Rome", "speed": 3}, pivot=True)], "place"),
        ([OUT, BOUND], "`evidence` or `makes_stale` of go uses .place."),
    ],
    ids=[
        *("no pivot", "two pivots", "two steps of one name"),
        *("bound to none", "bound to itself", "bound to a later one"),
        *("no tool", "a read", "a plan", "an argument missing", "an unknown one"),
        "evidence of a bound argument",
    ],
)
def test_a_draft_that_cannot_be_carried_out_is_refused(steps: list[StepDraft], named: str):
    with pytest.raises(DeclarationError, match=named):
        check_draft(journey(*steps), REGISTRY)


def test_a_value_that_the_tool_does_not_take_is_refused_in_words_for_the_model():
    draft = journey(replace(OUT, args={"place": "Constantinople"}, pivot=True))
    with pytest.raises(ToolRefused, match="place: "):
        check_draft(draft, REGISTRY)


def test_a_draft_that_fits_is_taken_and_kept_as_plain_data():
    draft = journey(OUT, BACK)
    assert draft.steps[1].args == {"day": "2031-05-06"}
    check_draft(draft, REGISTRY)
    bound = replace(BACK, args={}, binds={"day": take("out", "day")})
    check_draft(journey(OUT, bound), REGISTRY)
