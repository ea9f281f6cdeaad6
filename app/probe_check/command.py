"""`daybook probe-check`: ask, run an effect at a sandbox, print which guarantees held."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from daybook.app.conversations.terminal import Terminal
from daybook.app.domains import served_by
from daybook.app.output import tell, tell_aside, tell_json
from daybook.app.probe_check.findings import Verdict, findings
from daybook.app.probe_check.rehearsal import Rehearsal
from daybook.graph.settings.environment import Settings
from daybook.nodes.running.identity import session_of
from daybook.nodes.running.work import Work
from daybook.state.errors import DaybookError, InputRefused
from daybook.tools.boundary import UNABLE
from daybook.tools.calling import fitting
from daybook.tools.kinds import EffectTool
from daybook.tools.registry import Registry
from daybook.tools.services.http import HttpService


async def probe_check(
    settings: Settings,
    tool: str,
    arguments: str,
    *,
    user: str | None,
    is_sure: bool,
    as_json: bool,
) -> bool:
    """Run an effect at the configured service and print its findings; no ledger is used.

    Returns:
        Whether no declared guarantee was seen not to hold.

    Raises:
        InputRefused: no such effect, wrong arguments, nobody agreed, or the effect was not done.
        DaybookError: something cannot be started or reached.
    """
    served, terminal = served_by(settings), Terminal()
    effect = _effect(served.domain.registry, tool)
    args = _arguments(effect, arguments)
    async with served.open() as opened:
        resources = opened.resources
        who = {"thread_id": "probe-check", **({"user_id": user} if user else {})}
        session = session_of({"configurable": who}, resources.postgres.tenant_id, resources.user)
        rehearsal = Rehearsal(Work(opened.domain, resources, session), effect, args)
        where = " and ".join(sorted({client.base_url for client in _clients(resources.services)}))
        where = where or f"the services of {opened.domain.name}"
        undo = f"undone by {effect.undo.tool}" if effect.undo else "which nothing undoes"
        (tell_aside if as_json else tell)(
            f"{tool} will really be done at {where}, for {session.user_id}: several times, {undo}."
            f" It mostly takes at most {2 * rehearsal.max_lag(effect) + 10:.0f} s. Use a sandbox."
        )
        if not is_sure and not terminal.interactive:
            raise InputRefused("Nothing was done: there is no terminal to ask at; say --yes.")
        if not is_sure and terminal.read("do it? (y/n) ") not in ("y", "yes"):
            raise InputRefused("Nothing was done.")
        try:
            trials = await rehearsal.run()
        except (*UNABLE, asyncio.CancelledError) as error:
            raise DaybookError(f"Interrupted. {error} {_left(rehearsal)}".strip()) from error
    found = findings(trials)
    if as_json:
        facts = {"tool": tool, "at": where, "user": session.user_id, "left": rehearsal.left}
        tell_json(json.dumps({**facts, "findings": [asdict(one) for one in found]}, indent=2))
    else:
        for one in found:
            told = f"{one.verdict.value:<12}  {one.what:<15}"
            tell(f"{told}  declared: {one.declared}; seen: {one.seen}.")
        tell(_left(rehearsal))
    is_broken = any(one.verdict is Verdict.NOT_HELD for one in found)
    if not trials.first.may_be_done and not is_broken:
        raise InputRefused(f"{tool} was not done, so nothing was seen: {found[1].seen}.")
    return not is_broken


def _left(rehearsal: Rehearsal) -> str:
    return f"Left at the service: {'; '.join(rehearsal.left) or 'nothing that was seen'}."


def _effect(registry: Registry, tool: str) -> EffectTool:
    effects = registry.effects
    if tool in effects:
        return effects[tool]
    is_offered = tool in registry.names
    kind = registry.offered(tool).kind if is_offered else ""
    what = f"{tool} is a {kind}, and no effect" if is_offered else f"There is no {tool}"
    names = ", ".join(sorted(effects)) or "none"
    raise InputRefused(f"{what}. Nothing was done; the effects are: {names}.")


def _arguments(effect: EffectTool, text: str) -> dict[str, Any]:
    try:
        return fitting(effect.name, effect.args, dict(json.loads(text)))
    except (ValueError, TypeError) as error:
        raise InputRefused(
            f"Nothing was done: the arguments must be a JSON object, by argument ({error})."
        ) from error
    except UNABLE as error:
        raise InputRefused(
            f"Nothing was done: the arguments do not fit {effect.name}. {error}"
        ) from error


def _clients(services: Any, depth: int = 3) -> Iterator[HttpService]:
    """Find the HTTP clients among what a domain gives to its tools."""
    if isinstance(services, HttpService):
        yield services
    elif depth:
        inner = services if isinstance(services, Mapping) else getattr(services, "__dict__", {})
        for one in services if isinstance(services, list | tuple) else inner.values():
            yield from _clients(one, depth - 1)
