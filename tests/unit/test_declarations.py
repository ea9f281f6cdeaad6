"""What a tool declares: what says nothing has the worst class, and what cannot be meant is refused."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Annotated, Any

import pytest
from pydantic import AliasChoices, BaseModel, Field

from daybook.state.effects.guarantees import NO_GUARANTEES, Guarantees
from daybook.state.effects.outcome import Confirmed, Outcome
from daybook.state.errors import DeclarationError
from daybook.tools.draft import ActionDraft
from daybook.tools.kinds import EffectTool, Undo, change, hybrid, plan, read, tool_of, write
from daybook.tools.registry import Registry

KEYED = Guarantees(honours_key=True, retention=timedelta(hours=1))


async def hold(room: str, day: str, *, ctx: Any) -> Outcome:
    """Hold a room.

    The second paragraph is for programmers.
    """
    return Confirmed({})


async def release(hold_id: str, why: str = "", *, ctx: Any) -> Outcome:
    """Give a room back."""
    return Confirmed({})


@read()
async def rooms(*, ctx: Any) -> Any:
    """Read."""


async def look(args: Any, *, ctx: Any) -> Any:
    return []


def undone_by(args: Any, **more: Any) -> Any:
    """Declare a hold whose undo makes these arguments."""
    return hybrid(reference="id", undo=Undo("release", args, **more))(hold)


RELEASED = Undo("release", lambda args, result: {"hold_id": result["id"]})
HELD = hybrid(reference="id", undo=RELEASED)(hold)
SETTLED = undone_by(RELEASED.args, settled_by=frozenset({"gone"}))


# -- what says nothing ----------------------------------------------------------------------------


def test_a_tool_that_says_nothing_is_a_write_of_the_worst_class_that_needs_approval():
    tool = tool_of(hold)
    assert isinstance(tool, EffectTool)
    assert (tool.kind, tool.approval) == ("write", "always")
    worst = Guarantees(honours_key=False, settle=None, provable=False)
    assert tool.guarantees == NO_GUARANTEES == worst
    assert (tool.probe, tool.undo, tool.observe, tool.operation) == (None, None, None, None)
    assert tool.evidence({}) == {}
    assert tool.moved({"stock": 1}, {"stock": 1}) is None
    assert tool.moved({"stock": 1}, {"stock": 0}), "without an opinion whatever differs has moved"
    registry = Registry([hold])
    assert registry.guarantees({}) == {"hold": NO_GUARANTEES}
    assert registry.effect("hold").approval == "always"
    assert tool.description == "Hold a room.", "the model reads the first paragraph"


# -- what cannot be meant -------------------------------------------------------------------------


async def silent(a: int) -> Any:
    pass


async def loose(a: int, b, *, ctx: Any) -> Any:
    """Do."""


def blocking(a: int, *, ctx: Any) -> Any:
    """Do."""


async def alone(a: int) -> Any:
    """Do."""


async def unnamed(*, ctx: Any, **more: int) -> Any:
    """Do."""


async def lost(a: "Nowhere", *, ctx: Any) -> Any:  # noqa: F821
    """Do."""


@pytest.mark.parametrize("declare", [read(), change, plan, write(), tool_of])
@pytest.mark.parametrize("fn", [silent, loose, blocking, alone, unnamed, lost, {"name": "note"}])
def test_a_function_that_is_no_tool_is_refused_by_its_name(declare: Any, fn: Any):
    with pytest.raises(DeclarationError, match=getattr(fn, "__name__", "dict")):
        declare(fn)


def returning(returned: Any) -> Any:
    """Return an effect that is annotated so."""

    async def rash(a: int, *, ctx: Any) -> Any:
        """Do."""

    rash.__annotations__["return"] = returned
    return rash


@pytest.mark.parametrize("returned", [dict, None, Outcome | None, str])
def test_an_effect_that_returns_no_outcome_is_refused(returned: Any):
    with pytest.raises(DeclarationError, match="rash"):
        tool_of(returning(returned))


class Odd:
    pass


async def strange(a: Odd, *, ctx: Any) -> Any:
    """Do."""


async def dated(seats: int, day: str | None = None, *, ctx: Any) -> Any:
    """Look."""


async def vague(*, ctx: Any) -> dict[str, Any]:
    """Do."""


WRONG: dict[str, tuple[Callable[[], Any], str]] = {
    "an argument without a schema": (lambda: read()(strange), "strange"),
    "a plan that returns no draft": (lambda: plan(vague), "vague"),
    "a tag of an argument that may be missing": (lambda: read(tags=("d:{day}",))(dated), "seats"),
    "a stale tag of no argument": (lambda: write(makes_stale=("d:{room}",))(dated), "seats"),
    "a word that nothing knows": (lambda: write(prob=look)(hold), "prob"),  # type: ignore[call-arg]
    "evidence that is no mapping": (lambda: write(evidence=lambda a: a["room"])(hold), "evidence"),  # type: ignore[arg-type,return-value]
    # Registries
    "a hybrid without an undo": (lambda: hybrid()(hold), "undo"),
    "an undo that is not there": (lambda: Registry([HELD]), "release"),
    "a hybrid that is offered by itself": (lambda: Registry([SETTLED], [release]), "on its own"),
    "an undo that is a read": (
        lambda: Registry([rooms], [hybrid(reference="id", undo=Undo("rooms", dict))(hold)]),  # type: ignore[arg-type]
        "hold",
    ),
    "a step that is no effect": (lambda: Registry([hold], [rooms]), "rooms"),
    "two tools of one name": (lambda: Registry([hold, hold]), "hold"),
    # Undos
    "an undo that is a word": (lambda: hybrid(reference="id", undo="release")(hold), "undo"),  # type: ignore[arg-type]
    "an undo that asks for what is not there": (lambda: undone_by(lambda a, r: a["x"]), "'x'"),
    **{
        f"arguments that the undo does not take ({at})": (
            lambda made=made: Registry(
                [], [undone_by(made, settled_by=frozenset({"gone"})), release]
            ),  # type: ignore[misc]
            "release",
        )
        for at, made in enumerate(
            (
                lambda a, result: {"id": result["id"]},
                lambda a, result: {"hold_id": "1", "room": a["room"]},
                lambda a, result: {},
            )
        )
    },
    "an undo that may be done twice": (lambda: Registry([], [HELD, release]), "is retried"),
    "an undo that is looked up without a bound": (
        lambda: Registry([], [HELD, write(probe=look, reference="id")(release)]),
        "settle",
    ),
    # What names an effect
    "a probe without a reference": (lambda: write(probe=look)(hold), "reference"),
    "an undo without a reference": (lambda: write(undo=RELEASED)(hold), "reference"),
}


@pytest.mark.parametrize(("declare", "named"), WRONG.values(), ids=list(WRONG))
def test_what_cannot_be_meant_is_refused_with_what_it_is_about(declare: Any, named: str):
    with pytest.raises(DeclarationError, match=named):
        declare()


async def only_arguments(args: Any) -> Any: ...


async def without_a_keyword(args: Any, ctx: Any, more: Any) -> Any: ...


def not_asynchronous(args: Any, *, ctx: Any) -> Any: ...


LOOKS = [only_arguments, without_a_keyword, not_asynchronous, "look", None]
FUNCTIONS = [lambda: "", lambda a, b, c: "", "hold/{room}", look, None]
NONE: dict[str, list[Any]] = {
    "probe": LOOKS,
    "observe": LOOKS,
    "operation": [*FUNCTIONS, lambda args: args["x"], lambda args: None, lambda args: ""],
    "evidence": [*FUNCTIONS, lambda args: args["x"]],
    "moved": FUNCTIONS,
    "approval": ["sometimes", "", None, True, ["always"]],
    "owner": ["", 7, None, lambda: {}, ("user_id",)],
    "guarantees": [
        {"honours_key": True},
        Guarantees(honours_key=True),
        Guarantees(retention=timedelta(hours=1)),
        Guarantees(settle=timedelta(seconds=-1)),
        Guarantees(late_sender="never"),  # type: ignore[arg-type]
    ],
    "reference": ["", (), ("",), ("id", 3), 7, ["id"], lambda: "", {"id"}],
}


@pytest.mark.parametrize(("what", "wrong"), [(what, one) for what in NONE for one in NONE[what]])
def test_a_value_that_says_nothing_is_refused_by_its_name(what: str, wrong: Any):
    beside = {"probe": look} if what == "reference" else {}
    about = "hold" if what == "guarantees" else f"`{what}` of the tool hold"
    with pytest.raises(DeclarationError, match=about):
        write(**{what: wrong, **beside})(hold)


def test_what_a_result_must_show_is_what_was_approved_and_whose_it_is():
    session = SimpleNamespace(user_id="Ada")
    plainly = write(owner="customer", evidence=lambda args: {"room": args["room"]})(hold)
    assert plainly.expected({"room": "Barn"}, session) == {"room": "Barn", "customer": "Ada"}  # type: ignore[arg-type]
    lower = write(owner=lambda session: {"customer": session.user_id.lower()})(hold)
    assert lower.expected({}, session) == {"customer": "ada"}  # type: ignore[arg-type]


# -- what cannot be sent as it was decided, or twice alike ----------------------------------------


class Stamped(BaseModel):
    at: datetime = Field(default_factory=datetime.now)  # noqa: TID251


class Numbered(BaseModel):
    line_id: str = Field(default_factory=lambda: uuid.uuid4().hex)


@dataclass
class Drawn:
    line_id: str = field(default_factory=lambda: uuid.uuid4().hex)


class Tagged(BaseModel):
    tags: set[str]


class Steady(BaseModel):
    tags: list[str] = Field(default_factory=list)
    note: dict[str, str] = Field(default_factory=lambda: {"by": "us"})


def taking(hint: Any, default: Any = ..., returned: Any = Outcome) -> Any:
    """Return a function of one argument."""

    async def send(lines, *, ctx):  # type: ignore[no-untyped-def]
        """Send."""
        return Confirmed({})

    send.__annotations__ = {"lines": hint, "ctx": Any, "return": returned}
    send.__defaults__ = None if default is ... else (default,)
    return send


UNSTEADY = [Stamped, list[Numbered], dict[str, Drawn], Stamped | None]
UNORDERED = [set[str], frozenset[int], list[set[str]], Tagged, Tagged | None]
OTHER_NAMES = [
    Annotated[str, Field(alias="from")],
    Annotated[str, Field(validation_alias=AliasChoices("from", "of"))],
]


@pytest.mark.parametrize("hint", [*UNSTEADY, *UNORDERED, *OTHER_NAMES])
def test_what_would_be_sent_otherwise_the_second_time_is_refused_of_effects_and_plans(hint: Any):
    with pytest.raises(DeclarationError):
        tool_of(taking(hint))
    with pytest.raises(DeclarationError):
        plan(taking(hint, returned=ActionDraft))
    if hint not in OTHER_NAMES:
        assert read()(taking(hint)).kind == "read", "what is asked is asked again as it is then"
    if hint in UNSTEADY:
        assert change(taking(hint)).kind == "change"


def test_a_default_of_the_argument_itself_must_be_steady_too():
    with pytest.raises(DeclarationError):
        tool_of(taking(datetime, Field(default_factory=datetime.now)))  # noqa: TID251
    for hint in (Steady, list[Steady], dict[str, Steady], list[str]):
        assert tool_of(taking(hint)).name == "send"


@pytest.mark.parametrize("name", ["model_config", "_id", "model_dump"])
def test_a_name_that_pydantic_keeps_for_itself_is_refused(name: str):
    there: dict[str, Any] = {}
    exec(f"async def send({name}: str, *, ctx: object): 'Send.'", there)
    there["send"].__annotations__["return"] = Outcome
    for declare in (tool_of, read()):
        with pytest.raises(DeclarationError, match=name):
            declare(there["send"])
