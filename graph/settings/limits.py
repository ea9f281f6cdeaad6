"""The limits that end or hold up a turn, as the settings say them, for every domain.

| limit | variable | when it is met |
|---|---|---|
| tokens of one answer of the model | DAYBOOK_MAX_TOKENS | what was streamed stands, and says so |
| time of one answer of the model | DAYBOOK_ANSWER_SECONDS | what was streamed stands, and says so |
| decisions of the model in a turn | DAYBOOK_DECISIONS | the turn ends; the answer names the limit |
| time of one attempt | DAYBOOK_BUDGET_SECONDS | nothing is sent after it; the answer is unknown |
| attempts of a step | DAYBOOK_ATTEMPTS | it fails, or is in doubt |
| waiting within a run | DAYBOOK_NODE_SECONDS | the plan is left to a worker; the answer says so |
| runs at work | DAYBOOK_RUNS, DAYBOOK_RUNS_EACH | the run waits its turn |
"""

from __future__ import annotations

from typing import Any

from langchain_core.runnables import RunnableConfig

from daybook.graph.settings.environment import Settings
from daybook.graph.settings.policies import policy_of
from daybook.state.effects.guarantees import Patience
from daybook.state.turns import Turns
from daybook.tools.domain import Domain

_PHASES = 10
"""Super-steps that one decision may take with all that follows it; more than there are nodes."""


def limits_of(settings: Settings, domain: Domain) -> dict[str, Any]:
    """Return what the settings say of a domain's resources: limits, and who must approve what.

    They are given on as they are: `Resources(postgres=postgres, model=model, services=office,
    **limits_of(settings, ROOMS))`.

    Raises:
        ConfigurationError, DeclarationError: the rules of DAYBOOK_POLICY cannot be used.
    """
    return {
        "policy": policy_of(settings.policy, domain),
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
