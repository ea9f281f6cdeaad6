"""What is declared of an agent's own tools, and what is said where it cannot be made use of."""

from datetime import timedelta
from typing import Annotated, Any

import pytest
from langchain.tools import ToolRuntime
from langchain_core.tools import InjectedToolArg, StructuredTool, tool
from langgraph.types import Command

from daybook.graph.ledger.effect import current_call
from daybook.graph.ledger.ledger import Ledger
from daybook.state.clock import SYSTEM
from daybook.state.context import EffectContext
from daybook.state.effects.deadline import Deadline
from daybook.state.effects.outcome import Confirmed, Declined, NotSent, Pending
from daybook.state.errors import DeclarationError, ServiceUnavailable
from daybook.state.session import Session
from daybook.tools.kinds import EffectTool
from daybook.tools.signature import checked

SESSION = Session("default", "t", "ada", "ada", "customer", "w")


def declared(given: Any, **more: Any) -> EffectTool:
    """Return what the engine is told of an effect."""
    found: EffectTool = Ledger().effect(given, **more).declared
    return found


def context() -> EffectContext[Any]:
    return EffectContext(SESSION, None, "order/1/1", "order/1/1", Deadline(SYSTEM.monotonic() + 5))


@tool
async def charge(order_id: str, amount: int) -> Any:
    """Charge."""
    call = current_call()
    return {"key": call.key, "left": call.timeout > 4, "user": call.user}


async def test_a_tool_is_called_with_its_key_and_its_time():
    outcome = await declared(charge).run(order_id="1", amount=5, ctx=context())
    assert outcome == Confirmed({"key": "order/1/1", "left": True, "user": "ada"})


def test_nobody_kills_a_sender_that_is_a_tool_of_somebodys_own():
    assert declared(charge).guarantees.late_sender == "accepted"
    assert declared(charge, once_or_more=True).guarantees.late_sender == "harmless"


class Refused(Exception):
    pass


@pytest.mark.parametrize("listed", [(Refused,), lambda error: "no" in str(error)])
async def test_what_a_tool_raises_is_what_it_is_declared_to_be(listed: Any):
    @tool
    async def send(to: str) -> str:
        """Send."""
        raise Refused("no such address")

    declined = await declared(send, declines=listed).run(to="ada", ctx=context())
    assert declined == Declined("Refused", "no such address")
    not_sent = await declared(send, not_sent=listed).run(to="ada", ctx=context())
    assert not_sent == NotSent("no such address")
    with pytest.raises(Refused):
        await declared(send).run(to="ada", ctx=context())


async def test_a_look_up_that_fails_says_that_the_provider_is_away():
    def find(args: Any) -> Any:
        raise OSError("no route")

    effect = declared(charge, observe=find)
    assert effect.observe is not None
    with pytest.raises(ServiceUnavailable, match=r"charge.*\(OSError\)"):
        await effect.observe({}, ctx=context())


@pytest.mark.parametrize(
    "outcome", [Declined("no_money", "Poor."), NotSent("away"), Pending("202 Accepted")]
)
@pytest.mark.parametrize("is_raised", [False, True])
async def test_a_function_returns_or_raises_what_came_of_it(outcome: Any, is_raised: bool):
    def pay(to: str) -> Any:
        """Pay."""
        if is_raised:
            raise outcome
        return outcome

    assert await declared(pay).run(to="ada", ctx=context()) == outcome


async def test_a_function_that_takes_a_call_is_given_it_and_the_model_is_not_shown_it():
    ledger = Ledger()

    @ledger.effect
    def pay(to: str, *, call: Any) -> str:
        """Pay."""
        return f"{to} {call.key} {call.args}"

    assert set(pay.args) == {"to"}
    came = await pay.declared.run(to="ada", ctx=context())
    assert came == Confirmed({"value": "ada order/1/1 {'to': 'ada'}"})


def test_an_undo_is_the_effect_that_it_calls():
    ledger = Ledger()

    @ledger.effect(idempotent_for=timedelta(hours=1))
    def refund(charge_id: str) -> str:
        """Pay back."""
        raise AssertionError

    @ledger.effect(id="id", undo=lambda args, result: refund(charge_id=result["id"]))
    def pay(to: str) -> str:
        """Pay."""
        raise AssertionError

    undo = pay.declared.undo
    assert (undo.tool, undo.args({}, {"id": "C-1"})) == ("refund", {"charge_id": "C-1"})
    with pytest.raises(DeclarationError, match="the one effect"):
        ledger.effect(charge, id="id", undo=lambda args, result: {"charge_id": "C-1"})


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"key": "order/{order}"}, "names order"),
        ({"declines_are_final": True}, "idempotent_for"),
        ({"visible_within": timedelta(1)}, "find="),
        ({"idempotent_for": 24}, "timedelta"),
        ({"find": lambda: []}, r"find\(call\)"),
        ({"expect": lambda args: {}}, "lambda args, user"),
        ({"reads": ["look"]}, "reads"),
    ],
)
def test_what_cannot_be_used_says_what_to_write(wrong: Any, says: str):
    with pytest.raises(DeclarationError, match=says):
        declared(charge, **wrong)


def test_what_cannot_be_kept_of_a_tool_is_refused():
    @tool(response_format="content_and_artifact")
    def draw(what: str) -> tuple[str, Any]:
        """Draw."""
        return what, what

    def goes(to: str) -> Command[Any]:
        """Go."""
        return Command(goto=to)

    with pytest.raises(DeclarationError, match="artifact"):
        declared(draw)
    with pytest.raises(DeclarationError, match="Command"):
        declared(goes)


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
    with pytest.raises(DeclarationError, match=r"besides its arguments.*ordinary argument"):
        declared(given)


def _of_a_schema(*names: str) -> StructuredTool:
    """Make a tool as one comes from an MCP server: its arguments are a JSON schema."""

    async def call(**given: Any) -> Any:
        return given

    properties = {name: {"type": "string"} for name in names}
    schema = {"type": "object", "properties": properties}
    return StructuredTool(name="t", description="T.", args_schema=schema, coroutine=call)


async def test_whatever_a_schema_names_is_what_the_tool_is_given():
    args = {"order-id": "a", "class": "b", "id": "c", "type": "d", "key": "e"}
    effect = declared(_of_a_schema(*args))
    given = checked(effect.args, args)
    assert await effect.run(**given, ctx=context()) == Confirmed(args)


@pytest.mark.parametrize("name", ["config", "run_manager", "callbacks", "self"])
def test_an_argument_that_langchain_would_drop_is_refused(name: str):
    """A person would approve it, and the tool would be told to do something else."""
    with pytest.raises(DeclarationError, match=f"takes {name}, which LangChain fills in"):
        declared(_of_a_schema("b", name))
