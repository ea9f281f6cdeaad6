"""Forget a person: erase what their threads hold, and say what stays and what is out of reach."""

from __future__ import annotations

from collections.abc import Sequence

from daybook.app.conversations.terminal import Terminal
from daybook.checkpoints.people.erasure import Held, Part, everything, open_eraser
from daybook.checkpoints.people.tokens import Tokens, open_token_office
from daybook.graph.database import open_database
from daybook.graph.settings.environment import Settings
from daybook.state.errors import DaybookError

_STAYS = (
    "The entries of the ledger stay, without arguments, results and words: what kind of thing "
    "happened when, under which operation (with the numbers that name it), by which user id, and "
    "the ids that a client gave its messages. Their chains still verify. Lessons stay too: kinds "
    "of failure, with ids of threads."
)
_OUT_OF_REACH = (
    "Not reached from here: backups and write-ahead logs of the database; what the model's "
    "provider, its logs and traces keep; the other side's own records, such as orders; what a "
    "LangGraph server keeps of its threads, messages and state too (.langgraph_api: stop it and "
    "delete that folder); the memory of processes that run."
)


async def forget(settings: Settings, terminal: Terminal, user: str, *, is_sure: bool) -> None:
    """Erase a person's payloads, reads and checkpoints, their memory, and revoke their tokens.

    Threads with something open are kept: what is needed to settle or undo it must not be lost.

    Args:
        is_sure: erase without asking.

    Raises:
        DaybookError: the person is unknown, nothing was confirmed, or something had to be kept.
    """
    done: list[Held] = []
    async with open_database(settings) as postgres, open_eraser(postgres) as eraser:
        threads = await eraser.of_person(user)
        facts = await postgres.memory.count(user)
        tokens = [one for one in await Tokens(postgres.pool).all() if one.user_id == user]
        if not threads and not tokens and not facts:
            raise DaybookError(
                f"Nobody named {user} has a thread here (tenant {postgres.tenant_id}). Nothing was "
                "erased; see DATABASE_URL and DAYBOOK_TENANT."
            )
        _show(terminal, user, threads)
        if facts:
            terminal.note(f"{facts} facts are remembered of {user}: see daybook memory.")
        is_at_stake = facts or _left(threads, done) or any(token.is_good for token in tokens)
        if is_at_stake and not is_sure and not _confirmed(terminal):
            raise DaybookError("Nothing was erased.")
        if tokens:
            async with open_token_office(postgres) as office:
                revoked = await office.revoke_all(user)
            terminal.note(f"Revoked: all {revoked} tokens of {user}; their notes are erased.")
        # Again: a thread may have been begun meanwhile.
        while left := _left(await eraser.of_person(user), done):
            done += [await eraser.erase(held.thread_id, everything) for held in left]
        # Last: a thread that was still at work may have remembered something.
        if forgotten := await postgres.memory.forget_all(user):
            terminal.note(f"Forgotten: all {forgotten} facts that were known of {user}.")
    erased = [held for held in done if not held.kept]
    if erased:
        terminal.note(f"Erased: {rows_of(erased)}. {_STAYS}")
    terminal.note(_OUT_OF_REACH)
    kept = {held.thread_id: held for held in (*threads, *done) if held.kept}.values()
    if kept:
        raise DaybookError(
            f"Kept: {'; '.join(f'{held.thread_id} ({held.kept})' for held in kept)}. Finish or "
            f"reject what is open (daybook chat --user {user} --thread ...), then run this again."
        )


def _left(threads: Sequence[Held], done: Sequence[Held]) -> list[Held]:
    """Return the threads that are still to be erased."""
    tried = {held.thread_id for held in done}
    return [
        held
        for held in threads
        if not held.kept and not held.is_erased and held.thread_id not in tried
    ]


def _confirmed(terminal: Terminal) -> bool:
    """Ask; a script that has nothing to say has said it by the command."""
    answer = terminal.read("erase it for good? (y/n) ")
    return answer in ("y", "yes") or (answer is None and not terminal.interactive)


def _show(terminal: Terminal, user: str, threads: Sequence[Held]) -> None:
    terminal.note(f"{user} has {len(threads)} threads here:")
    for held in threads:
        what = f"is kept: {held.kept}" if held.kept else rows_of([held])
        terminal.note(f"  {held.thread_id}  {held.status:<8} {what}")


def rows_of(threads: Sequence[Held]) -> str:
    """Say how many rows of each part there are, over threads."""
    counts = {part: sum(held.rows.get(part, 0) for held in threads) for part in Part}
    said = ", ".join(f"{count} of {part.value}" for part, count in counts.items() if count)
    return f"rows: {said}" if said else "nothing"
