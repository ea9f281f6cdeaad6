"""Say what is set up, reachable and migrated, and what to do where not. Nothing is changed."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.text import Text

from daybook.app.conversations.terminal import Terminal
from daybook.app.doctor.database import database
from daybook.app.doctor.model import model
from daybook.app.domains import NotServed, served_by
from daybook.app.output import tell_json
from daybook.graph.check import Check, Verdict
from daybook.graph.serve import Served
from daybook.graph.settings.environment import VARIABLES, Settings, Variable, settings_from
from daybook.graph.settings.limits import policy_of
from daybook.graph.settings.urls import URL_FAULTS, shown
from daybook.state.errors import ConfigurationError
from daybook.tools.domain import Domain


@dataclass(frozen=True)
class Setting:
    """One variable with its present value, as it may be shown."""

    name: str
    now: str
    default: str
    meaning: str


Show = Callable[[Sequence[Check], Sequence[Setting]], None]


async def doctor(environment: Mapping[str, str], show: Show) -> bool:
    """Check everything and show it; tell whether all that is set up works."""
    found, served = await _of_settings(environment)
    checks = [*_setup(), *found]
    variables = (*VARIABLES, *(served.variables if served is not None else ()))
    show(checks, [_setting(variable, environment) for variable in variables])
    return all(check.verdict is not Verdict.WRONG for check in checks)


async def _of_settings(environment: Mapping[str, str]) -> tuple[list[Check], Served | None]:
    """Check the settings, and what they name; nothing is looked for at a place that is wrong.

    Returns:
        The checks, and the domain that is served, where that is known.
    """
    try:
        settings = settings_from(environment)
    except ConfigurationError as error:
        advice = "Then run `daybook doctor` again."
        return [Check("settings", Verdict.WRONG, str(error), advice)], None
    fine = Check("settings", Verdict.OK, "they can be read, and belong together")
    try:
        served = served_by(settings)
    except NotServed:
        own = Check("domain", Verdict.OK, "none: the graph that is named has a ledger of its own")
        return [fine, own, *await database(settings)], None
    except ConfigurationError as error:
        return [fine, Check("domain", Verdict.WRONG, str(error)), *await database(settings)], None
    domain = served.domain
    known = Check("domain", Verdict.OK, f"{domain.name}, with {len(domain.registry.names)} tools")
    found = await asyncio.gather(database(settings), model(settings, domain), _of(served, settings))
    checks = [check for several in found for check in several]
    return [fine, known, _policy(settings, domain), *checks], served


async def _of(served: Served, settings: Settings) -> list[Check]:
    """Check what the domain names beside: the services that it runs on."""
    return [*await served.checks(settings)] if served.checks is not None else []


def _setup() -> list[Check]:
    """Check Python and the server's command."""
    checks = [Check("Python", Verdict.OK, f"{sys.version.split()[0]} at {sys.executable}")]
    command = Path(sys.executable).with_name("langgraph")
    if command.exists():
        return [*checks, Check("server", Verdict.OK, f"{command} is there for `make serve`")]
    found, advice = (
        "no `langgraph` command; the chat does not need it",
        "`make serve` installs it.",
    )
    return [*checks, Check("server", Verdict.NOT_YET, found, advice)]


def _policy(settings: Settings, domain: Domain) -> Check:
    """Check the rules of who must approve what."""
    try:
        own = policy_of(settings.policy, domain)
    except ConfigurationError as error:
        return Check("policy", Verdict.WRONG, str(error), "`daybook policy` prints the rules.")
    rules = f"{len(own.rules)} of this deployment" if settings.policy else "none of this deployment"
    return Check(
        "policy", Verdict.OK, f"rules: {rules}, then {len(domain.policy.rules)} of the domain"
    )


def _setting(variable: Variable, environment: Mapping[str, str]) -> Setting:
    value = environment.get(variable.name, "")
    if value and variable.name in URL_FAULTS:
        now = shown(variable.name, value)
    elif variable.is_secret:
        now = "set" if value else ""
    else:
        now = value
    return Setting(variable.name, now or "not set", variable.default, variable.meaning)


def print_json(checks: Sequence[Check], settings: Sequence[Setting]) -> None:
    """Print checks and settings as one JSON object."""
    found = {"checks": [*map(asdict, checks)], "settings": [*map(asdict, settings)]}
    tell_json(json.dumps(found, ensure_ascii=False, indent=2))


_STYLES = {Verdict.OK: "green", Verdict.NOT_YET: "yellow", Verdict.WRONG: "bold red"}


def print_tables(checks: Sequence[Check], settings: Sequence[Setting]) -> None:
    """Print checks and settings as two tables."""
    terminal, rows = Terminal(), []
    for check in checks:
        found = Text(check.found)
        if check.advice:
            found.append(f"\n{check.advice}", style="bold")
        rows.append((Text(check.verdict.value, style=_STYLES[check.verdict]), check.name, found))
    terminal.rows(("State", "What", "Found"), rows)
    terminal.rows(
        ("Variable", "Now", "Default", "Meaning"),
        [(one.name, one.now, one.default, one.meaning.replace("`", "")) for one in settings],
    )
