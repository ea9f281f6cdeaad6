"""Policy: who must approve what. It is judged once, when a plan is written, and kept with it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from daybook.state.money import Money
from daybook.state.people.spending import SpendingLimit
from daybook.state.session import Person, user_named

Approver = Literal["nobody", "customer", "clerk", "operator"]
"""The least that somebody must be; whoever is more may too."""

_RANKS: tuple[Approver, ...] = ("nobody", "customer", "clerk", "operator")


@dataclass(frozen=True)
class Facts:
    """What policy looks at of one step.

    Attributes:
        at: the flow position in which the plan was made.
        user: whose thread it is.
        amount: what the tool moves in the whole plan; None where that is not known.
        declared: whether its tool asks for approval where no rule says anything.
    """

    tool: str
    kind: Literal["write", "hybrid"]
    at: str
    user: str
    amount: Money | None
    declared: Literal["always", "never"] = "always"


class Rule(BaseModel):
    """Say who must approve the steps that fit; what is left out fits every step.

    A step whose amount is not known, is less than nothing or in another currency, is never taken
    for a small one: it fits `above`, if its tool is named, and never `up_to`.

    Example:
        >>> Rule(name="large refunds", tools=("refund_payment",), approval="clerk",
        ...      above=Money(amount=50_000, currency="EUR")).approval
        'clerk'

    Attributes:
        name: stands in the ledger beside what it decided.
        at: flow positions; such a rule cannot approve by itself.
        users: whose threads.
        above, up_to: the money that the tool moves in the plan, in cents: more than, at most.
        approval: who must approve; "nobody" approves by itself.
        four_eyes: the person whose thread it is may not.
        doubt: who may say what became of a step in doubt; whoever may approve where it is left out.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(min_length=1, max_length=100)
    tools: tuple[str, ...] = ()
    kind: Literal["write", "hybrid"] | None = None
    at: tuple[str, ...] = ()
    users: tuple[Annotated[str, AfterValidator(user_named)], ...] = ()
    above: Money | None = None
    up_to: Money | None = None
    approval: Approver
    four_eyes: bool = False
    doubt: Literal["customer", "clerk", "operator"] | None = None

    @model_validator(mode="after")
    def _four_eyes_need_a_second_person(self) -> Rule:
        if self.four_eyes and self.approval not in ("clerk", "operator"):
            raise ValueError(
                "four eyes need somebody beside the customer: approval = 'clerk' or 'operator'"
            )
        return self

    @model_validator(mode="after")
    def _a_position_only_asks_for_more(self) -> Rule:
        # Where the flow stands is state, which an operator may rewrite; Postgres does not hold it.
        if self.at and self.approval == "nobody":
            raise ValueError(
                "a rule about flow positions cannot approve by itself: leave out `at`, or name who "
                "approves"
            )
        return self

    def fits(self, step: Facts) -> bool:
        """Tell whether the rule is about this step."""
        return (
            (not self.tools or step.tool in self.tools)
            and self.kind in (None, step.kind)
            and (not self.at or step.at in self.at)
            and (not self.users or step.user in self.users)
            and (self.above is None or self._is_above(step.amount, self.above))
            and (self.up_to is None or _is_at_most(step.amount, self.up_to))
        )

    def _is_above(self, amount: Money | None, limit: Money) -> bool:
        if amount is None:
            return bool(self.tools)
        return not _is_at_most(amount, limit)


def _is_at_most(amount: Money | None, limit: Money) -> bool:
    return (
        amount is not None
        and amount.currency == limit.currency
        and 0 <= amount.amount <= limit.amount
    )


@dataclass(frozen=True)
class Needs:
    """Who must approve a plan, as it was judged when the plan was written.

    Attributes:
        role: the least that whoever approves must be.
        four_eyes: the person whose thread it is may not.
        doubt: the least that whoever says what became of a step in doubt must be.
        rules: the names of the rules that said so; empty where the tools' declarations did.
    """

    role: Approver = "customer"
    four_eyes: bool = False
    doubt: Approver = "customer"
    rules: tuple[str, ...] = ()

    def raised(self, role: Approver, rule: str) -> Needs:
        """Return what is needed where a limit asks for this role, too."""
        rules = tuple(dict.fromkeys([*self.rules, rule]))
        doubt = _strictest([self.doubt, role])
        return replace(self, role=_strictest([self.role, role]), doubt=doubt, rules=rules)

    def written(self) -> dict[str, Any]:
        """Write it for the ledger: what is as it is where no rule says anything is left out."""
        usual = asdict(Needs())
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in asdict(self).items()
            if value != usual[name]
        }

    def bars(self, person: Person, owner: str) -> str:
        """Say why this person may not approve, or nothing."""
        if _rank(person.role) < _rank(self.role):
            return f"It takes a {self.role} to approve this, and {person} is a {person.role}."
        if self.four_eyes and person.user_id == owner:
            return f"It takes a second person to approve this: {person} asked for it."
        return ""

    def bars_word(self, person: Person) -> str:
        """Say why this person may not say what became of a step in doubt, or nothing."""
        if _rank(person.role) < _rank(self.doubt):
            return f"It takes a {self.doubt} to answer this, and {person} is a {person.role}."
        return ""


def needs_of(written: Mapping[str, Any]) -> Needs:
    """Read what `Needs.written` wrote."""
    return Needs(**{**written, "rules": tuple(written.get("rules", ()))})


class Policy(BaseModel):
    """The rules in order: of each step, the first rule that fits decides.

    Where none fits, the tool's own declaration does: `approval="always"`, which is what a tool that
    says nothing declares, needs the customer. Of a plan, the strictest of its steps counts.

    Attributes:
        limits: what adds up over plans; each holds beside whatever the rules say.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    rules: tuple[Rule, ...] = ()
    limits: tuple[SpendingLimit, ...] = ()

    @model_validator(mode="after")
    def _limits_have_names_of_their_own(self) -> Policy:
        names = [one.name for one in self.limits]
        if len(names) > len(set(names)):
            raise ValueError("two limits have one name, and would be counted as one")
        return self

    def judge(self, steps: Sequence[Facts]) -> Needs:
        """Say who must approve a plan of these steps as a whole."""
        fitting = [next((rule for rule in self.rules if rule.fits(step)), None) for step in steps]
        approvals = [
            rule.approval if rule else _DECLARED[step.declared]
            for rule, step in zip(fitting, steps, strict=True)
        ]
        doubts = [
            (rule.doubt if rule else None) or approval
            for rule, approval in zip(fitting, approvals, strict=True)
        ]
        return Needs(
            role=_strictest(approvals),
            four_eyes=any(rule.four_eyes for rule in fitting if rule),
            doubt=_strictest([*doubts, "customer"]),
            rules=tuple(dict.fromkeys(rule.name for rule in fitting if rule)),
        )

    def before(self, other: Policy) -> Policy:
        """Return these rules, and after them those of another policy."""
        return Policy(rules=(*self.rules, *other.rules), limits=(*self.limits, *other.limits))


_DECLARED: dict[str, Approver] = {"always": "customer", "never": "nobody"}


def roles_of(person: Person) -> list[str]:
    """Return for which roles a person may answer."""
    return [role for role in _RANKS if _rank(role) <= _rank(person.role)]


def _rank(role: str) -> int:
    return _RANKS.index(role) if role in _RANKS else 0


def _strictest(approvers: Iterable[Approver]) -> Approver:
    return max(approvers, key=_RANKS.index, default="customer")
