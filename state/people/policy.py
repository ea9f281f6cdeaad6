"""Policy: who must approve what. It is judged once, when a plan is written, and stored with it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from daybook.state.errors import ToolRefused
from daybook.state.money import Money
from daybook.state.people.budget import Budget, Price
from daybook.state.people.spending import SpendingLimit
from daybook.state.session import Person, user_named

Approver = Literal["nobody", "customer", "clerk", "operator"]
"""The lowest role that may approve; higher roles may too."""

Approval = Literal["always", "never", "clerk", "operator"]
"""Who must approve an effect, as its tool declares it."""

_RANKS: tuple[Approver, ...] = ("nobody", "customer", "clerk", "operator")

_YEAR = 366 * 86_400.0
_GROUP = "group:"


@dataclass(frozen=True)
class Facts:
    """What policy looks at of one step.

    Attributes:
        at: the flow position in which the plan was made.
        user: the user of the thread.
        amount: what the tool moves in the whole plan; None if that is not known.
        declared: who must approve it where no rule says so: "always" is the customer, "never"
            nobody.
        expires_after, remind_after: seconds, as its tool declares them.
    """

    tool: str
    kind: Literal["write", "hybrid"]
    at: str
    user: str
    amount: Money | None
    declared: Approval = "always"
    expires_after: float | None = None
    remind_after: float | None = None


def _named(name: str) -> str:
    if not (named := user_named(name)):
        raise ValueError("a user needs a name")
    return named


User = Annotated[str, AfterValidator(_named)]


class Rule(BaseModel):
    """Declare who must approve matching steps; a condition that is left out matches every step.

    A step whose amount is unknown, negative or in another currency is never treated as small: it
    matches `above`, if the rule names its tool, and never `up_to`.

    Example:
        >>> Rule(name="large refunds", tools=("refund_payment",), approval="clerk",
        ...      above=Money(amount=50_000, currency="EUR")).approval
        'clerk'

    Attributes:
        name: recorded in the ledger with what it decided.
        at: flow positions; such a rule cannot approve by itself.
        users: only threads of these users.
        above, up_to: the money that the tool moves in the plan, in cents: more than, at most.
        approval: who must approve; "nobody" approves automatically.
        approvals: how many people must; with two or more, never the thread's user.
        people: the only users who may approve; "group:NAME" for all of a group.
        four_eyes: the user of the thread may not approve.
        expires_after: seconds until the question expires; default DAYBOOK_QUESTION_SECONDS.
        remind_after: seconds until notified users are reminded; default their routes' setting.
        escalate_after: seconds until the routes for the role `escalate_to` are notified too.
        doubt: who may resolve a step in doubt; default those who may approve.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(min_length=1, max_length=100)
    tools: tuple[str, ...] = ()
    kind: Literal["write", "hybrid"] | None = None
    at: tuple[str, ...] = ()
    users: tuple[User, ...] = ()
    above: Money | None = None
    up_to: Money | None = None
    approval: Approver
    approvals: int = Field(default=1, ge=1, le=9)
    people: tuple[User, ...] = ()
    four_eyes: bool = False
    expires_after: float | None = Field(default=None, gt=0, le=_YEAR)
    remind_after: float | None = Field(default=None, gt=0, le=_YEAR)
    escalate_after: float | None = Field(default=None, gt=0, le=_YEAR)
    escalate_to: Literal["clerk", "operator"] | None = None
    doubt: Literal["customer", "clerk", "operator"] | None = None

    @model_validator(mode="after")
    def _others_than_the_customer_are_staff(self) -> Rule:
        needs_others = self.four_eyes or self.approvals > 1 or self.people
        if needs_others and self.approval not in ("clerk", "operator"):
            raise ValueError(
                "four_eyes, approvals and people need an approver other than the customer: "
                "approval = 'clerk' or 'operator'"
            )
        if (self.escalate_after is None) != (self.escalate_to is None):
            raise ValueError("escalate_after and escalate_to belong together")
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
        role: the lowest role that may approve.
        four_eyes: the user of the thread may not approve.
        doubt: the lowest role that may resolve a step in doubt.
        rules: the names of the rules that decided; empty if the tools' declarations did.
        approvals: how many people must; with two or more, never the thread's user.
        people: the only users who may approve; empty if everyone with the role may.
        expires_after, remind_after, escalate_after: seconds; None if no rule says.
        escalate_to: the role whose routes are notified then.
        asked_by: the requester, if not the thread's user; they may not approve either.
    """

    role: Approver = "customer"
    four_eyes: bool = False
    doubt: Approver = "customer"
    rules: tuple[str, ...] = ()
    approvals: int = 1
    people: tuple[str, ...] = ()
    expires_after: float | None = None
    remind_after: float | None = None
    escalate_after: float | None = None
    escalate_to: str | None = None
    asked_by: str = ""

    @property
    def is_of_others(self) -> bool:
        """Tell whether the thread's user may not approve."""
        return self.four_eyes or self.approvals > 1

    def raised(self, role: Approver, rule: str) -> Needs:
        """Return what is needed where a limit asks for this role, too.

        Where that is more than the people are whom a rule names, those who have it decide.
        """
        rules = tuple(dict.fromkeys([*self.rules, rule]))
        doubt = _strictest([self.doubt, role])
        people = () if _rank(role) > _rank(self.role) else self.people
        asked = _strictest([self.role, role])
        return replace(self, role=asked, doubt=doubt, rules=rules, people=people)

    def written(self) -> dict[str, Any]:
        """Write it for the ledger: what is as it is where no rule says anything is left out."""
        usual = asdict(Needs())
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in asdict(self).items()
            if value != usual[name]
        }

    def bars(self, person: Person, owner: str, given: Collection[str] = ()) -> str:
        """Say why this person may not approve, or nothing.

        Whoever stands in for others counts as each of them, too.

        Args:
            given: who has approved already.
        """
        if _rank(person.role) < _rank(self.role):
            is_ = f"{person} is {a_role(person.role)}"
            return f"This needs approval by {a_role(self.role)}, and {is_}."
        if self.people and person.names.isdisjoint(self.people):
            return f"Only {' or '.join(self.people)} may approve this, and you are {person}."
        askers = {owner, self.asked_by} & person.names if self.is_of_others else set[str]()
        if askers:
            in_for = f"stands in for {' and '.join(sorted(askers))}"
            asked = "asked for it" if person.user_id in askers else in_for
            return f"This needs approval by another user: {person} {asked}."
        if not person.names.isdisjoint(given):
            return f"This needs approval by {self.approvals} users, and {person} has approved."
        return ""

    def bars_word(self, person: Person) -> str:
        """Say why this person may not say what became of a step in doubt, or nothing."""
        if _rank(person.role) < _rank(self.doubt):
            is_ = f"{person} is {a_role(person.role)}"
            return f"This needs an answer from {a_role(self.doubt)}, and {is_}."
        return ""


def needs_of(written: Mapping[str, Any]) -> Needs:
    """Read what `Needs.written` wrote."""
    tuples = {name: tuple(written.get(name, ())) for name in ("rules", "people")}
    return Needs(**{**written, **tuples})


class Policy(BaseModel):
    """Approval rules in order; the first rule that matches a step decides.

    If none matches, the tool's own declaration decides: `approval="always"`, the default, needs the
    customer. For a plan, the strictest of its steps counts.

    Attributes:
        limits: totals over plans; each applies in addition to the rules.
        groups: approvers by group name, for `Rule.people`.
        budgets: of model tokens and cost.
        prices: of models, by their provider's name.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    rules: tuple[Rule, ...] = ()
    limits: tuple[SpendingLimit, ...] = ()
    groups: Mapping[User, tuple[User, ...]] = {}
    budgets: tuple[Budget, ...] = ()
    prices: Mapping[str, Price] = {}

    @model_validator(mode="after")
    def _limits_have_names_of_their_own(self) -> Policy:
        for what, named in (("limits", self.limits), ("budgets", self.budgets)):
            names = [one.name for one in named]
            if len(names) > len(set(names)):
                raise ValueError(f"two {what} have the same name")
        return self

    @model_validator(mode="after")
    def _costs_have_prices(self) -> Policy:
        priced = {price.currency for price in self.prices.values()}
        for one in self.budgets:
            if one.cost is not None and one.cost.currency not in priced:
                raise ValueError(
                    f"the budget {one.name!r} limits a cost in {one.cost.currency}, but no model "
                    'has a price in that currency: give [prices."MODEL"]'
                )
        return self

    @model_validator(mode="after")
    def _people_are_enough(self) -> Policy:
        for rule in self.rules:
            if rule.people and len(self._people(rule)) < rule.approvals:
                raise ValueError(
                    f"{rule.name} needs {rule.approvals} approvals, but names fewer approvers"
                )
        return self

    def _people(self, rule: Rule) -> set[str]:
        """Return who alone may approve by a rule.

        Raises:
            ValueError: there is no such group.
        """
        people: set[str] = set()
        for one in rule.people:
            group = one.removeprefix(_GROUP)
            if group == one:
                people.add(one)
            elif group in self.groups:
                people |= {*self.groups[group]}
            else:
                raise ValueError(f"{rule.name} names the group {one}, which does not exist")
        return people

    def judge(self, steps: Sequence[Facts]) -> Needs:
        """Say who must approve a plan of these steps as a whole.

        Raises:
            ToolRefused: no one could approve it: its rules name different approvers.
        """
        fitting = [next((rule for rule in self.rules if rule.fits(step)), None) for step in steps]
        of_rules = [rule for rule in fitting if rule]
        four_eyes = any(rule.four_eyes for rule in of_rules)
        count = max((rule.approvals for rule in of_rules), default=1)
        approvals = [
            rule.approval if rule else declared_as(step.declared)
            for rule, step in zip(fitting, steps, strict=True)
        ]
        doubts = [
            (rule.doubt if rule else None) or approval
            for rule, approval in zip(fitting, approvals, strict=True)
        ]
        escalating = [(one.escalate_after, one.escalate_to) for one in of_rules]
        escalate_after, escalate_to = min(
            ((after, to) for after, to in escalating if after is not None), default=(None, None)
        )
        timed = [*zip(fitting, steps, strict=True)]
        return Needs(
            role=_strictest(approvals),
            four_eyes=four_eyes,
            doubt=_strictest([*doubts, "customer"]),
            rules=tuple(dict.fromkeys(rule.name for rule in of_rules)),
            approvals=count,
            people=self._who_alone(
                of_rules, count, {step.user for step in steps if four_eyes or count > 1}
            ),
            expires_after=_first(
                (rule and rule.expires_after) or step.expires_after for rule, step in timed
            ),
            remind_after=_first(
                (rule and rule.remind_after) or step.remind_after for rule, step in timed
            ),
            escalate_after=escalate_after,
            escalate_to=escalate_to,
        )

    def _who_alone(
        self, rules: Sequence[Rule], count: int, askers: Collection[str]
    ) -> tuple[str, ...]:
        named = [rule for rule in rules if rule.people]
        people = set[str]().union(*(self._people(rule) for rule in named))
        for rule in named:
            people &= self._people(rule)
        if named and len(people) < count:
            names = " and ".join(dict.fromkeys(f'"{rule.name}"' for rule in named))
            raise ToolRefused(
                f"The rules {names} allow different approvers, and too few of them may approve "
                "all of this together. Nothing was done; request the parts separately."
            )
        if named and len(people - {*askers}) < count:
            raise ToolRefused(
                f"No one could approve this: it needs {count} of {', '.join(sorted(people))}, and "
                "the requester cannot approve. Nothing was done; another user must request it."
            )
        return tuple(sorted(people))

    def before(self, other: Policy) -> Policy:
        """Return these rules, and after them those of another policy.

        Of two groups or budgets with one name, or two prices of one model, the ones here count.
        """
        mine = {one.name for one in self.budgets}
        return Policy(
            rules=(*self.rules, *other.rules),
            limits=(*self.limits, *other.limits),
            groups={**other.groups, **self.groups},
            budgets=(*self.budgets, *(one for one in other.budgets if one.name not in mine)),
            prices={**other.prices, **self.prices},
        )


def declared_as(declared: Approval) -> Approver:
    """Return who must approve an effect by its tool's own word."""
    return _DECLARED.get(declared, "operator")


_DECLARED: dict[str, Approver] = {"always": "customer", "never": "nobody", "clerk": "clerk"}


def _first(seconds: Iterable[float | None]) -> float | None:
    return min((one for one in seconds if one is not None), default=None)


def roles_of(person: Person) -> list[str]:
    """Return for which roles a person may answer."""
    return [role for role in _RANKS if _rank(role) <= _rank(person.role)]


def a_role(role: str) -> str:
    """Name someone of a role."""
    return f"{'an' if role == 'operator' else 'a'} {role}"


def _rank(role: str) -> int:
    return _RANKS.index(role) if role in _RANKS else 0


def _strictest(approvers: Iterable[Approver]) -> Approver:
    return max(approvers, key=_RANKS.index, default="customer")
