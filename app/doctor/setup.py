"""Checks of what is installed."""

from __future__ import annotations

import sys
from pathlib import Path

from daybook.graph.check import Check, Verdict
from daybook.graph.settings.environment import Settings
from daybook.graph.settings.policies import policy_of
from daybook.state.errors import ConfigurationError
from daybook.tools.domain import Domain


def setup() -> list[Check]:
    """Check Python and the server's command."""
    return [_python(), _server()]


def policy(settings: Settings, domain: Domain) -> Check:
    """Check the rules of who must approve what."""
    try:
        own = policy_of(settings.policy, domain)
    except ConfigurationError as error:
        return Check("policy", Verdict.WRONG, str(error), "`daybook policy` prints the rules.")
    rules = f"{len(own.rules)} of this deployment" if settings.policy else "none of this deployment"
    return Check(
        "policy", Verdict.OK, f"rules: {rules}, then {len(domain.policy.rules)} of the domain"
    )


def _python() -> Check:
    return Check("Python", Verdict.OK, f"{sys.version.split()[0]} at {sys.executable}")


def _server() -> Check:
    command = Path(sys.executable).with_name("langgraph")
    if command.exists():
        return Check("server", Verdict.OK, f"{command} is there for `make serve`")
    return Check(
        "server",
        Verdict.NOT_YET,
        "no `langgraph` command; the chat does not need it",
        "`make serve` installs it.",
    )
