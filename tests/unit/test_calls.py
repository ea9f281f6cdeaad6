"""The state's view of a step: write or hybrid, discriminated on its kind."""

import pytest
from pydantic import TypeAdapter

from daybook.state.calls import Application, Call, HybridCall, ReadCall, WriteCall, call_of
from daybook.state.effects.bind import take
from daybook.state.ledger.recovery import StepState
from tests.unit.paper import RESERVE, START, Part, approved

CALLS: list[Call] = [
    ReadCall(tool="search", args={"q": "x"}, handle=1, cache="miss"),
    Application(tool="add", args={}, text="cart r1>r2"),
]


def test_a_step_is_shown_with_its_whole_write_ahead_record():
    bound = {"charge_id": take("charge", "charge_id").model_dump(mode="json")}
    part = Part("order", pivot=True, args={"n": 1}, binds=bound, preconditions={"stock": True})
    paper = approved(part)
    call = call_of(paper.step("order"), "write")
    assert type(call) is WriteCall
    assert call.model_dump() == {
        "kind": "write",
        "tool": "order",
        "args": {"n": 1, "charge_id": "<charge_id of charge>"},
        "idempotency_key": "op/0/order/1",
        "preconditions": {"stock": True},
        "evidence": {},
        "status": StepState.INTENDED,
        "executed_at": None,
        "result": None,
        "compensating_action": None,
    }


def test_a_hybrid_is_shown_with_its_compensation_and_its_end():
    paper = approved(RESERVE)
    ends = START.replace(hour=13)
    paper.done("reserve", hold_id="h", expires_at=ends.isoformat())
    call = call_of(paper.step("reserve"), "hybrid")
    assert isinstance(call, HybridCall)
    assert (call.compensating_action, call.expires_at) == ("release", ends)
    assert (call.executed_at, call.status) == (START, StepState.DONE)
    assert call.result == {"hold_id": "h", "expires_at": ends.isoformat()}


@pytest.mark.parametrize("name", ["write", "hybrid", "read", "change"])
def test_a_call_is_stored_and_read_back_as_the_kind_it_is(name: str):
    paper = approved(RESERVE)
    step = paper.step("reserve")
    by_kind = {
        call.kind: call for call in (*CALLS, call_of(step, "write"), call_of(step, "hybrid"))
    }
    call = by_kind[name]
    read = TypeAdapter(Call).validate_python(call.model_dump(mode="json"))
    assert (type(read), read) == (type(call), call)
