"""The question whether a plan is approved, and every shape of answer that is read."""

import pytest
from pydantic import TypeAdapter, ValidationError

from daybook.state.people.questions.approvals import Answers, answers_for, request_for
from tests.unit.paper import ID, MAIL, ONLY, Paper, asked


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
        # Agent Inbox for this request: the new words with its own `args`.
        ({"type": "approve", "args": None}, "approve", "", None),
        ({"type": "reject", "args": "too dear"}, "reject", "too dear", None),
        (
            {"type": "edit", "args": {"action": "checkout", "args": {"card_id": "c2"}}},
            "edit",
            "",
            EDIT,
        ),
        # Agent Inbox's own words.
        ({"type": "accept"}, "approve", "", None),
        ({"type": "accept", "args": {"action": "checkout", "args": {}}}, "approve", "", None),
        ({"type": "ignore", "args": None}, "reject", "", None),
        ({"type": "response", "args": "why?"}, "respond", "why?", None),
    ],
)
@pytest.mark.parametrize("listed", [False, True], ids=["decisions", "list"])
def test_every_shape_of_one_decision_is_read(given, type_, message, edited, listed: bool):
    answer = read([given] if listed else {"decisions": [given]}).decisions[0]
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
        {"type": "accept"},
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


def test_a_name_with_signs_of_a_pattern_names_itself_alone():
    paper = Paper((ONLY,), plan_id="a.c", approval="asked again")
    assert read({"decisions": [{"type": "approve"}], "approval_id": "a.c"}, paper)
    with pytest.raises(ValidationError):
        read({"decisions": [{"type": "approve"}], "approval_id": "abc"}, paper)


def test_the_request_has_langchains_shape_and_one_question_for_the_whole_plan():
    request = request_for(Paper((ONLY,), (MAIL,), plan_id=ID).plan, "That card is not on file.")
    assert [set(one) for one in request["action_requests"]] == [
        {"name", "args", "arguments", "description"}
    ] * 2
    assert request["action_requests"][0]["description"].startswith("That card is not on file.\n\n")
    assert [one["allowed_decisions"] for one in request["review_configs"]] == [
        ["approve", "edit", "reject", "respond"]
    ] * 2
    assert request["approval_id"] == ID


@pytest.mark.parametrize(
    "given",
    [
        [{"type": "edit", "args": {"action": "pay", "args": {"amount": "1200", "to": "17"}}}],
        {
            "decisions": [
                {
                    "type": "edit",
                    "args": {"action": "pay", "arguments": {"amount": "1200", "to": "17"}},
                }
            ]
        },
        {
            "decisions": [
                {
                    "type": "edit",
                    "args": {"name": "pay", "arguments": {"amount": "1200", "to": "17"}},
                }
            ]
        },
        {
            "decisions": [
                {
                    "type": "edit",
                    "edited_action": {"name": "pay", "arguments": {"amount": "1200", "to": "17"}},
                }
            ]
        },
        {
            "decisions": [
                {
                    "type": "edit",
                    "args": None,
                    "edited_action": {"name": "pay", "args": {"amount": 1200, "to": "17"}},
                }
            ]
        },
    ],
    ids=["list", "inbox", "by-name", "as-langchain-with-arguments", "langchain-beside-args"],
)
def test_what_is_typed_into_the_fields_of_older_clients_has_the_type_of_its_argument(given: object):
    plan = asked().plan
    plan.actions[0].tool = plan.actions[0].title = "pay"
    schema = {"properties": {"amount": {"type": "integer"}, "to": {"type": "string"}}}
    answers = TypeAdapter(answers_for(plan, {"pay": schema})).validate_python(given)
    edited = answers.decisions[0].edited_action
    assert edited is not None
    assert edited.args == {"amount": 1200, "to": "17"}
