"""Apply the decision's changes of typed state, one `applied` row in the ledger each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from langgraph.types import Command

from daybook.nodes.past.aside import because_of_change, cancel, cancelled
from daybook.nodes.past.learn import Learning, remember
from daybook.nodes.past.plans import taken_in
from daybook.nodes.planning.phases import (
    after_stage,
    barred,
    call_name,
    calls_of,
    next_phase,
    place_of,
)
from daybook.nodes.planning.refusals import admit, refusal
from daybook.nodes.running.contexts import reading
from daybook.nodes.running.work import Work
from daybook.state.agent import Decision
from daybook.state.calls import Application
from daybook.state.effects.arguments import restored, stored_args
from daybook.state.errors import IllegalMove, ToolRefused
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.recovery import Event
from daybook.state.ledger.stopping import told_not_begun
from daybook.tools.boundary import UNABLE, heard
from daybook.tools.calling import fitting
from daybook.tools.kinds import ChangeTool

State = Mapping[str, Any]
Exit = Literal["look", "intend", "decide"]


async def change(state: State, work: Work) -> Command[Exit]:
    """Apply the next changes of a decision, in the model's order.

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
                if why := barred(work.domain, decision, position, current["flow"]):
                    raise ToolRefused(why)
                await admit(work, rules, tool.name)
            changed, shown = await _apply(current, tool, args, call, known.get(call), work)
        except UNABLE as error:
            refused.append(refusal(call, tool.name, args, f"refused: {error}"))
            learning.refused(turn_id, call, tool.name, error)
            continue
        learning.succeeded(turn_id, call, tool.name)
        update |= changed
        current |= changed
        ledger[f"{turn_id}/{call}"] = shown
    if refused:
        await work.reads.keep(work.session, turn_id, refused)
    await learning.write()
    if over := await cancelled(state, work):
        why = because_of_change(state, current, over, work.domain)
        taken = taken_in({**current, "ledger": ledger}, over, work, why)
        ledger, flow = taken["ledger"], current["flow"]
        update = {**update, **taken, "flow": flow}
    left = after_stage(work.domain, decision)
    after = next_phase(work.domain, left) if left is not None else "decide"
    assert after in ("look", "intend", "decide")
    return Command(update={**update, "ledger": ledger, "decision": left}, goto=after)


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
        decided = restored(body)
        shown = Application(tool=tool.name, args=decided, text=body["text"])
        if known.seq <= state["applied"]:
            return {}, shown
        event, seq = body["event"], known.seq
    else:
        decided = fitting(tool.name, tool.args, args)
        context = reading(state, work)
        event, seq = (
            await heard(
                f"the change {tool.name}",
                lambda: tool.run(**decided, ctx=context),
                work.seconds,
                work.clock,
            ),
            0,
        )
    done = work.domain.changed(state, event, turn_id)
    # Before it is written down: what stands there and cannot be applied would meet every later run.
    flow = _moved(state["flow"], done.trigger, work)
    if known is None:
        async with work.ledger.page(work.session, is_step=True) as page:
            # Under the lock, as before each plan: a wish that was written first is kept.
            if (who := await page.stopped_by(turn_id)) is not None:
                raise ToolRefused(told_not_begun(who, [tool.name.replace("_", " ")]))
            if done.update.keys() - {"facts"} or flow != state["flow"]:
                await cancel(page, work.session)
            payload = {"event": event, **stored_args(decided), "text": done.text}
            page.write(
                Entry(Event.APPLIED, turn_id=turn_id, detail={"call": call}, payload=payload)
            )
            seq = page.head.seq
    await remember(event, seq, work, is_again=known is not None)
    update = {**done.update, "flow": flow, "applied": seq}
    return update, Application(tool=tool.name, args=decided, text=done.text)


def _moved(flow: str, trigger: str, work: Work) -> str:
    """Return where the flow stands after a change.

    Raises:
        ToolRefused: it has no such move from here.
    """
    try:
        return work.domain.flow.move(flow, trigger) if trigger else flow
    except IllegalMove as error:
        raise ToolRefused(str(error)) from error
