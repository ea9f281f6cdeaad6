"""Apply the decision's changes of typed state, one `applied` row in the ledger each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from langgraph.types import Command

from nodes.admission import admit
from nodes.learn import Learning
from nodes.look import refusal
from nodes.phases import call_name, calls_of, phase_after, place_of
from nodes.reading import reading
from nodes.remember import remember
from nodes.work import Work
from state.agent import Decision
from state.calls import Application
from state.entry import Entry
from state.errors import IllegalMove, ToolRefused
from state.recovery import Event
from tools.boundary import UNABLE, heard
from tools.calling import fitting
from tools.kinds import ChangeTool

State = Mapping[str, Any]
Exit = Literal["intend", "decide"]


async def change(state: State, work: Work) -> Command[Exit]:
    """Apply the changes of a decision, in the model's order.

    What a change is made of (a price) is read once and stands in its ledger entry: a node that runs
    again applies the entry and reads nothing.
    """
    decision: Decision = state["decision"]
    turn_id: str = state["turn"]["turn_id"]
    applied, rules = await work.ledger.applied(work.session.thread_id, turn_id)
    known = {entry.detail["call"]: entry for entry in applied}
    current, update = dict(state), dict[str, Any]()
    ledger, refused = dict(state["ledger"]), []
    learning = Learning(state["flow"], state, work)
    for position, tool, args in calls_of(work.domain, decision, "change"):
        assert isinstance(tool, ChangeTool)
        call = call_name(place_of(decision), position)
        try:
            if call not in known:
                await admit(work, rules, tool.name)
            changed, shown = await _apply(current, tool, args, call, known.get(call), work)
        except UNABLE as error:
            refused.append(refusal(call, tool.name, args, f"refused: {error}"))
            learning.refused(turn_id, call, tool.name, args, error)
            continue
        learning.succeeded(turn_id, call, tool.name)
        update |= changed
        current |= changed
        ledger[f"{turn_id}/{call}"] = shown
    if refused:
        await work.reads.keep(work.session, turn_id, refused)
    await learning.write()
    after = phase_after(work.domain, decision, "change")
    assert after in ("intend", "decide")
    pending = None if after == "decide" else decision
    return Command(update={**update, "ledger": ledger, "decision": pending}, goto=after)


async def _apply(
    state: State,
    tool: ChangeTool,
    args: Mapping[str, Any],
    call: str,
    known: Entry | None,
    work: Work,
) -> tuple[dict[str, Any], Application]:
    """Apply one change and return the state's new keys and its view of the call.

    Raises:
        ToolRefused: the arguments, the state or the flow do not allow it.
        ServiceUnavailable: what it is made of cannot be read.
        ToolFailed: its own code failed, or did not end in time.
    """
    turn_id: str = state["turn"]["turn_id"]
    if known is not None:
        body = known.payload or {}
        shown = Application(tool=tool.name, args=body["args"], text=body["text"])
        if known.seq <= state["applied"]:
            return {}, shown
        event, normal, seq = body["event"], body["args"], known.seq
    else:
        normal = fitting(tool.name, tool.args, args)
        context = reading(state, work)
        event, seq = (
            await heard(
                f"the change {tool.name}", lambda: tool.run(**normal, ctx=context), work.seconds
            ),
            0,
        )
    done = work.domain.changed(state, event, turn_id)
    # Before it is written down: what stands there and cannot be applied would meet every later run.
    flow = _moved(state["flow"], done.trigger, work)
    if known is None:
        async with work.ledger.page(work.session) as page:
            payload = {"event": event, "args": normal, "text": done.text}
            page.write(
                Entry(Event.APPLIED, turn_id=turn_id, detail={"call": call}, payload=payload)
            )
            seq = page.head.seq
    await remember(event, seq, work, is_again=known is not None)
    update = {**done.update, "flow": flow, "applied": seq}
    return update, Application(tool=tool.name, args=normal, text=done.text)


def _moved(flow: str, trigger: str, work: Work) -> str:
    """Return where the flow stands after a change.

    Raises:
        ToolRefused: it has no such move from here.
    """
    try:
        return work.domain.flow.move(flow, trigger) if trigger else flow
    except IllegalMove as error:
        raise ToolRefused(str(error)) from error
