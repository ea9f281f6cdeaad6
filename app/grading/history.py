"""Read what a thread did from its ledger, its reads, its documents and its messages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from textwrap import shorten

from daybook.app.grading.grade import Outcome, Step, Trajectory, text_of
from daybook.app.ledger.listing import no_ledger
from daybook.checkpoints.postgres import Postgres
from daybook.checkpoints.runs.reads import Read
from daybook.nodes.past.branch import of_branch
from daybook.nodes.planning.phases import call_name, place_name
from daybook.nodes.prompt.transcript import ASKED_FIRST
from daybook.state.agent import said_in
from daybook.state.effects.arguments import restored
from daybook.state.ledger import step as effects
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.plan import Action, Plan, plans_of
from daybook.state.ledger.recovery import Event, StepState
from daybook.tools.domain import Domain

_OUTCOMES: Mapping[StepState, Outcome] = {
    StepState.DONE: "done",
    StepState.UNDONE: "undone",
    StepState.NEGATIVE: "failed",
    StepState.VOID: "void",
    StepState.IN_DOUBT: "in_doubt",
    StepState.STUCK: "in_doubt",
}
"""The state of an effect to its outcome; it is open in any other state."""


async def read_trajectory(postgres: Postgres, domain: Domain, thread_id: str) -> Trajectory:
    """Read the trajectory of a thread's current branch.

    Erased data is left out; the trajectory's notes say so.

    Raises:
        DaybookError: there is no ledger of such a thread.
        UnknownLedgerVersion: this release cannot read an entry of it.
    """
    entries = await postgres.ledger.entries(thread_id)
    if not entries:
        raise no_ledger(thread_id)
    began = [one.turn_id for one in entries if one.event is Event.RECEIVED and one.turn_id]
    records = _Records(domain, entries, await postgres.reads.of_turns(thread_id, began))
    digests = {one.epoch: one.digest for one in await postgres.documents.versions(thread_id)}
    values = await postgres.saver.values(thread_id)
    said, last = said_in(values.get("messages") or ()), (values.get("turn") or {}).get("last")
    if last is None:
        last = max((one.seq for one in entries if one.event is Event.DECIDED), default=0)
    steps, tokens, erased = list[Step](), dict[int, int](), 0
    turns, tail, outside = list[str](), "", list[str]()
    for entry in of_branch(entries, last):
        detail, payload, turn_id = entry.detail, entry.payload or {}, entry.turn_id or ""
        # A turn whose message is not among those of the branch was abandoned.
        if entry.event is Event.RECEIVED and (not said or turn_id in said):
            turns.append(turn_id)
        elif entry.event is Event.APPLIED and detail["call"] == "event":
            outside.append(payload.get("text", ""))
        elif entry.event is Event.DECIDED and turn_id in turns:
            tokens[entry.seq] = sum(detail.get("zones", ()))
            erased += entry.payload is None
            # A tail equal to the one before it is not stored again.
            tail = payload.get("tail", tail)
            flow, digest = detail.get("flow", ""), digests.get(detail.get("epoch", 0), "")
            known = Step(
                key=f"{turns.index(turn_id) + 1}/{detail['ordinal']}",
                seq=entry.seq,
                turn=turns.index(turn_id) + 1,
                tool="answer",
                kind="answer",
                decided=entry.seq,
                flow=flow,
                offered=domain.flow.offered.get(flow),
                said=tuple(said[turn] for turn in turns if said.get(turn)),
                shown="\n".join((digest, tail, *outside)),
                superseded=frozenset(detail.get("superseded", ())),
            )
            steps += records.steps(entry, known) if entry.payload is not None else ()
    notes = []
    if erased:
        notes.append(f"Erased decisions: {erased}. Their calls cannot be judged.")
    if began and not said:
        notes.append("No messages are stored here: invented identifiers are not detected.")
    schemas = {name: domain.registry.offered(name).args for name in domain.registry.names}
    return Trajectory(thread_id, tuple(steps), tokens, schemas, tuple(notes))


class _Records:
    """What became of the calls of a thread."""

    def __init__(self, domain: Domain, entries: Sequence[Entry], reads: Sequence[Read]) -> None:
        self._domain, self._tools = domain, domain.registry
        self._reads = {(read.turn_id, read.call): read for read in reads}
        self._applied = {
            (entry.turn_id or "", entry.detail["call"]): (entry.payload or {}).get("text", "")
            for entry in entries
            if entry.event is Event.APPLIED
        }
        # An edit by the approver is a new version of the plan: the last one was carried out.
        self._actions = {
            (plan.turn_id, action.call): (plan, action)
            for plan in plans_of(entries)
            for action in plan.actions
        }
        self._over = {one.turn_id for one in entries if one.event is Event.TURN_DONE}
        self._first: dict[tuple[str | None, Event], int] = {}
        for one in entries:
            self._first.setdefault((one.step_id or one.plan_id, one.event), one.seq)

    def steps(self, decided: Entry, known: Step) -> Iterator[Step]:
        """Yield the calls of a decision, with the effects of their plans, and its answer.

        Args:
            known: a step with what was known when it was decided.
        """
        payload, detail, turn_id = decided.payload or {}, decided.detail, decided.turn_id or ""
        place, tools = place_name(detail["ordinal"], detail.get("fork", 1)), self._tools
        calls, findings = payload.get("calls", ()), payload.get("findings", ())
        for at, call in enumerate(calls):
            tool, name = call["name"], (turn_id, call_name(place, at))
            step = replace(
                known,
                key=f"{known.key}.{at}",
                tool=tool,
                kind=tools.offered(tool).kind if tool in tools.names else "unknown",
                args=restored(call),
                fault=call.get("fault", ""),
            )
            if (read := self._reads.get(name)) is not None:
                yield _read(step, read)
            elif name in self._applied:
                yield replace(step, result=self._applied[name])
            elif name in self._actions:
                yield from self._carried_out(step, *self._actions[name])
            else:
                # It has no record: it is running, or its read was erased.
                yield replace(step, outcome="erased" if turn_id in self._over else "open")
        # Text beside calls is streamed to the user too: it is a step where something was found.
        if findings or not calls:
            claims = (f"“{shorten(one['quote'], 160)}”: {one['correction']}" for one in findings)
            yield replace(known, args={"text": payload.get("text", "")}, claims=tuple(claims))

    def _carried_out(self, call: Step, plan: Plan, action: Action) -> Iterator[Step]:
        own = action.steps[0] if len(action.steps) == 1 else None
        if own is not None and own.tool == call.tool and call.kind in ("write", "hybrid"):
            yield replace(self._effect(call, plan, action, own), args=call.args)
            return
        result = self._domain.outcome_line(action) if plan.over else None
        yield replace(call, outcome=_outcome(plan, action), result=result, error=action.reason)
        args, total = text_of(dict(call.args)), str(action.total or "")
        for step in action.steps:
            yield replace(
                self._effect(call, plan, action, step),
                key=f"{call.key}:{step.name}",
                parent=call.key,
                tool=step.tool,
                kind="write",
                shown="\n".join((call.shown, action.title, *action.summary, total, args)),
            )

    def _effect(self, call: Step, plan: Plan, action: Action, step: effects.Step) -> Step:
        """Add to a call what the ledger holds about one effect."""
        is_asked = action.is_approved and plan.approval != "policy"
        return replace(
            call,
            seq=self._first.get((step.step_id, Event.INTENDED), step.last_seq),
            op=step.step_id,
            args=step.args,
            result=step.result,
            error=step.reason,
            outcome=_OUTCOMES.get(step.state, "open"),
            needs=plan.needs.role,
            approved=self._first.get((plan.plan_id, Event.DECISION), 0) if is_asked else 0,
            approved_by=action.decided_as or "",
            attempted=self._first.get((step.step_id, Event.ATTEMPTED), 0),
        )


def _read(step: Step, read: Read) -> Step:
    if read.cache != "failed":
        return replace(step, result=read.result, handle=read.handle)
    said = str(read.result["said"])
    _, is_asked, question = said.partition(ASKED_FIRST)
    return replace(step, outcome="asked" if is_asked else "refused", error=question or said)


def _outcome(plan: Plan, action: Action) -> Outcome:
    became = {_OUTCOMES.get(step.state, "open") for step in action.steps}
    if plan.over and action.succeeded:
        return "done"
    if "in_doubt" in became or not plan.over:
        return "in_doubt" if "in_doubt" in became else "open"
    return "void" if became <= {"void"} else "undone" if "undone" in became else "failed"
