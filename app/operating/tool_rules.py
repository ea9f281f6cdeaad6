"""Switch tools off and on, and limit how often they are called. Every process obeys at once."""

from __future__ import annotations

import getpass
import os
import re
from collections.abc import Mapping
from datetime import UTC, datetime

from daybook.app.domains import served_by
from daybook.app.output import tell
from daybook.graph.database import open_database
from daybook.graph.settings.environment import Settings
from daybook.state.clock import SYSTEM
from daybook.state.errors import DaybookError
from daybook.state.people.rules import Limit, Rules, ToolRule
from daybook.tools.registry import Registry

_MOST = 1_000_000


class Same:
    """Leave a limit as it is."""


async def show(settings: Settings) -> None:
    """Print every tool: its kinds, whether it is switched off, its limit."""
    registry = served_by(settings).domain.registry
    async with open_database(settings) as postgres:
        _print(kinds_of(registry), await postgres.rules.all())


async def change(
    settings: Settings, tool: str, *, is_off: bool | None, why: str, limit: Limit | Same | None
) -> None:
    """Change what is said of a tool, and print how it stands.

    Args:
        is_off: None leaves the switch as it is.
        why: for the people and the model whose calls are refused.
        limit: None is no limit.

    Raises:
        DaybookError: there is no such tool, or it is switched off without a reason.
    """
    kinds = kinds_of(served_by(settings).domain.registry)
    if tool not in kinds:
        raise DaybookError(
            f"There is no tool {tool}, and nothing was changed. The tools are: "
            f"{', '.join(sorted(kinds))}."
        )
    why = " ".join(why.split())
    if bool(why) != bool(is_off):
        raise DaybookError(
            f"Nothing was changed: --off and --why belong together, for the people whose calls are "
            f'refused: daybook tool {tool} --off --why "..."'
        )
    by = _who()
    async with open_database(settings) as postgres:
        if is_off is not None:
            await postgres.rules.switch(tool, is_off=is_off, why=why, by=by)
        if not isinstance(limit, Same):
            await postgres.rules.limit(tool, limit, by=by)
        _print({tool: kinds[tool]}, await postgres.rules.all())


def limit_of(text: str) -> Limit:
    """Read a limit that is written as calls per seconds: `10/60`.

    Raises:
        DaybookError: it is none.
    """
    found = re.fullmatch(r"(\d{1,7})/(\d{1,7})", text.strip())
    numbers = [int(number) for number in found.groups()] if found else []
    if not numbers or not all(1 <= number <= _MOST for number in numbers):
        raise DaybookError(
            f"{text!r} is no limit, and nothing was changed. Write calls per seconds: 10/60 is 10 "
            f"calls in 60 s; both from 1 to {_MOST}."
        )
    return Limit(*numbers)


def kinds_of(registry: Registry) -> dict[str, str]:
    """Return the kinds of every tool by name: a plan may have the name of its effect."""
    kinds: dict[str, str] = {name: registry.offered(name).kind for name in registry.names}
    for name, effect in registry.effects.items():
        offered = kinds.get(name, effect.kind)
        kinds[name] = offered if offered == effect.kind else f"{offered}, {effect.kind}"
    return kinds


def _who() -> str:
    """Name who is at the command line."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return f"uid {os.getuid()}"


def _print(kinds: Mapping[str, str], rules: Rules) -> None:
    now = SYSTEM.now()
    widest = max(map(len, kinds)), max(map(len, kinds.values()))
    for tool, kind in kinds.items():
        rule = rules.get(tool, ToolRule(tool))
        about = (_switch(rule), _limit(rule, now))
        line = "  ".join((tool.ljust(widest[0]), kind.ljust(widest[1]), *filter(None, about)))
        tell(line.rstrip())


def _switch(rule: ToolRule) -> str:
    if rule.switched_at is None:
        return "on"
    at = rule.switched_at.astimezone(UTC).isoformat(sep=" ", timespec="seconds")
    why = f": {rule.why}" if rule.why else ""
    return f"{'OFF' if rule.is_off else 'on'} since {at} by {rule.switched_by}{why}"


def _limit(rule: ToolRule, now: datetime) -> str:
    if rule.bucket is None:
        return ""
    left = rule.bucket.refilled(now).tokens
    return f"at most {rule.bucket.limit} ({left} left), by {rule.limited_by}"
