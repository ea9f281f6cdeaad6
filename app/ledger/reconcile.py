"""Compare the ledger with the services after a backup was restored: `daybook reconcile`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from langchain_core.runnables import RunnableConfig

from daybook.app.conversations.terminal import Terminal
from daybook.app.domains import compared_by, database_compared_by
from daybook.app.ledger.listing import no_ledger
from daybook.graph.serve import Opened
from daybook.graph.settings.environment import Settings
from daybook.nodes.effects import approve
from daybook.nodes.effects.attempt import record
from daybook.nodes.effects.compensation import undo_of
from daybook.nodes.effects.engine import Claimed, reading
from daybook.nodes.effects.provider import forward, look_up
from daybook.nodes.running.identity import session_of
from daybook.nodes.running.work import Work
from daybook.state.clock import SYSTEM
from daybook.state.effects.evidence import BOUND, Evidence, judge, references
from daybook.state.effects.evidence import Look as Seen
from daybook.state.effects.guarantees import NO_GUARANTEES, Guarantees
from daybook.state.effects.outcome import Declined
from daybook.state.effects.reconciliation import (
    WorldRemedy,
    WorldShows,
    reconciled,
    reconciled_undo,
)
from daybook.state.effects.reference import Naming
from daybook.state.errors import (
    DeclarationError,
    ForeignDomain,
    ForeignWorld,
    LedgerError,
    ReferenceHeld,
    ThreadBusy,
    ThreadClosed,
)
from daybook.state.ledger.entry import Entry, entry_of
from daybook.state.ledger.plan import Action, Plan, fold
from daybook.state.ledger.recovery import Event, StepState
from daybook.state.ledger.step import Step

_FOUND = (
    "the ledger was restored, and the provider shows that this was done already; it needs review "
    "and must not be done again"
)
_LOST = {"reason": "the ledger was restored: it may have been sent, and cannot be looked up"}


@dataclass(frozen=True)
class Finding:
    """A step on which ledger and service disagree.

    Attributes:
        state: where the ledger had it.
    """

    thread_id: str
    step_id: str
    tool: str
    state: str
    remedy: WorldRemedy


async def reconcile(
    settings: Settings, terminal: Terminal, thread_id: str | None, *, applies: bool
) -> bool:
    """Look every step up that can be, print where ledger and service disagree, and record it.

    Args:
        applies: record what the ledger can take; else only say so.

    Returns:
        Whether every thread was compared, and nothing is left for a person.

    Raises:
        DaybookError: something cannot be started or reached, there is no such thread, or it is
            erased or foreign, so that nothing of it can be compared.
    """
    found: list[Finding] = []
    threads, is_whole = 0, True
    async with compared_by(settings).open(sends=False) as opened:
        if thread_id is not None:
            await _refuse_what_is_not_compared(thread_id, opened)
        reconciler = Reconciler(opened, applies=applies)
        async for one in opened.resources.postgres.ledger.thread_ids(thread_id or None):
            threads += 1
            try:
                async for finding in reconciler.of_thread(one):
                    found.append(finding)
                    terminal.note(_line(finding))
            except ThreadBusy:
                terminal.warn(f"thread {one}: another process is working on it; run this again.")
                is_whole = False
            except (LedgerError, ForeignWorld) as error:
                terminal.warn(f"thread {one}: {error}")
                is_whole = False
        is_compared = is_whole and WorldRemedy.LOOK_LATER not in {one.remedy for one in found}
        if applies and is_compared and thread_id is None:
            about = "daybook reconcile --apply", opened.domain.name
            await opened.resources.postgres.cluster.accept(*about)
        others = await _others(opened) if thread_id is None else []
    if others:
        terminal.warn(
            f"Not compared here: the threads of {', '.join(others)}. Compare them with `daybook "
            "--domain module:NAME reconcile`; until then nothing is sent in them."
        )
    terminal.note(_summary(threads, found, applies=applies))
    return is_whole and not any(finding.remedy.is_for_a_person for finding in found)


async def _others(opened: Opened) -> list[str]:
    """Name the other programs whose ledger may lack what they sent."""
    elsewhere = await opened.resources.postgres.cluster.programs_elsewhere()
    return [one for one in elsewhere if one != opened.domain.name]


async def accept(settings: Settings, terminal: Terminal) -> None:
    """Let a restored ledger send again, on the word of an operator that nothing is missing.

    Raises:
        DatabaseUnavailable: the database cannot be reached.
    """
    async with database_compared_by(settings) as postgres:
        await postgres.cluster.accept("daybook reconcile --accept")
    terminal.note("This database is accepted as the ledger's own: agents and workers may start.")


async def _refuse_what_is_not_compared(thread_id: str, opened: Opened) -> None:
    """Refuse a thread of which nothing would be compared, before it is said to agree."""
    postgres = opened.resources.postgres
    if not await postgres.ledger.stored(thread_id):
        raise no_ledger(thread_id)
    owner = await postgres.threads.owner_of(thread_id)
    if owner is None:
        raise ThreadClosed(thread_id)
    config: RunnableConfig = {"configurable": {"thread_id": thread_id, "user_id": owner}}
    session = session_of(config, postgres.tenant_id)
    await postgres.threads.admits(session, opened.domain.name, opened.resources.world)


class Reconciler:
    """Reconcile threads, one after the other."""

    def __init__(self, opened: Opened, *, applies: bool) -> None:
        self._domain = opened.domain
        self._resources = opened.resources
        self._postgres = opened.resources.postgres
        self._applies = applies
        self._holders: dict[tuple[str, str], str] = {}

    async def of_thread(self, thread_id: str) -> AsyncIterator[Finding]:
        """Reconcile the steps of a thread, oldest first; not of one that is erased, or foreign.

        Raises:
            ThreadBusy: another process works on it.
            ForeignWorld: it deals with other services than are reached here.
        """
        owner = await self._postgres.threads.owner_of(thread_id)
        config: RunnableConfig = {"configurable": {"thread_id": thread_id, "user_id": owner}}
        work = Work(self._domain, self._resources, session_of(config, self._postgres.tenant_id))
        about = work.session, self._domain.name, self._resources.world
        try:
            if owner is None or not await self._postgres.threads.admits(*about):
                return
        except (ForeignDomain, ThreadClosed):
            return
        lock = self._postgres.locks.hold(thread_id) if self._applies else nullcontext()
        async with lock:
            for plan, since in await self._plans(thread_id):
                async for finding in self._of_plan(plan, since, work):
                    yield finding
                    if finding.remedy is WorldRemedy.ASK_FIRST and self._applies:
                        await self._withdraw(plan.plan_id, work)

    async def _plans(self, thread_id: str) -> list[tuple[Plan, datetime]]:
        """Fold the plans of a thread; without those whose payloads were erased.

        Returns:
            Each with the time (UTC) of its newest entry: what the ledger lost of it came later.
        """
        rows: dict[str, list[Mapping[str, Any]]] = {}
        for row in await self._postgres.ledger.stored(thread_id):
            if row["plan_id"] is not None:
                rows.setdefault(row["plan_id"], []).append(row)
        whole = [plan for plan in rows.values() if not any(map(_is_erased, plan))]
        plans = [(fold(map(entry_of, rows)), max(row["at"] for row in rows)) for rows in whole]
        return [(plan, since) for plan, since in plans if plan is not None]

    async def _of_plan(self, plan: Plan, since: datetime, work: Work) -> AsyncIterator[Finding]:
        for step_id in [step.step_id for step in plan.steps]:
            action, step = plan.find(step_id)
            claimed = reading(plan, step_id, work.clock.now(), work.clock)
            seen = await self._look(claimed, work)
            guarantees = work.guarantees.get(step.tool, NO_GUARANTEES)
            look = await self._told(plan, step, seen, guarantees, work)
            first = min([since, *(one.at for one in step.attempts)])
            look = replace(look, is_keyed=guarantees.remembers(first, work.clock.now()))
            state, remedy = step.state.value, reconciled(plan, action, step, look)
            if remedy is None:
                undone = await self._of_undo(plan, action, step, since, work)
                if undone is not None:
                    yield Finding(work.session.thread_id, step_id, step.tool, state, undone)
                continue
            if seen is not None and await self._was_undone(plan, step, seen, work):
                remedy = WorldRemedy.UNDONE_SINCE
            if not remedy.is_for_a_person:
                plan = await self._record(remedy, plan, step, seen, work)
            yield Finding(work.session.thread_id, step_id, step.tool, state, remedy)

    async def _withdraw(self, plan_id: str, work: Work) -> None:
        """Withdraw the question of a plan whose effects are there: a yes would do them again."""
        async with work.ledger.page(work.session, plan_id) as page:
            plan = await page.plan(plan_id)
            if plan is not None and not (plan.over or plan.decided):
                # A model that is told that nothing was done would do it again.
                words = {one.position: _FOUND for one in plan.actions}
                verdicts = ["withdrawn" for _ in plan.actions]
                approve.decide(page, plan, verdicts, work.session, words=words)

    async def _told(
        self, plan: Plan, step: Step, seen: Seen | None, guarantees: Guarantees, work: Work
    ) -> WorldShows:
        """Say what the look-up of a step comes to, beside what the ledger holds of all steps."""
        try:
            named = work.domain.registry.effect(step.tool).reference_of
        except DeclarationError:
            # A tool that is no more.
            named = None
        evidence = Evidence(look=seen)
        judged = judge(step, evidence, named, {}, guarantees)
        bound = _reference(step, named)
        return WorldShows(
            seen.event if seen else None,
            is_keyed=False,
            is_shared=await self._is_shared(plan, step, named, work),
            is_foreign=bool(evidence.rows)
            and bound is not None
            and bound not in references(evidence, named),
            is_beside=bool(judged.beside or judged.seconds),
        )

    async def _is_shared(self, plan: Plan, step: Step, named: Naming | None, work: Work) -> bool:
        """Tell whether another step holds the same effect, in this run or in the ledger."""
        reference = _reference(step, named)
        if step.state not in BOUND or reference is None:
            return False
        holder = self._holders.setdefault((step.tool, reference), step.step_id)
        names = work.engine.namespace(step.tool)
        try:
            async with work.ledger.page(work.session, plan.plan_id) as page:
                held = await page.held(names, [reference], step)
                if self._applies and not await page.holds(names, reference, step):
                    page.bind(names, reference, step)
        except ReferenceHeld:
            return True
        return bool(held) or holder != step.step_id

    async def _look(self, claimed: Claimed, work: Work) -> Seen | None:
        try:
            work.domain.registry.effect(claimed.step.tool)
        except DeclarationError:
            # A tool that is no more.
            return None
        given = claimed.action.results
        takes = [take for bind in claimed.step.binds.values() for take in bind.takes]
        is_partly_known = any(take.field not in given.get(take.step, {}) for take in takes)
        if is_partly_known:
            # Its key says enough; what an earlier step would have given is not known yet.
            claimed = replace(claimed, step=replace(claimed.step, binds={}))
        seen = await look_up(work.engine, forward(work.engine, claimed))
        if is_partly_known and seen is not None and seen.fault:
            # It does not say enough: nobody was asked, so the provider has not been silent.
            return None
        return seen

    async def _record(
        self, remedy: WorldRemedy, plan: Plan, step: Step, seen: Seen | None, work: Work
    ) -> Plan:
        """Write down what was found; without `applies`, in the plan as it was read alone."""
        lost = () if remedy is WorldRemedy.RECORD else (self._lost_claim(plan, step, work),)
        if not self._applies:
            _imagine(plan, step, *lost, seen=seen)
            return plan
        if lost:
            async with work.ledger.page(work.session, plan.plan_id) as page:
                page.write(*lost)
                if seen is None:
                    page.write(plan.entry(Event.IN_DOUBT, step, detail=_LOST))
                    current = await page.plan(plan.plan_id)
                    assert current is not None
                    work.engine.follow(page, current)
        if seen is not None:
            after, now = await work.plan(plan.plan_id)
            looking = reading(after, step.step_id, now, work.clock)
            await record(work.engine, looking, None, None, seen)
        return (await work.plan(plan.plan_id))[0]

    async def _was_undone(self, plan: Plan, step: Step, seen: Seen, work: Work) -> bool:
        """Tell whether an effect that is found shows an undo, too, which the ledger has lost."""
        if step.state is StepState.DONE or not seen.matches or step.undo is None:
            return False
        found = replace(step, result=seen.matches[0])
        claimed = reading(plan, step.step_id, work.clock.now(), work.clock)
        request = undo_of(work.engine, replace(claimed, step=found))
        if isinstance(request, Declined):
            return False
        undone = await look_up(work.engine, request)
        return undone is not None and undone.event is Event.FOUND

    async def _of_undo(
        self, plan: Plan, action: Action, step: Step, since: datetime, work: Work
    ) -> WorldRemedy | None:
        """Look the undo of a step up where recovery would send it, and record what is there."""
        if reconciled_undo(action, step, WorldShows(None, is_keyed=False)) is None:
            return None
        engine = work.engine
        claimed = reading(plan, step.step_id, work.clock.now(), work.clock)
        request = undo_of(engine, claimed)
        if isinstance(request, Declined):
            return None
        seen, guarantees = await look_up(engine, request), engine.guarantees[request.effect.name]
        first = min([since, *(one.at for one in step.undos)])
        undo = work.domain.registry.effect(step.tool).undo
        is_keyed = guarantees.remembers(first, work.clock.now())
        # Where it is refused when it was done already, nothing is done twice either.
        is_once = is_keyed or (undo is not None and bool(undo.settled_by))
        look = WorldShows(seen.event if seen else None, is_keyed=is_once)
        remedy = reconciled_undo(action, step, look)
        if remedy in (WorldRemedy.UNDONE, WorldRemedy.DOUBT_UNDO) and self._applies:
            lost = self._lost_claim(plan, step, work, Event.UNDO_ATTEMPTED)
            came = plan.entry(Event.UNDO_STUCK, step, payload=_LOST)
            if remedy is WorldRemedy.UNDONE:
                about = {"verified": True}
                came = plan.entry(Event.UNDONE, step, attempt=lost.attempt, detail=about)
            async with work.ledger.page(work.session, plan.plan_id) as page:
                page.write(lost, came)
                current = await page.plan(plan.plan_id)
                assert current is not None
                engine.follow(page, current)
        return remedy

    def _lost_claim(
        self, plan: Plan, step: Step, work: Work, event: Event = Event.ATTEMPTED
    ) -> Entry:
        """Make the claim that the ledger lost, as far as it can be told: it is over by now."""
        now = work.clock.now()
        before = step.attempts if event is Event.ATTEMPTED else step.undos
        return plan.entry(
            event,
            step,
            attempt=len(before) + 1,
            worker=work.session.worker,
            deadline_at=now,
            settle_at=now,
            detail={"by": "reconcile"},
        )


def _reference(step: Step, named: Naming | None) -> str | None:
    """Return what names a step's effect; a person's word may hold it in the result only."""
    return step.reference or (named(step.result or {}) if named is not None else None)


def _imagine(plan: Plan, step: Step, *lost: Entry, seen: Seen | None) -> None:
    """Let a plan that was read go on as it would, for the steps after it to be judged."""
    result = {"result": dict(seen.matches[0])} if seen else {}
    shown = plan.entry(Event.FOUND if seen else Event.IN_DOUBT, step, payload=result)
    for entry in (*lost, shown):
        plan.apply(replace(entry, seq=plan.last_seq, at=SYSTEM.now()))


def _is_erased(row: Mapping[str, Any]) -> bool:
    return row["payload_hash"] is not None and row["payload"] is None


def _line(finding: Finding) -> str:
    return (
        f"thread {finding.thread_id}: {finding.tool} ({finding.step_id}), "
        f"{finding.state.replace('_', ' ')} in the ledger: {finding.remedy.value}."
    )


def _summary(threads: int, found: list[Finding], *, applies: bool) -> str:
    left = sum(finding.remedy.is_for_a_person for finding in found)
    known = len(found) - left
    told = f"{threads} {'thread' if threads == 1 else 'threads'} compared with the services: "
    if not found:
        return told + "they agree."
    done = "was recorded" if applies else "would be recorded (--apply does it)"
    return told + f"{known} {done}, {left} need review."
