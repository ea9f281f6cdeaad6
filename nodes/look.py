"""Run the reads of a decision in parallel, each from the cache if it is still valid."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

from langgraph.types import Command

from daybook.checkpoints.runs.reads import Read
from daybook.nodes.effects.draft import refuse_if_off
from daybook.nodes.past.learn import Learning
from daybook.nodes.planning.phases import (
    after_stage,
    barred,
    call_name,
    calls_of,
    next_phase,
    place_of,
)
from daybook.nodes.planning.refusals import admit, refusal
from daybook.nodes.running.contexts import reading, text_of
from daybook.nodes.running.tracing import span
from daybook.nodes.running.work import Work
from daybook.state.agent import Decision
from daybook.state.calls import ReadCall
from daybook.state.effects.exact import is_deeper
from daybook.state.effects.keys import digest
from daybook.state.errors import ToolRefused
from daybook.state.people.rules import Rules
from daybook.state.trace_ids import SpanKind
from daybook.tools.boundary import UNABLE, heard
from daybook.tools.calling import fitting, tags_of
from daybook.tools.kinds import ReadTool
from daybook.tools.signature import comparable

State = Mapping[str, Any]
Exit = Literal["change", "intend", "decide"]

_LEVELS = 100
"""Lists and objects that may stand within each other in what a read gives."""


async def look(state: State, work: Work) -> Command[Exit]:
    """Run the next reads of a decision, and answer the calls that cannot be run.

    Results go to Postgres by handle; state keeps which handle answered which call. A node that runs
    again finds what it has read already.
    """
    decision: Decision = state["decision"]
    turn_id: str = state["turn"]["turn_id"]
    calls = list(calls_of(work.domain, decision, "look"))
    names = [call_name(place_of(decision), position) for position, _, _ in calls]
    learning = Learning(state["flow"], state, work)
    wanted = [
        _refused(name, decision["calls"][position]["name"], args, reason)
        if (reason := barred(work.domain, decision, position, state["flow"])) or tool is None
        else _wanted(name, tool, args, turn_id, learning)
        for name, (position, tool, args) in zip(names, calls, strict=True)
    ]
    reads, live, last, rules = await work.reads.cached_reads(
        work.session.thread_id, turn_id, names, [read.args_hash for read in wanted]
    )
    answered = {read.call for read in reads}
    if missing := [read for read in wanted if read.call not in answered]:
        # One after the other: the last token of a limited read goes to the call that came first.
        admitted = [await _admitted(read, live, rules, work) for read in missing]
        found = await asyncio.gather(
            *(_answer(read, live, state, learning, work) for read in admitted)
        )
        reads += await work.reads.keep_along(work.session, turn_id, found, last)
        await learning.write()
    decided = {read.call: read.args for read in wanted}
    seen = {
        f"{turn_id}/{read.call}": ReadCall(
            tool=read.tool, args=decided[read.call], handle=read.handle, cache=read.cache
        )
        for read in reads
    }
    left = after_stage(work.domain, decision)
    after = next_phase(work.domain, left) if left is not None else "decide"
    assert after in ("change", "intend", "decide")
    return Command(update={"ledger": {**state["ledger"], **seen}, "decision": left}, goto=after)


def _refused(call: str, tool: str, args: Mapping[str, Any], reason: str | None) -> Read:
    return refusal(call, tool, args, f"refused: {reason}")


def _wanted(
    call: str, tool: Any, args: Mapping[str, Any], turn_id: str, learning: Learning
) -> Read:
    assert isinstance(tool, ReadTool)
    try:
        decided = fitting(tool.name, tool.args, args)
    except UNABLE as refused:
        learning.refused(turn_id, call, tool.name, refused)
        return _refused(call, tool.name, args, str(refused))
    normal = comparable(tool.args, decided)
    return Read(
        call=call,
        tool=tool.name,
        args=decided,
        args_hash=digest([tool.name, normal]),
        cache="miss" if tool.lifetime else "uncached",
        result=None,
        tags=tuple(tags_of(tool.tags, normal)),
        lifetime=tool.lifetime,
    )


async def _admitted(
    wanted: Read, live: Mapping[str, tuple[int, Any]], rules: Rules, work: Work
) -> Read:
    if wanted.cache == "failed":
        return wanted
    try:
        if wanted.args_hash in live:
            # What is known already needs no token.
            refuse_if_off(rules, wanted.tool)
        else:
            await admit(work, rules, wanted.tool)
    except ToolRefused as refused:
        return _refused(wanted.call, wanted.tool, wanted.args, str(refused))
    return wanted


async def _answer(
    wanted: Read, live: Mapping[str, tuple[int, Any]], state: State, learning: Learning, work: Work
) -> Read:
    turn_id = state["turn"]["turn_id"]
    # A model may call what there is not, by whatever name.
    name = wanted.tool if wanted.tool in work.domain.registry.names else "no such tool"
    with span(work.engine, turn_id, SpanKind.READ, name, call=wanted.call) as traced:
        found = await _found(wanted, live, state, learning, work)
        traced.tell(cache=found.cache)
        if found.cache == "failed":
            traced.failed("refused")
        return found


async def _found(
    wanted: Read, live: Mapping[str, tuple[int, Any]], state: State, learning: Learning, work: Work
) -> Read:
    if wanted.cache == "failed":
        return wanted
    turn_id = state["turn"]["turn_id"]
    words = text_of(state, turn_id)
    try:
        if wanted.args_hash in live:
            handle, result = live[wanted.args_hash]
            hidden = work.domain.hides(state, words, result)
            return replace(wanted, cache="hit", handle=handle, result=result, hidden=hidden)
        result = await _read(wanted, state, work)
        hidden = work.domain.hides(state, words, result)
    except UNABLE as error:
        learning.refused(turn_id, wanted.call, wanted.tool, error)
        return _refused(wanted.call, wanted.tool, wanted.args, str(error))
    learning.succeeded(turn_id, wanted.call, wanted.tool)
    return replace(wanted, result=result, hidden=hidden)


async def _read(wanted: Read, state: State, work: Work) -> Any:
    """Run a read, within its time.

    Raises:
        ToolRefused, ServiceUnavailable, ToolFailed: it gives nothing that can be kept.
    """
    tool = work.domain.registry.offered(wanted.tool)
    assert isinstance(tool, ReadTool)
    work.tell(f"reading {wanted.tool.replace('_', ' ')}")
    context = reading(state, work)
    seconds = work.seconds if tool.within is None else tool.within
    result = await heard(
        f"the read {tool.name}", lambda: tool.run(**wanted.args, ctx=context), seconds, work.clock
    )
    if is_deeper(result, _LEVELS):
        raise ToolRefused("The result is nested too deeply to be stored. Continue without it.")
    return result
