"""The provider of recorded decisions: by the point of the run, and with new call ids each time."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from evals.model_server import Counted, serving
from evals.tau_retail.chaos import CLOSING, MODEL, Endpoint
from evals.tau_retail.data import Call, Run, Script, Turn, script_of

LOOK = Call("get_order_details", {"order_id": "#W1"}, '{"status": "pending"}')
AWAY = Call("get_order_details", {"order_id": "#W1"}, "Error: 503 Service Unavailable", fault=True)
CANCEL = Call("cancel_pending_order", {"order_id": "#W1"}, "done", changed=True)
HAND_OVER = Call("transfer_to_human_agents", {"summary": "s"}, "Transfer successful")


def run(*turns: Turn) -> Script:
    recorded = Run("retail/x/t0.0", "x", "m", turns, "f", "g", 1.0)
    return script_of(recorded, {"cancel_pending_order"})


ENDS_WITH_WORDS = run(
    Turn(user="hello"),
    Turn(calls=(AWAY,), text="let me look"),
    Turn(calls=(LOOK,)),
    Turn(calls=(CANCEL,)),
    Turn(text="It is cancelled."),
    Turn(user="thanks ###STOP###"),
)
ENDS_WITH_A_CALL = run(Turn(user="hello"), Turn(calls=(HAND_OVER,)))


@pytest.fixture
def endpoint() -> Endpoint:
    return Endpoint()


@pytest.fixture
def faults(endpoint: Endpoint) -> list[bool]:
    armed: list[bool] = []
    endpoint.open("words", ENDS_WITH_WORDS, armed.append)
    endpoint.open("call", ENDS_WITH_A_CALL, armed.append)
    return armed


@pytest.fixture
def served(endpoint: Endpoint, faults: list[bool]) -> Iterator[Counted]:
    with serving({"replay": endpoint.reply}) as models:
        yield models["replay"]


def asks(served: Counted, name: str, *said: dict[str, Any]) -> httpx.Response:
    """Ask with a history: the instructions, what the customer said, and these messages."""
    history = [{"role": "system", "content": "policy"}, {"role": "user", "content": "hello"}]
    body = {"model": f"{MODEL}{name}", "messages": [*history, *said]}
    return httpx.post(f"{served.url}/chat/completions", json=body, trust_env=False)


def message(answer: httpx.Response) -> dict[str, Any]:
    said: dict[str, Any] = answer.raise_for_status().json()["choices"][0]["message"]
    return said


def called(result: str) -> tuple[dict[str, Any], dict[str, Any]]:
    return {"role": "assistant", "content": None}, {"role": "tool", "content": result}


def test_the_point_is_told_by_the_number_of_assistant_messages(served: Counted):
    first = message(asks(served, "words"))
    assert first["content"] == "let me look"
    assert first["tool_calls"][0]["function"]["arguments"] == '{"order_id": "#W1"}'
    third = message(asks(served, "words", *called("503"), *called("{}")))
    assert third["tool_calls"][0]["function"]["name"] == "cancel_pending_order"
    last = message(asks(served, "words", *called("503"), *called("{}"), *called("done")))
    assert last == {"role": "assistant", "content": "It is cancelled."}


def test_who_asks_again_is_told_the_same_under_another_call_id(served: Counted, endpoint: Endpoint):
    one, other = (message(asks(served, "words"))["tool_calls"][0] for _ in range(2))
    assert one.pop("id") != other.pop("id")
    assert one == other
    assert endpoint._sessions["words"].asked == {0: 2}


def test_a_fault_is_armed_before_its_read_is_decided_and_over_with_the_next_decision(
    served: Counted, faults: list[bool]
):
    asks(served, "words")
    assert faults == [True]
    asks(served, "words")
    assert faults == [True]
    asks(served, "words", *called("503"))
    assert faults == [True, False]


def test_a_record_that_ends_with_a_call_is_closed_with_a_sentence(served: Counted):
    closing = message(asks(served, "call", *called("Transfer successful")))
    assert closing == {"role": "assistant", "content": CLOSING}


@pytest.mark.parametrize(
    ("name", "calls"),
    [
        pytest.param("words", 4, id="after the last words"),
        pytest.param("call", 2, id="after the closing sentence"),
        pytest.param("nobody", 0, id="of no session"),
    ],
)
def test_what_is_asked_outside_the_record_is_refused_and_noted(served, endpoint, name, calls):
    answer = asks(served, name, *(one for _ in range(calls) for one in called("x")))
    assert answer.status_code == 400
    session = endpoint._sessions.get(name)
    noted = session.wrong if session else endpoint.astray()
    assert noted == [answer.json()["error"]["message"]]


def test_the_results_of_the_last_prompt_are_kept_whatever_form_their_text_has(served, endpoint):
    blocks = {"role": "tool", "content": [{"type": "text", "text": "in a block"}]}
    asks(served, "words", *called("plain"), {"role": "assistant", "content": None}, blocks)
    assert list(endpoint._sessions["words"].results) == ["plain", "in a block"]


def test_a_script_leaves_the_greeting_out_and_ends_where_the_customer_stops():
    greeted = run(
        Turn(text="Hi! How can I help you?"),
        Turn(user="hello"),
        Turn(calls=(LOOK, CANCEL)),
        Turn(text="Done."),
        Turn(user="###STOP###"),
        Turn(text="Goodbye."),
    )
    assert greeted.says == ("hello",)
    assert [one.text or len(one.calls) for one in greeted.decides] == [2, "Done."]
    assert (greeted.calls, greeted.writes) == ([LOOK, CANCEL], (CANCEL,))
