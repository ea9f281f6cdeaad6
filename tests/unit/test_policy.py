"""Who must approve what: rules in order, the strictest step of a plan, and who that bars."""

from typing import Any

import pytest
from pydantic import ValidationError

from daybook.state.errors import DeclarationError, ToolRefused
from daybook.state.money import Money
from daybook.state.people.policy import Facts, Needs, Policy, Rule, needs_of
from daybook.state.session import Person
from daybook.tools.checks.domain import check_policy
from daybook.tools.shop.domain import POLICY, SHOP

LIMIT = Money(amount=5_000, currency="USD")


def facts(amount: int | None = None, currency: str = "USD", **more: Any) -> Facts:
    """Describe a charge in ada's thread."""
    money = None if amount is None else Money(amount=amount, currency=currency)
    about = {"tool": "charge", "kind": "write", "at": "shopping", "user": "ada", **more}
    return Facts(amount=money, **about)


def policy(**rule: Any) -> Policy:
    """Make a policy of one rule."""
    return Policy(rules=(Rule(**{"name": "rule", "approval": "clerk", **rule}),))


@pytest.mark.parametrize(
    ("rule", "fits"),
    [
        ({}, True),
        ({"tools": ("charge",)}, True),
        ({"tools": ("refund",)}, False),
        ({"kind": "write"}, True),
        ({"kind": "hybrid"}, False),
        ({"at": ("shopping", "ordered")}, True),
        ({"at": ("ordered",)}, False),
        ({"users": ("ada",)}, True),
        ({"users": ("ben",)}, False),
        ({"above": LIMIT}, False),
        ({"up_to": LIMIT}, True),
    ],
)
def test_a_rule_fits_where_all_that_it_names_does(rule: dict[str, Any], fits: bool):
    assert policy(**rule).judge([facts(5_000)]).role == ("clerk" if fits else "customer")


def test_what_is_not_known_to_be_small_is_not_taken_for_it():
    for amount in (facts(5_001), facts(1, "EUR"), facts(-1), facts(None)):
        assert policy(up_to=LIMIT, approval="nobody").judge([amount]).role == "customer"
        assert policy(tools=("charge",), above=LIMIT).judge([amount]).role == "clerk"
    assert policy(above=LIMIT).judge([facts(None)]).role == "customer", "it moves no money"


def test_the_first_rule_that_fits_decides_and_stands_in_the_ledger():
    rules = Policy(
        rules=(
            Rule(name="small", up_to=LIMIT, users=("ada",), approval="nobody"),
            Rule(name="all", approval="clerk"),
        )
    )
    assert rules.judge([facts(100)]) == Needs("nobody", False, "customer", ("small",))
    assert rules.judge([facts(100, user="ben")]).role == "clerk"


def test_of_a_plan_the_strictest_step_counts():
    rules = Policy(
        rules=(
            Rule(name="mails", tools=("mail",), approval="nobody"),
            Rule(name="refunds", tools=("refund",), approval="operator", four_eyes=True),
        )
    )
    judged = rules.judge([facts(1, tool="mail"), facts(1, tool="refund"), facts(1)])
    assert judged == Needs("operator", True, "operator", ("mails", "refunds"))


def test_where_no_rule_fits_the_tool_says_it():
    assert Policy().judge([facts(declared="never")]).role == "nobody"
    assert Policy().judge([facts(declared="never"), facts()]).role == "customer"


def test_a_deployments_rules_come_before_the_domains():
    small = policy(name="small", approval="nobody", up_to=LIMIT)
    assert small.before(policy()).judge([facts(1)]).role == "nobody"
    assert policy().before(small).judge([facts(1)]).role == "clerk"


def test_what_is_written_is_read_again_and_what_is_usual_takes_no_place():
    for needs in (Needs(), Needs("clerk", True, "operator", ("a", "b"))):
        assert needs_of(needs.written()) == needs
    assert Needs().written() == {}


@pytest.mark.parametrize(
    ("needs", "person", "barred"),
    [
        (Needs(), Person("ada"), False),
        (Needs("clerk"), Person("ada"), True),
        (Needs("clerk"), Person("cleo", "clerk"), False),
        (Needs("operator"), Person("cleo", "clerk"), True),
        (Needs("clerk"), Person("olga", "operator"), False),
        (Needs("clerk", four_eyes=True), Person("ada", "operator"), True),
        (Needs("clerk"), Person("ada", "god"), True),
    ],
)
def test_who_may_not_approve_is_told_why(needs: Needs, person: Person, barred: bool):
    assert bool(needs.bars(person, "ada")) is barred
    assert "approval by an operator" in Needs("operator").bars(Person("ada"), "ada")
    assert "an answer from a clerk" in Needs(doubt="clerk").bars_word(Person("ada"))
    assert Needs(doubt="clerk").bars_word(Person("cleo", "clerk")) == ""


def test_neither_four_eyes_of_the_customer_alone_nor_state_alone_is_a_rule():
    with pytest.raises(ValidationError, match="an approver other than the customer"):
        Rule(name="rule", approval="customer", four_eyes=True)
    with pytest.raises(ValidationError, match="cannot approve by itself"):
        Rule(name="rule", at=("ordered",), approval="nobody")


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ({"tools": ("refund",)}, "names refund, which is not a known effect"),
        ({"tools": ("checkout",)}, "name the steps"),
        ({"at": ("paying",)}, "names paying, which is not a known flow position"),
    ],
)
def test_a_rule_that_names_what_is_not_there_is_refused(rule: dict[str, Any], said: str):
    with pytest.raises(DeclarationError, match=said):
        check_policy(policy(**rule), SHOP.registry, SHOP.flow)


def test_the_shops_customers_approve_their_purchases_and_clerks_large_refunds():
    charge = facts(1_000_000, tool="charge_payment")
    refund = facts(100_001, tool="refund_payment")
    assert POLICY.judge([charge]).role == "customer"
    assert POLICY.judge([refund]) == Needs("clerk", False, "clerk", ("large refunds",))
    assert POLICY.judge([facts(100_000, tool="refund_payment")]).role == "customer"


@pytest.mark.parametrize(
    ("rule", "user", "is_asked"),
    [
        ({"approvals": 2}, "ada", False),
        ({"approvals": 2}, "bea", True),
        ({"four_eyes": True, "people": ("ada",)}, "ada", False),
        ({}, "ada", True),
    ],
)
def test_nobody_is_asked_where_too_few_may_approve_beside_who_asks(
    rule: dict[str, Any], user: str, is_asked: bool
):
    two = policy(**{"people": ("ada", "cleo"), **rule})
    if is_asked:
        assert "ada" in two.judge([facts(user=user)]).people
    else:
        with pytest.raises(ToolRefused, match="No one could approve this"):
            two.judge([facts(user=user)])


def test_whom_a_limit_asks_decides_where_that_is_more_than_the_people_are_whom_a_rule_names():
    needs = Needs("clerk", approvals=2, people=("cleo", "dora"))
    assert needs.raised("clerk", "daily").people == ("cleo", "dora")
    raised = needs.raised("operator", "daily")
    assert (raised.role, raised.people, raised.approvals) == ("operator", (), 2)
    assert raised.bars(Person("olga", "operator"), "ada") == ""
