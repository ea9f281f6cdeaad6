"""The file of a deployment's rules: read at the start, and refused with a sentence."""

import re
from pathlib import Path

import pytest

from daybook.app.notifications.routes import routes_in
from daybook.graph.settings.limits import policy_of
from daybook.state.errors import ConfigurationError, DeclarationError
from daybook.state.money import Money
from daybook.state.people.policy import Policy, Rule
from daybook.tools.shop.domain import SHOP

RULES = """
[[rules]]
name = "small purchases of ben"
users = ["ben"]
up_to = {amount = 5000, currency = "USD"}
approval = "nobody"

[[rules]]
name = "refunds"
tools = ["refund_payment"]
approval = "clerk"
four_eyes = true
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "policy.toml"


def test_rules_are_read_in_their_order_and_without_a_file_there_are_none(file: Path):
    assert policy_of(None, SHOP) == Policy()
    file.write_text(RULES)
    small = Rule(
        name="small purchases of ben",
        users=("ben",),
        up_to=Money(amount=5_000, currency="USD"),
        approval="nobody",
    )
    refunds = Rule(name="refunds", tools=("refund_payment",), approval="clerk", four_eyes=True)
    assert policy_of(file, SHOP).rules == (small, refunds)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[rules]\n", "which is no TOML"),
        (RULES.replace("clerk", "clirk"), "rules.1.approval"),
        (RULES.replace("5000", '"50.5"'), "rules.0.up_to.amount"),
        (RULES.replace("users", "user"), "rules.0.user"),
        ("rule = []", "rule"),
    ],
)
def test_a_file_that_is_wrong_is_refused_by_its_name(file: Path, text: str, said: str):
    file.write_text(text)
    with pytest.raises(ConfigurationError) as refused:
        policy_of(file, SHOP)
    assert said in str(refused.value)
    assert str(file) in str(refused.value)
    assert "Nothing was started" in str(refused.value)


def test_a_file_that_is_not_there_or_names_no_tool_of_the_domain_is_refused(file: Path):
    with pytest.raises(ConfigurationError, match="cannot be read"):
        policy_of(file, SHOP)
    file.write_text(RULES.replace("refund_payment", "refund"))
    with pytest.raises(DeclarationError, match="names refund"):
        policy_of(file, SHOP)


def test_the_rules_and_routes_on_the_page_can_be_used(file: Path, monkeypatch: pytest.MonkeyPatch):
    shown = re.findall(r"```toml\n(.*?)```", Path("docs/approvals.md").read_text(), re.DOTALL)
    file.write_text("\n".join(shown))
    policy = policy_of(file, SHOP)
    assert [rule.approval for rule in policy.rules] == ["nobody", "clerk", "clerk"]
    assert [limit.over for limit in policy.limits] == ["clerk"]
    for variable in re.findall(r'= "([A-Z]+_[A-Z_]+)"', file.read_text()):
        monkeypatch.setenv(variable, "secret")
    assert [route.name for route in routes_in(file).notify] == ["clerks", "lead", "approvals"]


def test_the_budgets_on_the_page_are_budgets(file: Path):
    shown = re.findall(r"```toml\n(.*?)```", Path("docs/context.md").read_text(), re.DOTALL)
    file.write_text("\n".join(shown))
    assert [str(one) for one in policy_of(file, SHOP).budgets] == [
        "200000 tokens and 5.00 USD per user in a day"
    ]
