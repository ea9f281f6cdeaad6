"""What is declared of an agent's own tools, and what is said where it cannot be made use of."""

from typing import Annotated, Any

import pytest
from langchain.tools import ToolRuntime
from langchain_core.tools import InjectedToolArg, StructuredTool, tool

from daybook.graph.carrying.effects import worst
from daybook.graph.middleware import Daybook, Undo, idempotency_key, seconds_left, write
from daybook.state.clock import SYSTEM
from daybook.state.context import EffectContext
from daybook.state.effects.deadline import Deadline
from daybook.state.effects.guarantees import NO_GUARANTEES, Guarantees
from daybook.state.effects.outcome import Confirmed, Declined, NotSent
from daybook.state.errors import DeclarationError, ServiceUnavailable
from daybook.state.session import Session
from daybook.tools.signature import checked

SESSION = Session("default", "t", "ada", "ada", "customer", "w")


def context() -> EffectContext[Any]:
    return EffectContext(SESSION, None, "order/1/1", "order/1/1", Deadline(SYSTEM.monotonic() + 5))


@tool
async def charge(order_id: str, amount: int) -> Any:
    """Charge."""
    return {"key": idempotency_key(), "left": seconds_left() > 4}


async def test_a_tool_is_called_with_its_key_and_its_time():
    outcome = await write(charge).run(order_id="1", amount=5, ctx=context())
    assert outcome == Confirmed({"key": "order/1/1", "left": True})


def test_outside_of_a_call_there_is_no_key():
    with pytest.raises(LookupError, match="No effect is being carried out here"):
        idempotency_key()


async def test_a_plain_function_in_a_thread_has_its_key_too():
    def fax(to: str) -> str:
        """Fax."""
        return f"{to} {idempotency_key()}"

    assert await worst(fax).run(to="ada", ctx=context()) == Confirmed({"value": "ada order/1/1"})


def test_a_tool_of_which_nothing_is_said_is_of_the_worst_class():
    effect = worst(charge)
    assert (effect.kind, effect.approval, effect.probe) == ("write", "always", None)
    assert (effect.guarantees.honours_key, effect.guarantees.settle) == (
        NO_GUARANTEES.honours_key,
        NO_GUARANTEES.settle,
    )


def test_nobody_kills_a_sender_that_is_a_tool_of_somebodys_own():
    assert write(charge).guarantees.late_sender == "accepted"
    harmless = Guarantees(late_sender="harmless")
    assert write(charge, guarantees=harmless).guarantees.late_sender == "harmless"


class Refused(Exception):
    pass


@pytest.mark.parametrize("listed", [(Refused,), lambda error: "no" in str(error)])
async def test_what_a_tool_raises_is_what_it_is_declared_to_be(listed: Any):
    @tool
    async def send(to: str) -> str:
        """Send."""
        raise Refused("no such address")

    declined = await write(send, declines=listed).run(to="ada", ctx=context())
    assert declined == Declined("Refused", "no such address")
    not_sent = await write(send, not_sent=listed).run(to="ada", ctx=context())
    assert not_sent == NotSent("no such address")
    with pytest.raises(Refused):
        await write(send).run(to="ada", ctx=context())


async def test_a_look_up_that_fails_says_that_the_other_side_is_away():
    async def find(args: Any, *, ctx: Any) -> Any:
        raise OSError("no route")

    effect = write(charge, observe=find)
    assert effect.observe is not None
    with pytest.raises(ServiceUnavailable, match=r"charge.*\(OSError\)"):
        await effect.observe({}, ctx=context())


def test_arguments_that_a_tool_does_not_have_are_refused():
    with pytest.raises(Exception, match="order_number"):
        checked(write(charge).args, {"order_number": "1", "amount": 5})


def test_a_tool_that_is_described_by_a_schema_takes_what_is_in_it():
    schema = {
        "type": "object",
        "properties": {"to": {"type": "string"}, "cc": {"type": "string"}},
        "required": ["to"],
    }

    async def send(**given: Any) -> str:
        return str(given)

    described = StructuredTool(name="send", description="d", args_schema=schema, coroutine=send)
    args = write(described).args
    assert checked(args, {"to": "ada"}) == {"to": "ada"}
    for wrong in ({"cc": "bob"}, {"to": "ada", "bcc": "bob"}):
        with pytest.raises(Exception, match="arguments do not fit"):
            checked(args, wrong)


# -- what is declared wrongly ----------------------------------------------------------------------


@tool
async def injected(to: str, by: Annotated[str, InjectedToolArg]) -> str:
    """Send."""
    return to


@tool
async def with_runtime(to: str, runtime: ToolRuntime) -> str:
    """Send."""
    return to


@pytest.mark.parametrize("given", [injected, with_runtime])
def test_a_tool_that_is_given_more_than_arguments_says_so(given: Any):
    with pytest.raises(DeclarationError, match=r"beside what the model says.*plain argument"):
        write(given)


@pytest.mark.parametrize("listed", [Refused, ("Refused",), 402, [Refused]])
def test_what_is_no_exception_says_to_write_one(listed: Any):
    with pytest.raises(DeclarationError, match=r"`declines` of the tool charge.*declines=\("):
        write(charge, declines=listed)


def test_an_undo_that_is_no_effect_of_the_agent_says_what_is():
    held = write(charge, reference="id", undo=Undo(tool="refund", args=lambda args, result: {}))
    with pytest.raises(DeclarationError, match=r"undone by refund.*\['charge'\]"):
        Daybook(lambda: None, effects=[held])  # type: ignore[arg-type,return-value]


def test_a_tool_that_is_both_says_to_take_one_away():
    with pytest.raises(DeclarationError, match=r"charge stands among the effects and.*reads=\["):
        Daybook(lambda: None, effects=[charge], reads=["charge"])  # type: ignore[arg-type,return-value]


def _of_a_schema(*names: str) -> StructuredTool:
    """Make a tool as one comes from an MCP server: its arguments are a JSON schema."""

    async def call(**given: Any) -> Any:
        return given

    properties = {name: {"type": "string"} for name in names}
    schema = {"type": "object", "properties": properties}
    return StructuredTool(name="t", description="T.", args_schema=schema, coroutine=call)


async def test_whatever_a_schema_names_is_what_the_tool_is_given():
    args = {"order-id": "a", "class": "b", "id": "c", "type": "d", "key": "e"}
    effect = write(_of_a_schema(*args))
    given = checked(effect.args, args)
    assert await effect.run(**given, ctx=context()) == Confirmed(args)


@pytest.mark.parametrize("name", ["config", "run_manager", "callbacks", "self"])
def test_an_argument_that_langchain_would_drop_is_refused(name: str):
    """A person would approve it, and the tool would be told to do something else."""
    with pytest.raises(DeclarationError, match=f"takes {name}, which langchain fills in or leaves"):
        write(_of_a_schema("b", name))


@pytest.mark.parametrize("name", ["_id", "model_config", "model_dump"])
def test_a_name_in_a_schema_that_could_never_be_given_is_refused(name: str):
    with pytest.raises(DeclarationError, match=f"{name}.* for itself"):
        write(_of_a_schema(name, "b"))


def test_a_set_and_a_default_that_is_made_anew_are_refused_of_tools_too():
    @tool
    async def tag(tags: set[str]) -> str:
        """Tag."""
        return "done"

    with pytest.raises(DeclarationError, match="takes a set"):
        write(tag)
