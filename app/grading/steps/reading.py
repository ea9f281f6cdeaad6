"""Read what a thread did: from the ledger, its reads, its documents, and what was said."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from daybook.nodes.prompt.spoken import known_in
from daybook.tools.said.known import Known

from daybook.app.grading.steps.background import Background, plans_before
from daybook.app.grading.steps.recorded import Record, trajectory_of
from daybook.app.grading.steps.trajectory import Trajectory
from daybook.checkpoints.postgres import Postgres
from daybook.nodes.prompt.compiler import Prompt
from daybook.nodes.prompt.proof import OTHER_TOOLS, PastPrompts, Shown, past_prompts
from daybook.state.errors import DaybookError
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.recovery import Event
from daybook.tools.domain import Domain


async def read_trajectory(postgres: Postgres, domain: Domain, thread_id: str) -> Trajectory:
    """Read what a thread did, on the branch on which it stands.

    What was erased is left out, and said in the trajectory's notes.

    Raises:
        DaybookError: there is no ledger of such a thread.
        UnknownLedgerVersion: this release cannot read an entry of it.
    """
    past = await past_prompts(thread_id, domain, postgres)
    if not past.entries:
        raise DaybookError(
            f"There is no ledger of a thread {thread_id} here, so there is nothing to look at; "
            "`daybook threads` names those that there are."
        )
    return trajectory_of(
        domain,
        Record(
            thread_id=thread_id,
            entries=past.entries,
            reads=past.reads,
            digests={one.epoch: one.digest for one in past.versions},
            said=past.newest,
            last=await _last(postgres, thread_id),
            backgrounds=await _backgrounds(past),
        ),
    )


async def _last(postgres: Postgres, thread_id: str) -> int | None:
    """Return the last decision of the branch on which the thread stands; None where it is gone."""
    stored = await postgres.saver.aget_tuple(
        {"configurable": {"thread_id": thread_id, "checkpoint_ns": ""}}
    )
    values = stored.checkpoint["channel_values"] if stored else {}
    last: int | None = (values.get("turn") or {}).get("last")
    return last


async def _backgrounds(past: PastPrompts) -> Mapping[int, Background]:
    """Show again what each answer was given on; nothing where that is not proved."""
    found = {}
    for entry in past.entries:
        is_answer = entry.event is Event.DECIDED and not (entry.payload or {}).get("calls")
        # What was said on a branch that was left is judged by nobody.
        if not is_answer or entry.payload is None or entry.turn_id not in past.newest:
            continue
        shown = await past.of(entry)
        if shown.prompt is not None and is_proved(shown):
            found[entry.seq] = background_of(entry, shown.prompt, past)
    return found


def is_proved(shown: Shown) -> bool:
    """Tell whether the messages of a prompt are proved, whatever its tools are described as."""
    return shown.doubt in ("", OTHER_TOOLS)


def background_of(decided: Entry, prompt: Prompt, past: PastPrompts) -> Background:
    """Return what was known when a decision was taken on a prompt."""
    return Background(partial(_known, decided, prompt, past))


def _known(decided: Entry, prompt: Prompt, past: PastPrompts) -> Known:
    plans = plans_before(past.entries, decided.seq)
    return known_in(prompt, plans, decided.turn_id or "", past.domain)
