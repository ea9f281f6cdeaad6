"""See, at a sandbox, which of the declared guarantees of an effect hold: `daybook probe-check`."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from daybook.app.conversations.terminal import Terminal
from daybook.app.operating.tool_rules import kinds_of
from daybook.app.probing.rehearsing import Rehearsing
from daybook.app.served import served_by
from daybook.app.telling import tell, tell_aside, tell_json
from daybook.graph.serve import Opened
from daybook.graph.settings.environment import Settings
from daybook.nodes.running.identity import session_of
from daybook.nodes.running.work import Work
from daybook.state.errors import (
    DaybookError,
    InputRefused,
    ServiceUnavailable,
    ToolFailed,
    ToolRefused,
)
from daybook.tools.boundary import UNABLE
from daybook.tools.calling import fitting
from daybook.tools.kinds import EffectTool
from daybook.tools.probed.finding import Finding, Rehearsed, Verdict
from daybook.tools.probed.findings import findings
from daybook.tools.registry import Registry
from daybook.tools.services.contract import Compared
from daybook.tools.services.http import HttpService


async def probe_check(
    settings: Settings,
    terminal: Terminal,
    tool: str,
    given: Mapping[str, str | None],
    *,
    user: str | None,
    is_sure: bool,
    as_json: bool,
) -> bool:
    """Do an effect at the other side in all the ways that matter, and print what was seen to hold.

    Nothing is written into any ledger. What was done is undone at the end, as far as it can be.

    Args:
        given: "args", and where they are given "other" and "declined", as JSON.
        user: for whom; None for who the domain says.
        is_sure: do it without asking.

    Returns:
        Whether nothing that is declared was seen not to hold.

    Raises:
        InputRefused: there is no such effect, the arguments do not fit it, nobody agreed, or the
            effect could not be done, so that nothing was seen.
        DaybookError: something cannot be started or reached.
    """
    served = served_by(settings)
    effect = _effect(served.domain.registry, tool)
    args = {name: _arguments(effect, name, text) for name, text in given.items() if text}
    async with served.open() as opened:
        rehearsing = _rehearsing(opened, effect, args, user)
        where = _where(opened)
        _ask(terminal, rehearsing, where, is_sure=is_sure, as_json=as_json)
        seen = await _rehearsed(rehearsing)
        found = findings(rehearsing.declared, seen)
    if as_json:
        tell_json(_as_json(rehearsing, where, found))
    else:
        for line in lines(found):
            tell(line)
        tell(_left(rehearsing))
    if not seen.is_done:
        raise InputRefused(f"{tool} was not done, so nothing was seen: {found[0].seen}.")
    return all(one.verdict is not Verdict.NOT_HELD for one in found)


async def _rehearsed(rehearsing: Rehearsing) -> Rehearsed:
    """Rehearse; where that breaks off, say what is left."""
    try:
        return await rehearsing.run()
    except UNABLE as error:
        raise DaybookError(f"The check broke off: {error} {_left(rehearsing)}") from error
    except asyncio.CancelledError:
        raise DaybookError(f"Interrupted. {_left(rehearsing)}") from None


def _effect(registry: Registry, tool: str) -> EffectTool:
    """Find an effect.

    Raises:
        InputRefused: there is none of that name.
    """
    effects = registry.effects
    if tool in effects:
        return effects[tool]
    kinds = kinds_of(registry)
    what = f"{tool} is a {kinds[tool]}, and no effect" if tool in kinds else f"There is no {tool}"
    raise InputRefused(
        f"{what}. Nothing was done; the effects are: {', '.join(sorted(effects)) or 'none'}."
    )


def _arguments(effect: EffectTool, name: str, text: str) -> dict[str, Any]:
    """Read arguments that are written as JSON.

    Raises:
        InputRefused: they are none, or do not fit the tool.
    """
    what = {"args": "the arguments", "other": "--other", "declined": "--declined"}[name]
    try:
        read = json.loads(text)
    except ValueError as error:
        raise InputRefused(f"Nothing was done: {what} cannot be read as JSON ({error}).") from error
    if not isinstance(read, dict):
        raise InputRefused(f"Nothing was done: {what} must be a JSON object, by argument.")
    try:
        return fitting(effect.name, effect.args, read)
    except (ToolRefused, ServiceUnavailable, ToolFailed) as error:
        raise InputRefused(f"Nothing was done: {what} do not fit {effect.name}. {error}") from error


def _rehearsing(
    opened: Opened, effect: EffectTool, args: Mapping[str, Any], user: str | None
) -> Rehearsing:
    resources = opened.resources
    who = {"thread_id": "probe-check", **({"user_id": user} if user else {})}
    session = session_of({"configurable": who}, resources.postgres.tenant_id, resources.user)
    compared = {client.contract.compares for client in _clients(resources.services)}
    compares: Compared = compared.pop() if len(compared) == 1 else "unsaid"
    return Rehearsing(
        Work(opened.domain, resources, session),
        effect,
        args["args"],
        other=args.get("other"),
        declined=args.get("declined"),
        compares=compares,
    )


def _where(opened: Opened) -> str:
    urls = sorted({client.base_url for client in _clients(opened.resources.services)})
    return " and ".join(urls) or f"whatever the services of {opened.domain.name} reach"


def _clients(services: Any, depth: int = 3) -> Iterator[HttpService]:
    """Find the clients among what a domain's tools are given."""
    if isinstance(services, HttpService):
        yield services
    elif depth:
        inner: Sequence[Any] = ()
        if isinstance(services, Mapping):
            inner = list(services.values())
        elif isinstance(services, list | tuple):
            inner = services
        elif hasattr(services, "__dict__"):
            inner = list(vars(services).values())
        for one in inner:
            yield from _clients(one, depth - 1)


def _ask(
    terminal: Terminal, rehearsing: Rehearsing, where: str, *, is_sure: bool, as_json: bool
) -> None:
    """Say what is going to be done where, and let a person agree.

    Raises:
        InputRefused: they do not, or nobody is there to ask.
    """
    effect, work = rehearsing.effect, rehearsing.work
    undo = f"undone by {effect.undo.tool}" if effect.undo else "which nothing undoes"
    told = (
        f"{effect.name} will really be done at {where}, for {work.session.user_id}: several "
        f"times, {undo}. It takes up to {2 * rehearsing.waits + 10:.0f} s. Do this at a sandbox."
    )
    if as_json:
        tell_aside(told)
    else:
        tell(told)
    if is_sure:
        return
    if not terminal.interactive:
        raise InputRefused("Nothing was done: there is no terminal to ask at; say --yes.")
    if terminal.read("do it? (y/n) ") not in ("y", "yes"):
        raise InputRefused("Nothing was done.")


def lines(found: Sequence[Finding]) -> Iterator[str]:
    """Write what was found, and below it what to mend."""
    widest = max(len(one.what) for one in found)
    for one in found:
        said = f"declared: {one.declared}; seen: {one.seen}."
        yield f"{one.verdict.value:<12}  {one.what:<{widest}}  {said}"
        if one.mend:
            yield f"{'':<12}  {one.mend}"


def _left(rehearsing: Rehearsing) -> str:
    if not rehearsing.standing:
        return "Of what was seen to be done, nothing is left standing at the other side."
    return f"Left standing at the other side: {'; '.join(rehearsing.standing)}. Look there."


def _as_json(rehearsing: Rehearsing, where: str, found: Sequence[Finding]) -> str:
    told = {
        "tool": rehearsing.effect.name,
        "at": where,
        "user": rehearsing.work.session.user_id,
        "findings": [asdict(one) for one in found],
        "standing": rehearsing.standing,
    }
    return json.dumps(told, indent=2)
