"""Checks of what is installed."""

from __future__ import annotations

import re
import sys
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from daybook.graph.check import Check, Verdict
from daybook.graph.settings.environment import Settings
from daybook.graph.settings.limits import policy_of
from daybook.state.errors import ConfigurationError
from daybook.tools.domain import Domain

_PINNED = re.compile(r"^([\w.-]+)(?:\[[\w,.-]+\])?==([^\s;]+)$")
_INSTALL = "Run `make run` again, which installs what requirements.lock names."


def setup() -> list[Check]:
    """Check Python, the pinned packages and the server's command."""
    return [_python(), _packages(), _server()]


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


def _packages() -> Check:
    """Compare what is installed with what the project pins exactly; the extras are not needed."""
    try:
        required = requires("daybook") or ()
    except PackageNotFoundError:
        return Check(
            "packages",
            Verdict.NOT_YET,
            "Daybook is not installed as a package, as in an image: nothing here says which "
            "versions it needs",
            "requirements.lock names them.",
        )
    pinned = [found.groups() for line in required if (found := _PINNED.match(line))]
    others = [
        f"{name} {there} instead of {wanted}"
        for name, wanted in pinned
        if (there := _installed(name)) != wanted
    ]
    if others:
        return Check("packages", Verdict.WRONG, ", ".join(others), _INSTALL)
    return Check("packages", Verdict.OK, f"{len(pinned)} at their pinned versions")


def _installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "missing"


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
