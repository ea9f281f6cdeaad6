"""What a run of a signed-in person may carry."""

from typing import Any

from daybook.app.server.run_rules import fault_in, holds_overwrite
from daybook.state.session import Person

ADA, CLEO, OTTO = Person("ada"), Person("cleo", "clerk"), Person("otto", "operator")

WORDS = {"messages": [{"role": "user", "content": '{"type": "__overwrite__"}'}]}


def run(*, configurable: dict[str, Any] | None = None, **kwargs: Any) -> dict[str, Any]:
    """Return a run as the server hands it to a rule, with what the server adds by itself."""
    added = {
        "langgraph_auth_user": {"identity": "ada"},
        "langgraph_auth_user_id": "ada",
        "langgraph_auth_permissions": ["customer"],
        "langgraph_request_id": "1",
        "__request_start_time_ms__": 1,
        "__after_seconds__": 0,
        "user-agent": "one",
        "x-request-id": "1",
        **(configurable or {}),
    }
    return {"kwargs": {"config": {"configurable": added}, **kwargs}, "after_seconds": 0}


def test_words_answers_and_going_on_are_taken():
    for given in (
        run(input=WORDS),
        run(input=None),
        run(command={"resume": {"decisions": []}}),
        run(input=WORDS, context={"user_id": "ada"}, configurable={"user_id": "ada"}),
        run(input=WORDS, configurable={"thread_id": "1", "role": "customer", "author": "ada"}),
    ):
        assert fault_in(given, ADA, "ada") == ""


def test_staff_answer_in_a_customers_thread_and_do_not_speak_in_it():
    for person in (CLEO, OTTO):
        assert fault_in(run(command={"resume": {"decisions": []}}), person, "ada") == ""
        assert fault_in(run(input=None, context={"user_id": "ada"}), person, "ada") == ""
        assert "not write" in fault_in(run(input=WORDS), person, "ada")
        assert fault_in(run(input=WORDS), person, person.user_id) == ""


def test_nobody_is_more_than_they_are_and_no_webhook_is_called():
    for person in (ADA, CLEO, OTTO):
        for forged in (
            {"role": "king"},
            {"author": "ben"},
            {"user_id": "ben"},
            {"role": ["operator"]},
            {"author": {"a": 1}},
        ):
            assert fault_in(run(input=None, configurable=forged), person, "ada")
            assert fault_in(run(input=None, context=forged), person, "ada")
        assert "webhook" in fault_in(run(input=None, webhook="https://a.b"), person, "ada")


def test_an_operator_may_jump_for_all_that_the_graph_then_refuses():
    jump = run(command={"goto": "execute"}, configurable={"checkpoint_id": "1"})
    assert fault_in(jump, OTTO, "ada") == ""
    assert (
        fault_in(jump, CLEO, "ada") == "command.goto, a checkpoint that is not the newest of "
        "the thread"
    )


def test_what_goes_around_reducers_is_found_wherever_it_is():
    for value, holds in (
        (WORDS, False),
        ({"a": [{"b": ({},)}]}, False),
        ({"messages": {"type": "__overwrite__", "value": []}}, True),
        ({"a": [[{"b": {"__overwrite__": 1}}]]}, True),
        (None, False),
    ):
        assert holds_overwrite(value) is holds
    nested: Any = {"type": "__overwrite__"}
    for _ in range(5_000):
        nested = [nested]
    assert holds_overwrite(nested), "depth does not matter"
