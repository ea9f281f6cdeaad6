"""The first page of a plan: what it is, who must approve it, its steps' write-ahead records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from daybook.nodes.planning.drafting import Drafted
from daybook.nodes.running.work import Work
from daybook.nodes.sending.claim import moved_between
from daybook.state.effects.keys import fresh_salt
from daybook.state.effects.written import kept
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.plan import Action, Plan
from daybook.state.ledger.recovery import Event
from daybook.state.people.policy import Needs
from daybook.state.session import Person


def opening(
    plan: Plan,
    drafted: Sequence[Drafted],
    needs: Needs,
    edited: Plan | None,
    now: datetime,
    work: Work,
) -> Entry:
    """Write what the plan is, and whether policy approves it or a person is asked, until when."""
    approval = _approval(drafted, needs, edited, work)
    patience = work.resources.patience
    described = {
        str(index): {
            **kept(one.action.args),
            "title": one.action.title,
            "summary": list(one.action.summary),
            "total": one.action.total.model_dump() if one.action.total else None,
            **({"choices": one.action.choices} if one.action.choices else {}),
            **({"about": one.action.about} if one.action.about else {}),
        }
        for index, one in enumerate(drafted)
        if one.action.title
    }
    return plan.entry(
        Event.OPENED,
        turn_id=plan.turn_id,
        author="policy" if approval == "policy" else None,
        deadline_at=now + (patience.approval if approval == "policy" else patience.question),
        detail={
            "approval": approval,
            **({"needs": written} if (written := needs.written()) else {}),
            "actions": [_named(one, edited) for one in drafted],
        },
        payload={"actions": described} if described else None,
    )


def _named(drafted: Drafted, edited: Plan | None) -> dict[str, str]:
    """Name an action's call and tool, and who changed it from what the model proposed."""
    named = {"call": drafted.call, "tool": drafted.action.tool}
    before = [one for one in (edited.actions if edited else ()) if one.call == drafted.call]
    for action in before:
        by = action.decided_by if action.decision == "edited" else action.edited_by
        named |= {"edited_by": by} if by else {}
    return named


def _approval(drafted: Sequence[Drafted], needs: Needs, edited: Plan | None, work: Work) -> str:
    if needs.role == "nobody":
        return "policy"
    if edited is None:
        return "asked"
    return "edit" if _is_decided_by_edit(drafted, needs, edited, work) else "asked again"


def intents(
    plan: Plan, index: int, drafted: Drafted, gens: Mapping[str, int], work: Work
) -> list[Entry]:
    """Write the write-ahead records of one action: all five fields of each step.

    Operation and generation are the step id and the idempotency key.
    """
    entries = []
    made = zip(drafted.action.steps, drafted.observed, drafted.expected, strict=True)
    for step, observed, expected in made:
        effect = work.domain.registry.effect(step.tool)
        facts = {
            "tool": step.tool,
            "name": step.name if step.name != step.tool else None,
            "action": index or None,
            "pivot": step.pivot or None,
            "undo": effect.undo.tool if effect.undo else None,
        }
        record = {
            **kept(step.args),
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


def approved_by_edit(plan: Plan, edited: Plan, now: datetime, work: Work) -> Entry:
    """Record that a person's edit is the approval of its exact arguments."""
    salt = fresh_salt()
    return plan.entry(
        Event.DECISION,
        author=edited.actions[0].decided_by,
        role=edited.actions[0].decided_as,
        deadline_at=now + work.resources.patience.approval,
        detail={
            "decisions": ["approved" for _ in plan.actions],
            "bound_to": plan.bound_to(salt),
            "edit_of": edited.plan_id,
        },
        payload={"salt": salt},
    )


def _is_decided_by_edit(drafted: Sequence[Drafted], needs: Needs, edited: Plan, work: Work) -> bool:
    """Tell whether an edited plan moves the same money by the same tools as the one decided on.

    Then the edit is the approval of its exact arguments, given by whoever may approve them; else it
    is asked again, as it is where something moved by itself, or another thing was observed than
    whoever edited it could see.
    """
    decided = edited.actions[0]
    editor = Person(decided.decided_by or "", decided.decided_as or "")
    if edited.has_moved or needs.bars(editor, work.session.user_id):
        return False
    before = {action.call: action for action in edited.actions}
    return all(_is_as_seen(before[one.call], one, work) for one in drafted)


def _is_as_seen(was: Action, drafted: Drafted, work: Work) -> bool:
    """Tell whether an edited action comes to what was seen before: money, tools, observations."""
    now = drafted.action
    if (was.tool, was.total, [step.tool for step in was.steps]) != (
        now.tool,
        now.total,
        [step.tool for step in now.steps],
    ):
        return False
    return not any(
        moved_between(step, observed, work)
        for step, observed in zip(was.steps, drafted.observed, strict=True)
    )
