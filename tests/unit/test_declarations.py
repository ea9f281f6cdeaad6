"""What a tool says at its definition, and what is said where it says too little."""

from datetime import timedelta
from typing import Annotated, Any

import pytest
from pydantic import Field

from daybook.state.effects.guarantees import NO_GUARANTEES, Guarantees
from daybook.state.effects.outcome import Confirmed, Declined, Outcome
from daybook.state.errors import DeclarationError, ToolRefused
from daybook.tools.kinds import (
    ChangeTool,
    EffectTool,
    PlanTool,
    ReadTool,
    Undo,
    change,
    hybrid,
    plan,
    read,
    tool_of,
    write,
)
from daybook.tools.registry import Registry
from tests.unit.shop_parts import a_domain


async def note(text: str, *, ctx: Any) -> Outcome:
    """Write a note.

    The second paragraph is for programmers.
    """
    return Confirmed({})


@write()
async def give_back(hold_id: str, *, ctx: Any) -> Outcome:
    """Give back."""
    return Confirmed({})


GIVE_BACK = Undo(
    tool="give_back",
    args=lambda args, result: {"hold_id": result["hold_id"]},
    settled_by=frozenset({"no_hold"}),
)


async def _probe(args: Any, *, ctx: Any) -> list[Any]:
    return []


# -- what says nothing ----------------------------------------------------------------------------


def test_a_tool_that_says_nothing_is_a_write_of_the_worst_class_that_needs_approval():
    tool = tool_of(note)
    assert isinstance(tool, EffectTool)
    assert (tool.kind, tool.approval) == ("write", "always")
    assert (
        tool.guarantees
        == NO_GUARANTEES
        == Guarantees(honours_key=False, settle=None, provable=False)
    )
    assert (tool.probe, tool.undo, tool.observe, tool.operation) == (None, None, None, None)
    assert tool.evidence({}) == {}


def test_a_plain_function_in_a_registry_is_of_the_worst_class_too():
    registry = Registry([note])
    assert registry.guarantees({}) == {"note": NO_GUARANTEES}
    assert registry.effect("note").approval == "always"
    assert tool_of(note).description == "Write a note.", "the model reads the first paragraph"
    assert tool_of(give_back) is give_back


def test_without_an_opinion_anything_that_differs_has_moved():
    tool = tool_of(note)
    assert tool.moved({"stock": 1}, {"stock": 1}) is None
    assert "observed then {'stock': 1}, now {'stock': 0}" in tool.moved({"stock": 1}, {"stock": 0})


# -- what is declared wrongly ---------------------------------------------------------------------


def test_a_hybrid_without_an_undo_says_what_to_write():
    with pytest.raises(
        DeclarationError, match=r"note.*gives it back.*@hybrid\(undo=Undo\("
    ) as wrong:
        hybrid()(note)
    assert "or declare it as a write" in str(wrong.value)


def test_an_undo_that_is_not_in_the_registry_says_what_is():
    held = hybrid(reference="id", undo=Undo(tool="release", args=lambda args, result: {}))(note)
    with pytest.raises(
        DeclarationError, match=r"note is undone by release.*Add it.*\['give_back', 'note'\]"
    ):
        Registry([held], [give_back])


def test_an_undo_may_be_a_step_that_the_model_is_never_offered():
    registry = Registry([write(reference="id", undo=GIVE_BACK)(note)], [give_back])
    assert registry.names == ["note"]
    assert registry.effect("give_back") is not None


def test_a_hybrid_that_is_offered_by_itself_would_never_be_given_back():
    held = hybrid(reference="id", undo=GIVE_BACK)(note)
    with pytest.raises(DeclarationError, match=r"note.*by itself.*Offer a plan.*steps="):
        Registry([held], [give_back])
    assert Registry([], [held, give_back]).effect("note").kind == "hybrid"


def test_an_undo_must_be_an_effect():
    @read()
    async def release(hold_id: str, *, ctx: Any) -> Any:
        """Read."""

    held = hybrid(reference="id", undo=Undo(tool="release", args=lambda args, result: {}))(note)
    with pytest.raises(DeclarationError, match="not in the registry"):
        Registry([held, release])


async def silent(a: int) -> Any:
    pass


async def loose(a: int, b, *, ctx: Any) -> Any:
    """Do."""


def blocking(a: int, *, ctx: Any) -> Any:
    """Do."""


async def alone(a: int) -> Any:
    """Do."""


@pytest.mark.parametrize("declare", [read(), change, plan, write(), tool_of])
@pytest.mark.parametrize(
    ("fn", "said"),
    [
        (silent, r"silent has no docstring\. Write one"),
        (loose, r"parameter b of the tool loose.*no annotation.*annotate it"),
        (blocking, "blocking is not an asynchronous function"),
        (alone, r"alone takes no `ctx`.*Write `\*, ctx: "),
    ],
)
def test_a_function_that_is_no_tool_says_what_to_write(declare, fn: Any, said: str):
    with pytest.raises(DeclarationError, match=said):
        declare(fn)


def test_what_is_no_function_at_all_says_so():
    """Such as a tool of another framework."""
    with pytest.raises(DeclarationError, match="The tool dict is not an asynchronous function"):
        Registry([{"name": "note"}])


def test_arguments_without_names_say_to_name_them():
    async def loose(*, ctx: Any, **more: int) -> Any:
        """Do."""

    with pytest.raises(
        DeclarationError, match=r"\*\*more of the tool loose.*`\*\*more: Any`.*name each"
    ):
        read()(loose)


def test_an_annotation_that_is_not_there_when_it_runs_says_where_to_import_it():
    async def lost(a: "Nowhere", *, ctx: Any) -> Any:  # noqa: F821
        """Do."""

    with pytest.raises(DeclarationError, match=r"tool lost.*Nowhere.*not under TYPE_CHECKING"):
        read()(lost)


def test_an_argument_that_has_no_schema_says_what_has_one():
    class Odd:
        pass

    async def strange(a: Any, *, ctx: Any) -> Any:
        """Do."""

    strange.__annotations__["a"] = Odd
    with pytest.raises(DeclarationError, match=r"arguments of the tool strange.*pydantic models"):
        read()(strange)


@pytest.mark.parametrize("returned", [dict, None, Outcome | None, str])
def test_an_effect_that_returns_no_outcome_says_to_return_one(returned):
    async def rash(a: int, *, ctx: Any) -> Any:
        """Do."""

    rash.__annotations__["return"] = returned
    with pytest.raises(DeclarationError, match=r"rash is annotated.*Write `-> Outcome`"):
        tool_of(rash)


@pytest.mark.parametrize("returned", [Outcome, Confirmed, Confirmed | Declined, Any])
def test_an_effect_may_return_some_of_the_outcomes(returned):
    async def narrow(a: int, *, ctx: Any) -> Any:
        """Do."""

    narrow.__annotations__["return"] = returned
    assert tool_of(narrow).name == "narrow"


def test_a_plan_that_returns_no_draft_says_to_return_one():
    async def vague(*, ctx: Any) -> dict[str, Any]:
        """Do."""

    with pytest.raises(DeclarationError, match=r"vague.*must return an ActionDraft"):
        plan(vague)


@pytest.mark.parametrize("tag", ["rooms:{room}", "rooms:{day}", "rooms:{}"])
def test_a_tag_of_an_argument_that_may_be_missing_says_which_are_always_there(tag):
    async def look(seats: int, day: str | None = None, *, ctx: Any) -> Any:
        """Look."""

    with pytest.raises(DeclarationError, match=r"tag rooms:.*tool look.*\['seats'\]"):
        read(tags=(tag,))(look)
    with pytest.raises(DeclarationError, match=r"tag rooms:.*tool look"):
        write(makes_stale=(tag,))(look)


def test_a_step_that_is_no_effect_says_where_it_belongs():
    @read()
    async def look(*, ctx: Any) -> Any:
        """Look."""

    with pytest.raises(DeclarationError, match=r"read look.*Registry\(offered="):
        Registry([note], [look])


def test_two_tools_of_one_name_say_to_rename_one_though_only_one_is_offered():
    """The model would be shown one of them, and the other would be sent."""
    with pytest.raises(DeclarationError, match=r"Two tools are named note\. Rename one"):
        Registry([note, note])
    with pytest.raises(DeclarationError, match="Two tools are named note"):
        Registry([write(approval="never")(note)], [tool_of(note)])


def test_a_plan_and_the_step_that_it_consists_of_may_share_a_name():
    @plan
    async def give_back(hold_id: str, *, ctx: Any) -> Any:
        """Give everything back."""

    step = write()(_named("give_back"))
    registry = Registry([give_back], [step])
    assert registry.offered("give_back") is give_back
    assert registry.effect("give_back").kind == "write"


def _named(name: str) -> Any:
    async def step(hold_id: str, *, ctx: Any) -> Outcome:
        """Give back."""
        return Confirmed({})

    step.__name__ = name
    return step


# -- the registry ---------------------------------------------------------------------------------


def test_what_is_not_there_or_only_a_step_is_refused_with_what_is():
    with pytest.raises(ToolRefused, match=r"no tool fly\. The tools are: give_back, note\."):
        Registry([note, give_back]).offered("fly")
    with pytest.raises(ToolRefused):
        Registry([note], [give_back]).offered("give_back")
    with pytest.raises(DeclarationError, match=r"step of the tool fly.*Nothing was sent"):
        Registry([note]).effect("fly")


D = timedelta(seconds=2)


def test_a_service_gives_its_guarantees_to_its_effects():
    promised = Guarantees(honours_key=True, settle=D)
    registry = Registry([write(service="notes")(note)], [write(service="others")(_named("other"))])
    assert registry.guarantees({"notes": promised}) == {"note": promised, "other": NO_GUARANTEES}


@pytest.mark.parametrize("probe", [None, _probe])
def test_only_a_probe_makes_an_effect_provable(probe):
    declared = {"probe": probe, "reference": "id"} if probe else {}
    promised = Guarantees(provable=True, settle=D)
    registry = Registry([write(service="notes", **declared)(note)])
    guarantees = registry.guarantees({"notes": promised})
    assert guarantees["note"] == Guarantees(provable=probe is not None, settle=D)


def test_schemas_come_in_the_registrys_order_and_only_those_that_are_offered():
    registry = Registry([note, give_back])
    assert [s["function"]["name"] for s in registry.schemas({"give_back", "note", "fly"})] == [
        "note",
        "give_back",
    ]
    assert [s["function"]["name"] for s in registry.schemas(["give_back"])] == ["give_back"]


# -- the shop's own -------------------------------------------------------------------------------


SHOP = a_domain().registry
KINDS = {
    "read": ReadTool,
    "change": ChangeTool,
    "write": EffectTool,
    "hybrid": EffectTool,
    "plan": PlanTool,
}


@pytest.mark.parametrize("name", SHOP.names)
def test_every_tool_of_the_shop_is_classified(name: str):
    tool = SHOP.offered(name)
    assert isinstance(tool, KINDS[tool.kind])


@pytest.mark.parametrize("name", SHOP.effects)
def test_every_effect_of_the_shop_needs_approval_and_is_undone_by_one_that_fits(name: str):
    effect = SHOP.effect(name)
    assert effect.approval == "always"
    assert effect.kind != "hybrid" or effect.undo is not None
    if effect.undo is not None:
        known = {"hold_id": "h", "charge_id": "c", "order_id": "o", "amount": 5, "currency": "USD"}
        SHOP.effect(effect.undo.tool).args.model_validate(effect.undo.args(known, known))


def test_descriptions_and_limits_come_from_the_signature():
    @read()
    async def find(
        query: Annotated[str, Field(description="what", min_length=1)],
        limit: Annotated[int, Field(ge=1, le=20)] = 5,
        *,
        ctx: Any,
    ) -> Any:
        """Find."""

    (schema,) = Registry([find]).schemas(["find"])
    assert schema == {
        "type": "function",
        "function": {
            "name": "find",
            "description": "Find.",
            "parameters": {
                "type": "object",
                "additionalProperties": False,
                "required": ["query"],
                "properties": {
                    "query": {"type": "string", "description": "what", "minLength": 1},
                    "limit": {"type": "integer", "minimum": 1, "maximum": 20, "default": 5},
                },
            },
        },
    }
