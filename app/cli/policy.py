"""Commands that print the approval rules and test plans against them. They open no database."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

import typer
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from daybook.app.cli.options import Commands
from daybook.app.conversations.terminal import Terminal
from daybook.app.domain_names import domain_of
from daybook.graph.settings.environment import settings_from
from daybook.graph.settings.limits import policy_of
from daybook.state.errors import DaybookError
from daybook.state.misfits import faults_of
from daybook.state.people.policy import Needs, Policy, Rule, User, declared_as
from daybook.state.people.spending import SpendingLimit
from daybook.tools.draft import facts_of
from daybook.tools.kinds import EffectTool

commands = Commands()

policies = Commands(invoke_without_command=True)
commands.add_typer(policies, name="policy")


@policies.callback()
def policy(context: typer.Context) -> None:
    """Print the approval rules in the order in which they are tried."""
    if context.invoked_subcommand is not None:
        return
    settings = settings_from()
    domain = domain_of(settings)
    own = policy_of(settings.policy, domain)
    rows = [*_rows(str(settings.policy), own), *_rows("the domain", domain.policy)]
    rows += [_declared(effect) for effect in domain.registry.effects.values()]
    rows += [_spending(one) for one in (*own.limits, *domain.policy.limits)]
    rows += [
        (f"{one.name} (budget)", f"models beyond {one}", "no one may", "")
        for one in own.before(domain.policy).budgets
    ]
    Terminal().rows(("rule", "fits", "approves", "resolves a doubt"), rows)


class _Call(BaseModel):
    model_config = ConfigDict(extra="forbid")

    tool: str
    args: dict[str, Any] = {}


class _TriedPlan(BaseModel):
    """A plan to be judged: effects with their arguments, in whose thread, at which position."""

    model_config = ConfigDict(extra="forbid")

    calls: list[_Call] = Field(min_length=1)
    user: User = "somebody"
    at: str | None = None


@policies.command("test")
def policy_test(
    file: Annotated[
        typer.FileText,
        typer.Argument(
            help='A plan per line, JSON: {"user": "ada", "calls": [{"tool": ..., "args": {...}}]}.'
        ),
    ],
) -> None:
    """Show for the plans in FILE who must approve them, by which rule and limits."""
    settings = settings_from()
    domain = domain_of(settings)
    policy = policy_of(settings.policy, domain).before(domain.policy)
    rows = []
    for number, line in enumerate(file, 1):
        try:
            tried = _TriedPlan.model_validate_json(line)
        except ValidationError as error:
            raise DaybookError(
                f"Line {number} is not a plan: {faults_of(error, 'the line')}. Nothing was "
                'tested; write {"user": "ada", "calls": [{"tool": "refund_payment", "args": '
                "{...}}]}."
            ) from error
        known = domain.registry.effects
        if unknown := [one.tool for one in tried.calls if one.tool not in known]:
            raise DaybookError(
                f"Line {number} calls {unknown[0]}, which is not an effect here. Nothing was "
                f"tested; the effects are {', '.join(sorted(known))}."
            )
        steps = [(known[one.tool], one.args) for one in tried.calls]
        needs = policy.judge(
            facts_of([(effect, effect.moves(args)) for effect, args in steps], tried.user, tried.at)
        )
        rows.append(
            (
                "; ".join(_called(effect, args) for effect, args in steps),
                _approvers(needs),
                ", ".join(needs.rules) or "as declared",
                ", ".join(
                    limit.name
                    for limit in policy.limits
                    if any(effect.name in limit.tools for effect, _ in steps)
                ),
            )
        )
    Terminal().rows(("plan", "approves", "by", "counted by"), rows)


def _called(effect: EffectTool, args: Mapping[str, Any]) -> str:
    money = effect.moves(args)
    return f"{effect.name} ({money})" if money is not None else effect.name


def _approvers(asked: Rule | Needs) -> str:
    """Say who must approve, and what is done where nobody does."""
    role = asked.approval if isinstance(asked, Rule) else asked.role
    people = f"{asked.approvals} of {role}" if asked.approvals > 1 else role
    said = [people, *([f"of {', '.join(asked.people)}"] if asked.people else [])]
    said += ["not the requester"] if asked.four_eyes or asked.approvals > 1 else []
    for what, seconds in (("reminded", asked.remind_after), ("over", asked.expires_after)):
        said += [f"{what} after {seconds:g} s"] if seconds is not None else []
    said += (
        [f"{asked.escalate_to} after {asked.escalate_after:g} s"] if asked.escalate_after else []
    )
    return ", ".join(said)


def _rows(source: str, policy: Policy) -> Iterator[Sequence[str]]:
    for rule in policy.rules:
        yield (
            f"{rule.name} ({source})",
            _fits(rule),
            _approvers(rule),
            rule.doubt or ("customer" if rule.approval == "nobody" else rule.approval),
        )


def _fits(rule: Rule) -> str:
    named = (
        ("", ", ".join(rule.tools)),
        ("every ", rule.kind or ""),
        ("at ", ", ".join(rule.at)),
        ("for ", ", ".join(rule.users)),
        ("above ", str(rule.above or "")),
        ("up to ", str(rule.up_to or "")),
    )
    return " ".join(f"{word}{value}" for word, value in named if value) or "everything"


def _spending(limit: SpendingLimit) -> Sequence[str]:
    most = [str(limit.money)] if limit.money else []
    most += [f"{limit.calls} calls"] if limit.calls else []
    fits = f"{', '.join(limit.tools)} beyond {' or '.join(most)} per {limit.per} in {limit.days} d"
    over = "no one may" if limit.over == "refuse" else limit.over
    return f"{limit.name} (limit)", fits, over, "" if limit.over == "refuse" else limit.over


def _declared(effect: EffectTool) -> Sequence[str]:
    approver = declared_as(effect.approval)
    doubt = "customer" if approver == "nobody" else approver
    return ("as declared", f"{effect.name}, where no rule fits", approver, doubt)
