"""Say what is set up, reachable and migrated, and what to do where not. Nothing is changed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass

from rich import box
from rich.table import Table
from rich.text import Text

from app.doctor.check import Check, Verdict
from app.doctor.database import database
from app.doctor.services import model, shop
from app.doctor.setup import policy, setup
from app.terminal import Terminal
from graph.settings import VARIABLES, Variable, settings_from
from graph.urls import URL_FAULTS, shown
from state.errors import ConfigurationError


@dataclass(frozen=True)
class Setting:
    """Hold one variable with its present value, as it may be shown."""

    name: str
    now: str
    default: str
    meaning: str


Show = Callable[[Sequence[Check], Sequence[Setting]], None]


async def doctor(environment: Mapping[str, str], show: Show) -> bool:
    """Check everything and show it; tell whether all that is set up works."""
    checks = [*setup(), *await _of_settings(environment)]
    show(checks, [_setting(variable, environment) for variable in VARIABLES])
    return all(check.verdict is not Verdict.WRONG for check in checks)


async def _of_settings(environment: Mapping[str, str]) -> list[Check]:
    """Check the settings, and what they name; nothing is looked for at a place that is wrong."""
    try:
        settings = settings_from(environment)
    except ConfigurationError as error:
        return [Check("settings", Verdict.WRONG, str(error), "Then run `daybook doctor` again.")]
    found = await asyncio.gather(database(settings), shop(settings), model(settings))
    fine = Check("settings", Verdict.OK, "they can be read, and belong together")
    return [fine, policy(settings), *(check for checks in found for check in checks)]


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
    print(json.dumps(found, ensure_ascii=False, indent=2))


class Tables:
    """Show checks and settings as two tables."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal

    def __call__(self, checks: Sequence[Check], settings: Sequence[Setting]) -> None:
        """Show them."""
        self._terminal.table(_checks_table(checks))
        self._terminal.table(_settings_table(settings))


_STYLES = {Verdict.OK: "green", Verdict.NOT_YET: "yellow", Verdict.WRONG: "bold red"}


def _checks_table(checks: Sequence[Check]) -> Table:
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for check in checks:
        found = Text(check.found)
        if check.advice:
            found.append(f"\n{check.advice}", style="bold")
        verdict = Text(check.verdict.value, style=_STYLES[check.verdict])
        table.add_row(verdict, Text(check.name), found)
    return table


def _settings_table(settings: Sequence[Setting]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("Variable", "Now", "Default", "Meaning"):
        table.add_column(heading, overflow="fold", no_wrap=heading == "Variable")
    for setting in settings:
        meaning = setting.meaning.replace("`", "")
        cells = (setting.name, setting.now, setting.default, meaning)
        table.add_row(*map(Text, cells))
    return table
