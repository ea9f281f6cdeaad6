"""Propose a write: validate it, observe what it depends on, and write it ahead of its effect.

The intents of a whole decision are written in one transaction before anything of it is done.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import chain, product
from typing import Any, TypeAlias

from daybook.checkpoints.ledger.page import Page
from daybook.nodes.effects.approve import withdraw_undecided
from daybook.nodes.effects.claim import claim_on
from daybook.nodes.effects.draft import Call, Draft, draft, moved_between
from daybook.nodes.effects.engine import Claimed, Committed, Engine, Held, tool_of
from daybook.state.context import PlanContext
from daybook.state.effects.arguments import stored_args as written
from daybook.state.effects.guarantees import Patience
from daybook.state.effects.keys import canonical, step_id
from daybook.state.effects.reference import reference_text
from daybook.state.errors import (
    ChoiceNeeded,
    OperationReused,
    PlanStillOpen,
    ToolFailed,
    ToolRefused,
)
from daybook.state.ledger.decision import decision
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.next_action import Claim
from daybook.state.ledger.plan import Action, Operation, Plan, generation_may_follow
from daybook.state.ledger.recovery import Event, StepState
from daybook.state.ledger.step import Step
from daybook.state.ledger.stopping import told_not_begun
from daybook.state.money import Money
from daybook.state.people.policy import Needs
from daybook.state.people.questions.markdown import arguments
from daybook.state.people.rules import Rules
from daybook.state.people.spending import Use, passed
from daybook.state.session import Person
from daybook.tools.boundary import UNABLE, made, made_or
from daybook.tools.draft import ActionDraft, StepDraft, facts_of
from daybook.tools.kinds import EffectTool
from daybook.tools.signature import comparable

Refuse: TypeAlias = Callable[[Mapping[Call, Exception]], Awaitable[None]]
"""Keeps why calls were refused, before anything is written that goes on without them."""


async def _keep_nothing(refused: Mapping[Call, Exception]) -> None:
    pass


@dataclass(frozen=True)
class Proposal:
    """The calls of one decision, which one plan carries out.

    Attributes:
        context: what plans and observations are given.
        flow: where the flow stands, for policy.
        may_follow: tells whether a tool may be begun after those that are begun before it.
        refuse: keeps refusals: a process that dies behind it refuses the same calls again.
        before: the version of this plan that was edited, or moved under, and is proposed again.
        changed: what people changed in earlier decisions of the turn.
        rules: the operators' rules of tools.
        stops_with: the turn after whose stop nothing is begun; its own where None.
        cancels: an open plan that nobody has decided; it is withdrawn before this one is written.
        asked_by: who began the run; "" if that is the thread's user.
    """

    plan_id: str
    calls: Sequence[Call]
    context: PlanContext[Any]
    flow: str = ""
    may_follow: Callable[[Sequence[str], str], bool] = lambda begun, tool: True
    refuse: Refuse = _keep_nothing
    before: Plan | None = None
    changed: Sequence[Action] = ()
    rules: Rules = field(default_factory=dict)
    stops_with: str | None = None
    cancels: str | None = None
    asked_by: str = ""

    @property
    def turn_id(self) -> str:
        """Return the turn of the decision."""
        return self.context.turn_id


async def propose(engine: Engine, proposal: Proposal) -> Committed | list[Draft]:
    """Write a plan and its intents.

    A call that cannot be done is refused by itself, and the others are planned.

    Returns:
        The plan as it was committed; or where nothing can be begun, what could have been drafted.
    """
    drafts = await _drafts(engine, proposal)
    left, reused = list(drafts), 0
    if left and proposal.cancels is not None:
        # On a page before: its operations may then be intended again.
        await withdraw_undecided(engine, proposal.cancels)
    while left:
        refused: dict[Call, Exception] = {}
        try:
            needs = _judged(engine, left, proposal.flow)
            if needs.is_of_others:
                needs = replace(needs, asked_by=proposal.asked_by)
            committed, refused = await _written(engine, proposal, left, needs)
            if committed is not None:
                return committed
        except (ToolRefused, ToolFailed, PlanStillOpen) as error:
            # It is about the plan as a whole.
            refused = {one.call: error for one in left}
        except OperationReused as error:
            # Another thread was first with one of them, and the next look shows with which.
            reused += 1
            refused = {one.call: error for one in left} if reused > len(drafts) else {}
        if refused:
            await proposal.refuse(refused)
        left = [one for one in left if one.call not in refused]
    return drafts


# -- drafts ------------------------------------------------------------------------------------


async def _drafts(engine: Engine, proposal: Proposal) -> list[Draft]:
    """Draft the calls that can be done; the others are refused."""
    drafts: list[Draft] = []
    refused: dict[Call, Exception] = {}
    for call in proposal.calls:
        try:
            if not proposal.may_follow([one.action.tool for one in drafts], call.tool):
                raise ToolRefused(f"{call.tool} is not possible at this point.")
            drafted = await draft(engine, call, proposal.rules, proposal.context)
            _refuse_what_was_changed(engine, drafted, proposal.changed)
            drafts.append(drafted)
        except (ChoiceNeeded, *UNABLE) as error:
            refused[call] = error
    if refused:
        await proposal.refuse(refused)
    return drafts


def _refuse_what_was_changed(engine: Engine, drafted: Draft, changed: Sequence[Action]) -> None:
    """Refuse a call that a person changed earlier in the turn: they did not want it as it was.

    Seen otherwise: a model takes the edit for a mistake and proposes its own call again, perhaps in
    other words that come to the same.

    Raises:
        ToolRefused: it is that call.
    """
    now = drafted.action
    model = engine.registry.offered(now.tool).args
    wanted = canonical(comparable(model, now.args))
    for was in changed:
        if was.tool == now.tool and canonical(comparable(model, was.args)) == wanted:
            raise ToolRefused(
                f"The approver edited this {now.tool}, and the edited call has its outcome. The "
                "original call is not tried again in this turn."
            )


# -- who must approve it -----------------------------------------------------------------------


def _judged(engine: Engine, drafts: Sequence[Draft], flow: str) -> Needs:
    """Let policy say who must approve these actions, as a whole.

    Raises:
        ToolFailed: it cannot be told, so nobody may.
    """
    effects = engine.registry.effects
    steps = [(effects[step.tool], one.action, step) for one in drafts for step in one.action.steps]
    moved = [(effect, _amount(effect, action, step)) for effect, action, step in steps]
    facts = facts_of(moved, engine.session.user_id, flow)
    return made("the policy", lambda: engine.policy.judge(facts))


def _amount(effect: EffectTool, action: ActionDraft, step: StepDraft) -> Money | None:
    """Return the money that a step moves: what it is told, else what its action comes to."""
    if effect.money is None:
        return action.total
    return None if {*effect.money} & step.binds.keys() else effect.moves(step.args)


# -- the write-ahead record --------------------------------------------------------------------


async def _written(
    engine: Engine, proposal: Proposal, drafts: Sequence[Draft], needs: Needs
) -> tuple[Committed | None, dict[Call, Exception]]:
    """Write a plan on one page; or return which of its calls cannot be begun, and why."""
    began, first = engine.clock.monotonic(), _first(engine, drafts, needs)
    claimed: Claimed | Held | None = None
    async with engine.ledger.page(
        engine.session, proposal.plan_id, tool=first, is_step=True
    ) as page:
        if (known := await page.plan(proposal.plan_id)) is not None:
            # A successor has opened it while this process was suspended, and may have ended it.
            action = engine.next_action(known, page.now)
            return Committed.at(page, known, action, None, engine.clock), {}
        gens, refused = await _generations(page, engine, proposal, drafts)
        if not refused:
            needs, refused = await _within_limits(page, engine, drafts, needs, gens)
        if refused:
            return None, refused
        plan = await _opened(page, engine, proposal, drafts, needs, gens)
        action = engine.next_action(plan, page.now)
        if isinstance(action, Claim) and tool_of(plan, action) == first:
            claimed = claim_on(page, plan, action, began, engine)
    return Committed.at(page, plan, action, claimed, engine.clock), {}


async def _within_limits(
    page: Page, engine: Engine, drafts: Sequence[Draft], needs: Needs, gens: Mapping[str, int]
) -> tuple[Needs, dict[Call, Exception]]:
    """Take what the steps need of each limit, and return who must approve what passes one.

    Returns:
        That, and which calls a limit refuses, with why: then nothing is written.
    """
    uses: dict[tuple[str, str], list[tuple[Use, Call]]] = {}
    for one in drafts:
        for step, limit in product(one.action.steps, engine.policy.limits):
            if step.tool in limit.tools:
                whose = limit.whose(engine.session.user_id, step.args)
                amount = _amount(engine.registry.effect(step.tool), one.action, step)
                use = Use(limit, whose, step.op, gens[step.op], amount)
                uses.setdefault((limit.name, whose or ""), []).append((use, one.call))
    refused: dict[Call, Exception] = {}
    # In one order: two plans would wait for each other's limits in a ring.
    for (_, whose), taken in sorted(uses.items()):
        limit = taken[0][0].limit
        over = limit.over
        why = passed([use for use, _ in taken], await page.spent(limit, whose))
        if why and over == "refuse":
            refused |= {call: ToolRefused(f"{why}. Nothing was done.") for _, call in taken}
        elif why and over != "refuse":
            needs = needs.raised(over, limit.name)
    for use, _ in chain(*uses.values()) if not refused else ():
        page.spend(use)
    return needs, refused


def _first(engine: Engine, drafts: Sequence[Draft], needs: Needs) -> str | None:
    """Name the tool of the step that is claimed with its plan: nobody is asked about it.

    Of several calls each is observed before it is claimed, and not when the first one was drafted.
    """
    steps = drafts[0].action.steps
    if needs.role != "nobody" or not steps:
        return None
    tool = steps[0].tool
    is_fresh = len(drafts) == 1 or engine.registry.effect(tool).observe is None
    return tool if is_fresh else None


async def _generations(
    page: Page, engine: Engine, proposal: Proposal, drafts: Sequence[Draft]
) -> tuple[dict[str, int], dict[Call, Exception]]:
    """Return the generation of each operation, and which calls cannot be begun, with why.

    Of two calls that are the same operation the first counts.
    """
    gens: dict[str, int] = {}
    refused: dict[Call, Exception] = {}
    begun: list[str] = []
    # Under the lock: a wish that was written before this page is kept, whoever runs the thread.
    every = [step.op for one in drafts for step in one.action.steps]
    who, known = await page.read_turn(proposal.stops_with or proposal.turn_id, every)
    newest = {one.op: one for one in known}
    if who is not None:
        return gens, {one.call: ToolRefused(told_not_begun(who, [one.title])) for one in drafts}
    for one in drafts:
        ops = [step.op for step in one.action.steps]
        try:
            # What came before it in the decision may have been refused meanwhile.
            if not proposal.may_follow(begun, one.action.tool):
                raise ToolRefused(f"{one.action.tool} is not possible at this point.")
            if twice := [op for at, op in enumerate(ops) if op in gens or op in ops[:at]]:
                raise ToolRefused(f"{twice[0]} is requested twice in this step; it is done once.")
            found = {
                step.op: _generation(engine, step, newest.get(step.op)) for step in one.action.steps
            }
        except ToolRefused as error:
            refused[one.call] = error
            continue
        gens |= found
        begun.append(one.action.tool)
    return gens, refused


def _generation(engine: Engine, wanted: StepDraft, known: Operation | None) -> int:
    """Return the generation to intend: one more only when the earlier one is over without effect.

    Raises:
        ToolRefused: the operation was done, or is in progress.
    """
    if known is None:
        return 1
    _, step = known.plan.find(step_id(wanted.op, known.gen))
    if generation_may_follow(step.state):
        return known.gen + 1
    if step.state is not StepState.DONE:
        raise ToolRefused(f"{wanted.op} is in progress already; it is not started twice.")
    # What was done in another thread may be another person's.
    is_here = known.thread_id == engine.session.thread_id
    about = f" ({reference_text(step.reference)})" if is_here and step.reference else ""
    if _is_equal(engine, wanted, step):
        raise ToolRefused(f"{wanted.op} was done already{about}; it is not done twice.")
    by = f" by {step.tool}" if step.tool != wanted.tool else ""
    how = f": {arguments(step.args, money=())}" if is_here else ""
    raise ToolRefused(
        f"{wanted.op} was done before{by}{about}, with other arguments{how}. Nothing was done now."
    )


def _is_equal(engine: Engine, wanted: StepDraft, step: Step) -> bool:
    """Tell whether a step was done with the arguments that are wanted, in their normal form."""
    if wanted.tool != step.tool:
        return False
    model = engine.registry.effect(step.tool).args
    return made_or(
        lambda: False,
        f"what compares the arguments of {step.tool}",
        lambda: (
            canonical(comparable(model, wanted.args)) == canonical(comparable(model, step.args))
        ),
    )


async def _opened(
    page: Page,
    engine: Engine,
    proposal: Proposal,
    drafts: Sequence[Draft],
    needs: Needs,
    gens: Mapping[str, int],
) -> Plan:
    """Write a plan's first page; all of its operations may be begun."""
    begun, before = Plan(proposal.plan_id, proposal.turn_id), proposal.before
    page.write(_opening(engine, begun, drafts, needs, before, page.now))
    plan = await page.plan(begun.plan_id)
    assert plan is not None
    for index, one in enumerate(drafts):
        page.write(*_intents(engine, plan, index, one, gens))
    if before is not None and plan.approval == "edit":
        # The edit is the approval of its exact arguments, by the person whose edit it is.
        editor = before.actions[0]
        by = replace(engine.session, author=editor.decided_by or "", role=editor.decided_as or "")
        until = page.now + engine.patience.approval
        approved = ["approved" for _ in plan.actions]
        facts: dict[str, Any] = {"edit_of": before.plan_id}
        if editor.decided_for:
            facts["stands_for"] = [*editor.decided_for]
        page.write(*decision(plan, approved, by, until=until, **facts))
    return plan


def _opening(
    engine: Engine,
    plan: Plan,
    drafts: Sequence[Draft],
    needs: Needs,
    before: Plan | None,
    now: datetime,
) -> Entry:
    """Write what a plan is, and whether policy approves it or a reviewer is asked, until when."""
    approval = _approval(engine, drafts, needs, before)
    patience = engine.patience
    described = {
        str(index): {
            **written(one.action.args),
            "title": one.action.title,
            "summary": list(one.action.summary),
            "total": one.action.total.model_dump() if one.action.total else None,
            **({"choices": one.action.choices} if one.action.choices else {}),
            **({"about": one.action.about} if one.action.about else {}),
        }
        for index, one in enumerate(drafts)
        if one.action.title
    }
    # An effect that was called by itself tells its arguments by its step.
    described |= {
        str(index): {"total": one.action.total.model_dump()}
        for index, one in enumerate(drafts)
        if not one.action.title and one.action.total
    }
    return plan.entry(
        Event.OPENED,
        turn_id=plan.turn_id,
        author="policy" if approval == "policy" else None,
        deadline_at=now + (patience.approval if approval == "policy" else _waits(needs, patience)),
        detail={
            "approval": approval,
            **({"needs": told} if (told := needs.written()) else {}),
            "actions": [_named(one, before) for one in drafts],
        },
        payload={"actions": described} if described else None,
    )


def _waits(needs: Needs, patience: Patience) -> timedelta:
    """Return how long a question waits."""
    after = needs.expires_after
    return patience.question if after is None else timedelta(seconds=after)


def _named(drafted: Draft, before: Plan | None) -> dict[str, str]:
    """Name an action's call and tool, and who changed it from what the model proposed."""
    named = {"call": drafted.call.name, "tool": drafted.action.tool}
    for action in before.actions if before else ():
        if action.call == drafted.call.name:
            by = action.decided_by if action.decision == "edited" else action.edited_by
            named |= {"edited_by": by} if by else {}
    return named


def _approval(engine: Engine, drafts: Sequence[Draft], needs: Needs, before: Plan | None) -> str:
    if needs.role == "nobody":
        return "policy"
    if before is None:
        return "asked"
    return "edit" if _is_decided_by_edit(engine, drafts, needs, before) else "asked again"


def _intents(
    engine: Engine, plan: Plan, index: int, drafted: Draft, gens: Mapping[str, int]
) -> list[Entry]:
    """Write the write-ahead records of one action: all five fields of each step.

    Operation and generation are the step id and the idempotency key.
    """
    entries = []
    made_of = zip(drafted.action.steps, drafted.observed, drafted.expected, strict=True)
    for step, observed, expected in made_of:
        effect = engine.registry.effect(step.tool)
        facts = {
            "tool": step.tool,
            "name": step.name if step.name != step.tool else None,
            "action": index or None,
            "pivot": step.pivot or None,
            "undo": effect.undo.tool if effect.undo else None,
            "money": list(money) if (money := effect.money_of(step.args)) else None,
        }
        record = {
            **written(step.args),
            "binds": {name: bind.model_dump(mode="json") for name, bind in step.binds.items()},
            "preconditions": dict(observed),
            "evidence": dict(expected),
        }
        entries.append(
            plan.entry(
                Event.INTENDED,
                op=step.op,
                gen=gens[step.op],
                detail={name: fact for name, fact in facts.items() if fact is not None},
                payload={name: value for name, value in record.items() if value},
            )
        )
    return entries


def _is_decided_by_edit(
    engine: Engine, drafts: Sequence[Draft], needs: Needs, before: Plan
) -> bool:
    """Tell whether an edited plan moves the same money by the same tools as the one decided on.

    Then the edit is the approval of its exact arguments, given by whoever may approve them; else it
    is asked again, as it is where something moved by itself, or another thing was observed than
    whoever edited it could see.
    """
    decided = before.actions[0]
    who = decided.decided_by or "", decided.decided_as or ""
    editor = Person(*who, stands_for=decided.decided_for)
    if before.has_moved or needs.approvals > 1 or needs.bars(editor, engine.session.user_id):
        return False
    was = {action.call: action for action in before.actions}
    return all(_is_as_seen(engine, was[one.call.name], one) for one in drafts)


def _is_as_seen(engine: Engine, was: Action, drafted: Draft) -> bool:
    """Tell whether an edited action comes to what was seen before: money, tools, observations."""
    now = drafted.action
    if (was.tool, was.total, [step.tool for step in was.steps]) != (
        now.tool,
        now.total,
        [step.tool for step in now.steps],
    ):
        return False
    return not any(
        moved_between(engine, step, observed)
        for step, observed in zip(was.steps, drafted.observed, strict=True)
    )
