"""Questions: what a person is shown of a plan or a doubt, and which answers are read."""

from dataclasses import replace

import pytest
from pydantic import TypeAdapter, ValidationError

from daybook.state.effects.bind import take
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import Event
from daybook.state.ledger.step import Step
from daybook.state.money import Money
from daybook.state.people.policy import Needs
from daybook.state.people.questions.approvals import (
    Answers,
    action_data,
    answers_for,
    doubt_answers,
    doubt_request,
    request_for,
    verdict,
)
from daybook.state.people.questions.markdown import described, plan_shown
from evals.protocol.parts import MAIL, ONLY, ORDER, RESERVE, START, intent
from tests.unit.paper import ID, Paper, approved, asked


def _checkout() -> Paper:
    bound = {"hold_id": take("reserve", "hold_id").model_dump(mode="json")}
    paper = Paper(
        (replace(RESERVE, args={"sku": "B-1"}), replace(ORDER, args={"n": 2}, binds=bound))
    )
    action = paper.plan.actions[0]
    action.title, action.summary = "Check out for 9.90 USD", ("1 x Boots", "charge 9.90 USD")
    action.total = Money(amount=990, currency="USD")
    return paper


def test_a_person_sees_title_summary_and_every_step_with_its_arguments():
    action = _checkout().plan.actions[0]
    assert described(action).split("\n\n") == [
        "**Check out for 9.90 USD**",
        "- 1 x Boots.\n- charge 9.90 USD.",
        "The steps:",
        "1. reserve: sku B-1.\n2. order: n 2, hold id “(hold_id of reserve)”.",
        "If you reject it, nothing is done.",
    ]
    assert action_data(action) == {
        "tool": "checkout",
        "title": "Check out for 9.90 USD",
        "summary": ["1 x Boots", "charge 9.90 USD"],
        "total": "9.90 USD",
        "steps": [
            {"tool": "reserve", "args": {"sku": "B-1"}, "observed": {}},
            {"tool": "order", "args": {"n": 2, "hold_id": "<hold_id of reserve>"}, "observed": {}},
        ],
    }


@pytest.mark.parametrize(
    "given",
    [
        *("12.00", "$12", "90%", "Free!", "twelve", "Total=12.00USD", "Save10%", "only$5"),
        *('{"amount":1200}', [{"sku": "B-1", "quantity": 3}], {"note": "half price"}),
    ],
)
def test_what_a_model_gave_is_marked_as_text_and_within_lists_too(given: object):
    action = asked().plan.actions[0]
    step = replace(action.steps[0], args={"it": given})
    words = described(replace(action, args={"it": given}, steps=[step]))
    assert "(as the model gave it)" in words
    assert "(as the model gave it)" not in described(replace(action, args={}, steps=[step]))


@pytest.mark.parametrize("given", ["R-1", "card_ada_1", ["B-1", "B-2"], {"to": "R-1"}, True, None])
def test_an_id_is_no_text_of_a_model(given: object):
    action = asked().plan.actions[0]
    step = replace(action.steps[0], args={"it": given})
    assert "(as the model" not in described(replace(action, args={"it": given}, steps=[step]))


def test_what_a_model_gave_is_marked_wherever_a_lone_effect_is_shown():
    """The lines above its steps, the steps themselves, and what is said before the question."""
    plan = Plan("plan", "turn")
    args = {"subject": "Your 90 % off", "body": "Pay 12.00 USD", "to": "R-1"}
    called = [{"call": "0.0", "tool": "send_email"}]
    for entry in (
        plan.entry(Event.OPENED, detail={"approval": "asked", "actions": called}, at=START),
        replace(intent(plan, replace(MAIL, args=args), "op"), at=START),
    ):
        plan.apply(entry)
    action = plan.actions[0]
    mark = "(as the model gave it)"
    for text in (described(action), plan_shown(plan)):
        assert f"subject: Your 90 % off {mark}" in text
        assert f"body: Pay 12.00 USD {mark}" in text
        assert f"R-1 {mark}" not in text
    [step] = action_data(action)["steps"]
    assert set(step["given"]) == {"subject", "body"}
    assert action_data(action)["summary"][0] == f"subject: Your 90 % off {mark}"


def read(given: object, paper: Paper | None = None) -> Answers:
    """Read an answer as the interrupt does."""
    return TypeAdapter(answers_for((paper or asked()).plan)).validate_python(given)


EDIT = {"name": "checkout", "args": {"card_id": "c2"}}


@pytest.mark.parametrize(
    ("given", "type_", "message", "edited"),
    [
        ({"type": "approve"}, "approve", "", None),
        ({"type": "reject"}, "reject", "", None),
        ({"type": "reject", "message": "too dear"}, "reject", "too dear", None),
        ({"type": "respond", "message": "why?"}, "respond", "why?", None),
        ({"type": "edit", "edited_action": EDIT}, "edit", "", EDIT),
        # Agent Inbox, for this request.
        ({"type": "approve", "args": None}, "approve", "", None),
        ({"type": "reject", "args": "too dear"}, "reject", "too dear", None),
        (
            {"type": "edit", "args": {"action": "checkout", "args": {"card_id": "c2"}}},
            "edit",
            "",
            EDIT,
        ),
    ],
)
def test_a_decision_is_read_as_langchain_and_agent_inbox_send_it(given, type_, message, edited):
    answer = read({"decisions": [given]}).decisions[0]
    assert (answer.type, answer.message) == (type_, message)
    assert (answer.edited_action.model_dump() if answer.edited_action else None) == edited


@pytest.mark.parametrize(
    "given",
    [
        {},
        [],
        "approve",
        True,
        None,
        {"decisions": []},
        {"decisions": "approve"},
        {"decisions": [{"type": "maybe"}]},
        {"decisions": [{"type": None}]},
        {"decisions": [{}]},
        {"decisions": ["approve"]},
        {"decisions": [{"type": "approve"}, {"type": "approve"}]},
        {"decisions": [{"type": "approve", "surprise": 1}]},
        {"decisions": [{"type": "approve"}], "surprise": 1},
        {"decisions": [{"type": "edit"}]},
        {"decisions": [{"type": "edit", "edited_action": {"name": "checkout"}}]},
        {"decisions": [{"type": "edit", "args": {"card_id": "c2"}}]},
        {"decisions": [{"type": "approve", "edited_action": EDIT}]},
        {"decisions": [{"type": "reject", "message": "x" * 2_001}]},
        # Agent Inbox, for a request of its own that is not made here.
        {"type": "accept"},
        [{"type": "accept"}],
        {"decisions": [{"type": "ignore", "args": None}]},
        {"decisions": [{"type": "response", "args": "why?"}]},
        [{"type": "approve"}],
    ],
)
def test_what_is_no_answer_to_the_question_is_refused(given: object):
    with pytest.raises(ValidationError):
        read(given)


@pytest.mark.parametrize("again", [False, True])
def test_an_answer_has_a_decision_for_each_action_and_may_name_its_question_alone(again: bool):
    decisions = {"decisions": [{"type": "approve"}, {"type": "reject"}]}
    paper = asked(2, again=again)
    assert len(read({**decisions, "approval_id": ID}, paper).decisions) == 2
    if not again:
        assert len(read(decisions, paper).decisions) == 2, "the first question needs no name"
    wrong = ["another", "", ID + "0", "x" + ID, ID + "\n", ID.upper()]
    for odd in (
        *({**decisions, "approval_id": name} for name in wrong),
        {"decisions": [{"type": "approve"}], "approval_id": ID},
        *([decisions] if again else []),
    ):
        with pytest.raises(ValidationError):
            read(odd, paper)
    assert read({"decisions": [{"type": "reject"}] * 2}, paper), "a no needs no name"


def test_the_request_has_langchains_shape_and_one_question_for_the_whole_plan():
    request = request_for(Paper((ONLY,), (MAIL,), plan_id=ID).plan, "That card is not on file.")
    assert [set(one) for one in request["action_requests"]] == [{"name", "args", "description"}] * 2
    assert request["action_requests"][0]["description"].startswith("That card is not on file.\n\n")
    assert [one["allowed_decisions"] for one in request["review_configs"]] == [
        ["approve", "edit", "reject", "respond"]
    ] * 2
    assert request["approval_id"] == ID


@pytest.mark.parametrize(
    "edit",
    [
        {"args": {"action": "pay", "args": {"amount": "1200", "to": "17"}}},
        {"edited_action": {"name": "pay", "args": {"amount": "1200", "to": "17"}}},
        {"edited_action": {"name": "pay", "args": {"amount": 1200, "to": "17"}}},
    ],
    ids=["agent-inbox", "agent-chat-ui", "a program"],
)
def test_what_is_typed_into_the_fields_of_a_client_has_the_type_of_its_argument(edit: object):
    plan = asked().plan
    plan.actions[0].tool = plan.actions[0].title = "pay"
    schema = {"properties": {"amount": {"type": "integer"}, "to": {"type": "string"}}}
    answers = TypeAdapter(answers_for(plan, {"pay": schema})).validate_python(
        {"decisions": [{"type": "edit", **edit}]}
    )
    edited = answers.decisions[0].edited_action
    assert edited is not None
    assert edited.args == {"amount": 1200, "to": "17"}


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("it happened", ("happened", "")),
        ("It happened ch_1", ("happened", "ch_1")),
        ("  it happened: CH_1. ", ("happened", "CH_1")),
        ("it did not happen", ("not_happened", "")),
        ("It did not.", ("not_happened", "")),
        ("It did NOT happen", ("not_happened", "")),
        ("it didn\u2019t happen.", ("not_happened", "")),
        ('it  happened "ch_7"!', ("happened", "ch_7")),
        ("undo", ("undo", "")),
        ("Undo ch_1", ("undo", "ch_1")),
    ],
)
def test_a_persons_word_on_a_step_in_doubt_is_read(said: str, meant: tuple[str, str]):
    assert verdict(said) == meant


@pytest.mark.parametrize(
    "said",
    [
        *("", "yes", "no", "approve", "happened", "maybe it happened", "do not undo"),
        *("undoubtedly it happened", "it happenedly", "undone already", "undo, NOT"),
        *("It did not fail: it is on the statement, CH-7", "It did not happen, try again"),
        *("it happened NOT", "it happened un-fortunately", "It happened 2x"),
        *("It happened? No, nothing there", "it happened only in test mode"),
        "it happened REFERENCE",
    ],
)
def test_a_word_that_says_none_of_the_three_is_refused(said: str):
    with pytest.raises(ValueError, match="it happened REFERENCE"):
        verdict(said)


def about_doubt(given: object, step: Step) -> Answers:
    """Read an answer about a step as the interrupt does."""
    return TypeAdapter(doubt_answers(step)).validate_python(given)


@pytest.mark.parametrize(
    "given",
    [
        {"decisions": []},
        {"decisions": "it happened"},
        {"decisions": [{"type": "respond", "message": "undo"}] * 2},
        {"decisions": [{"type": "respond", "message": "undo"}], "approval_id": "another"},
        [{"type": "response", "args": "it happened"}],
    ],
)
def test_what_is_no_answer_to_a_doubt_is_refused(given: object):
    with pytest.raises(ValidationError):
        about_doubt(given, approved(ONLY).step("only"))


def test_the_question_about_a_doubt_shows_all_the_evidence():
    paper = approved(replace(ONLY, args={"amount": 5}))
    paper.attempted("only", Event.UNANSWERED)
    paper.looked("only", Event.ABSENT)
    paper.write(Event.IN_DOUBT, paper.step("only"), detail={"reason": "no proof"})
    request = doubt_request(*paper.plan.find(paper.step("only").step_id), Needs(), "it was done")
    at = paper.now.isoformat()
    assert request["action_requests"][0]["args"] == {
        "step": "op/0/only/1",
        "tool": "only",
        "arguments": {"amount": 5},
        "attempts": [{"number": 1, "at": at, "answer": "unanswered"}],
        "looked": [f"{at} absent"],
        "why": "no proof",
    }
    assert request["in_doubt"] == "op/0/only/1"
    assert request["review_configs"][0]["allowed_decisions"] == ["respond", "reject"]
