"""The policy and the limits of a domain's resources, from the settings.

| limit | variable | when it is met |
|---|---|---|
| tokens of one answer of the model | DAYBOOK_MAX_TOKENS | what was streamed stands, and says so |
| time of one answer of the model | DAYBOOK_ANSWER_SECONDS | the run ends and says so |
| decisions of the model in a turn | DAYBOOK_DECISIONS | the turn ends; the answer names the limit |
| time of one attempt | DAYBOOK_BUDGET_SECONDS | nothing is sent after it; the answer is unknown |
| attempts of a step | DAYBOOK_ATTEMPTS | it fails, or is in doubt |
| waiting within a run | DAYBOOK_NODE_SECONDS | the plan is left to a worker; the answer says so |
| runs at work | DAYBOOK_RUNS, DAYBOOK_RUNS_EACH | the run waits its turn |
| tokens, cost of models | `[[budgets]]` of DAYBOOK_POLICY | the turn ends and names the budget |
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, ValidationError

from daybook.graph.settings.environment import Settings
from daybook.state.effects.guarantees import Patience
from daybook.state.errors import ConfigurationError
from daybook.state.misfits import faults_of
from daybook.state.people.budget import standing_of
from daybook.state.people.policy import Policy
from daybook.state.turns import Turns
from daybook.tools.checks.domain import check_policy

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig

    from daybook.tools.domain import Domain

M = TypeVar("M", bound=BaseModel)

NOT_RULES = ("notify", "notifications")
"""Tables of the file that say who is notified, and not who approves (docs/approvals.md)."""

_PHASES = 10
"""Super-steps that one decision may take with all that follows it; more than there are nodes."""


def limits_of(settings: Settings, domain: Domain) -> dict[str, Any]:
    """Return the limits and the approval policy for a domain's resources from the settings.

    Pass them on as they are: `Resources(postgres=postgres, model=model, services=office,
    **limits_of(settings, ROOMS))`.

    Raises:
        ConfigurationError, DeclarationError: the rules of DAYBOOK_POLICY cannot be used.
    """
    policy = policy_of(settings.policy, domain)
    if settings.has_provider:
        _check_price(policy.before(domain.policy), settings.model)
    return {
        "policy": policy,
        "patience": Patience(
            budget=settings.budget,
            attempts=settings.attempts,
            question=settings.question,
            approval=settings.approval,
        ),
        "decisions": settings.decisions,
        "node_seconds": settings.node_seconds,
        "budget": settings.prompt_tokens,
        "turns": Turns(settings.runs, settings.runs_each),
    }


def with_steps_for(config: RunnableConfig, decisions: int) -> RunnableConfig:
    """Let a run take as many super-steps as its decisions may need.

    LangGraph ends a run by its own limit with an error in the middle of a turn. A client that names
    none, or a small one, knows nothing of the phases of a turn.
    """
    needed = _PHASES * (decisions + 2)
    return {**config, "recursion_limit": max(config.get("recursion_limit") or 0, needed)}


def policy_of(path: Path | None, domain: Domain) -> Policy:
    """Read the rules of a deployment; none if there is no file.

    The file holds `[[rules]]` tables with the fields of `daybook.state.people.policy.Rule`, money
    as `{amount = 5000, currency = "USD"}` in cents.

    Raises:
        ConfigurationError: the file is not there, is no TOML, or holds something else.
        DeclarationError: a rule names a tool or a flow position that the domain does not have.
    """
    policy = policy_in(path)
    check_policy(policy, domain.registry, domain.flow)
    return policy


def policy_in(path: Path | None) -> Policy:
    """Read those rules, for whatever domain."""
    if path is None:
        return Policy()
    given = {name: value for name, value in document(path).items() if name not in NOT_RULES}
    return read_as(Policy, given, path)


def _check_price(policy: Policy, model: str) -> None:
    """Refuse a model of which no budget of cost could tell what it takes."""
    for one in policy.budgets:
        if unpriced := standing_of(one, policy.prices, (), model).unpriced:
            raise ConfigurationError(
                f"The budget {one.name!r} limits a cost, and {unpriced[0]} (OPENAI_MODEL) has no "
                "price in its currency, so every turn would stop. Nothing was started; add "
                f'[prices."{unpriced[0]}"] in the file that DAYBOOK_POLICY names.'
            )


def document(path: Path) -> dict[str, Any]:
    """Read the file that DAYBOOK_POLICY names.

    Raises:
        ConfigurationError: it is not there, or no TOML.
    """
    try:
        return tomllib.loads(path.read_text())
    except OSError as error:
        raise ConfigurationError(
            f"DAYBOOK_POLICY names {path}, which cannot be read: {error.strerror}. Nothing was "
            "started."
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigurationError(
            f"DAYBOOK_POLICY names {path}, which is not valid TOML: {error}. Nothing was started."
        ) from error


def read_as(model: type[M], given: dict[str, Any], path: Path) -> M:
    """Read tables of that file as a model.

    Raises:
        ConfigurationError: they do not fit.
    """
    try:
        return model.model_validate(given)
    except ValidationError as error:
        raise ConfigurationError(
            f"DAYBOOK_POLICY names {path}, which is invalid: {faults_of(error, 'the file')}. "
            "Nothing was started; `daybook policy` shows rules."
        ) from error
