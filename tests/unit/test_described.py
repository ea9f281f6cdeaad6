"""What a person is shown of a plan: in words, with its arguments, and what a model gave as its own."""

from dataclasses import replace

import pytest

from daybook.state.effects.bind import take
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import Event
from daybook.state.money import Money
from daybook.state.people.questions.approvals import shown
from daybook.state.people.questions.described import described, plan_shown
from tests.unit.paper import MAIL, ORDER, RESERVE, START, Paper, asked, intent


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
        "How it is done:",
        "1. reserve: sku B-1.\n2. order: n 2, hold id “(hold_id of reserve)”.",
        "If you reject it, nothing is done.",
    ]
    assert shown(action) == {
        "tool": "checkout",
        "title": "Check out for 9.90 USD",
        "summary": ["1 x Boots", "charge 9.90 USD"],
        "total": "9.90 USD",
        "steps": [
            {"tool": "reserve", "args": {"sku": "B-1"}, "observed": {}},
            {"tool": "order", "args": {"n": 2, "hold_id": "<hold_id of reserve>"}, "observed": {}},
        ],
    }


def test_words_and_numbers_of_a_model_are_marked_as_its_own():
    action = asked().plan.actions[0]
    [step] = action.steps
    given = {"subject": "Your 90 % off", "amount": 1200, "to": "R-1", "is_gift": True}
    step = replace(step, args={**given, "price": 9890})
    words = described(replace(action, args=given, steps=[step]))
    assert (
        "subject “Your 90 % off” (as the model gave it), amount 1200 (as the model gave it)"
        in words
    )
    assert "to R-1, is gift yes, price 9890" in words
    edited = replace(action, args=given, steps=[step], edited_by="ada")
    assert "amount 1200 (as ada gave it)" in described(edited)


@pytest.mark.parametrize(
    "given",
    [
        "12.00",
        "$12",
        "12.00USD",
        "90%",
        "Free!",
        "Free",
        "twelve",
        "EUR12.00",
        "Total=12.00USD",
        "USD98",
        "Save10%",
        "only$5",
        '{"amount":1200}',
        [{"sku": "B-1", "quantity": 3}],
        ["half price", "B-1"],
        {"note": "half price"},
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
    [step] = shown(action)["steps"]
    assert set(step["given"]) == {"subject", "body"}
    assert shown(action)["summary"][0] == f"subject: Your 90 % off {mark}"


def test_nothing_is_written_as_code_writes_it_and_money_is_in_units():
    action = _checkout().plan.actions[0]
    args = {"body": "Hello.\n\nYours", "price": 9890, "currency": "USD", "of": ["a", {"b": None}]}
    step = replace(action.steps[0], args=args, preconditions={"enough_stock": True})
    words = described(replace(action, steps=[step], total=Money(amount=5, currency="USD")))
    assert words.startswith("**Check out for 9.90 USD (0.05 USD)**\n\n")
    assert (
        "1. reserve: body “Hello. / Yours”, price 98.90 USD, currency USD, of a, (b none). "
        "Observed: enough stock yes."
    ) in words


def test_what_is_sent_as_json_is_read_in_words_too():
    action = _checkout().plan.actions[0]
    args = {"body": '{"payment":{"tools":[{"id":"visa","selected":true}]}}', "note": "{no json"}
    words = described(replace(action, steps=[replace(action.steps[0], args=args)]))
    assert "body (payment (tools (id visa, selected yes)))" in words
    assert "note “{no json”" in words
