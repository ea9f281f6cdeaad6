"""Commands about users' data: threads, memory, lessons, erasure and retention."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated

import typer

from daybook.app.cli.options import Commands, Json, User, Yes, agree, named_user, runs
from daybook.app.conversations.terminal import Terminal
from daybook.app.domain_names import domain_of
from daybook.app.output import day, minute, tell, tell_json
from daybook.checkpoints.people.delegations import delegations
from daybook.checkpoints.people.erasure import Held, everything, open_eraser, overdue, retain
from daybook.checkpoints.people.threads import standing
from daybook.checkpoints.people.tokens import Tokens, open_token_office
from daybook.graph.database import open_database
from daybook.graph.settings.environment import KEEP_VARIABLES, Settings, settings_from
from daybook.state.clock import SYSTEM
from daybook.state.errors import DaybookError, UnknownUser
from daybook.state.people.facts import KINDS, fact_of, forgotten, line_of, refuse_one_more
from daybook.state.people.lifecycle import Lifecycle, Part, lifecycle
from daybook.state.prompt.lessons import Lesson
from daybook.state.run_input import checked_id
from daybook.state.session import user_named

commands = Commands()

# -- threads ---------------------------------------------------------------------------------------


@commands.command()
async def threads(
    user: Annotated[
        str | None, typer.Option("--user", help="Only this user's.", callback=named_user)
    ] = None,
    as_json: Json = False,
) -> None:
    """List the conversations of all programs: status, who must answer, what is stored."""
    await print_threads(settings_from(), Terminal(), user=user, as_json=as_json)


_COLUMNS = (
    *("thread", "program", "user", "stands", "waits for"),
    *("until", "cache", "holds", "kept until"),
)


async def print_threads(
    settings: Settings, terminal: Terminal, *, user: str | None, as_json: bool
) -> None:
    """Print the conversations of a person, or of all.

    Raises:
        UnknownUser: the user has no threads.
    """
    keep = {part.value: period for part, period in settings.keep.items()}
    async with open_database(settings) as postgres:
        found = await standing(postgres.pool, user_id=user)
        if user is not None and not found and not await postgres.threads.knows(user):
            raise UnknownUser(user)
    shown = [lifecycle(one, keep, SYSTEM.now()) for one in found]
    if as_json:
        for one in shown:
            tell_json(json.dumps(asdict(one), default=lambda at: at.isoformat()))
    elif shown:
        terminal.rows(_COLUMNS, map(_row, shown))
    else:
        terminal.note("There are no conversations.")


def _row(one: Lifecycle) -> tuple[str, ...]:
    kept = min(one.kept.items(), key=lambda part: part[1], default=None)
    return (
        one.thread_id,
        one.program or "",
        one.user_id,
        one.status,
        one.waits_for,
        minute(one.until) if one.until else "",
        minute(one.cache_until) if one.cache_until else "cold",
        minute(one.holds_until) if one.holds_until else "none",
        f"{minute(kept[1])} ({kept[0]})" if kept else "for ever",
    )


_STAYS = (
    "Ledger entries stay, without arguments, results and text: which tool was called when, the "
    "operation (with its ids), the user id, and the ids that a client gave its messages. Their "
    "chains still verify. Lessons stay too: classes of errors, with thread ids."
)
_OUT_OF_REACH = (
    "Not erased by this command: backups and write-ahead logs of the database; data at the model "
    "provider, in logs and in traces; the service providers' own records, such as orders; the "
    "data of a LangGraph server (.langgraph_api: stop it and delete that folder); exports with "
    "payloads; checkpoints of a saver of your own; the memory of running processes."
)


@commands.command()
async def forget(
    user: Annotated[str, typer.Argument(help="The user whose data to erase.", callback=named_user)],
    yes: Yes = False,
) -> None:
    """Erase a user's messages, arguments and results. The ledger's chains still verify.

    Their payloads, reads, checkpoints and facts are erased, and their tokens are
    revoked. Threads with open steps are skipped, since finishing or undoing these
    needs the data.
    """
    terminal, done = Terminal(), list[Held]()
    async with open_database(settings_from()) as postgres, open_eraser(postgres) as eraser:
        threads = await eraser.of_person(user)
        facts = len(await postgres.memory.of(user))
        tokens = [one for one in await Tokens(postgres.pool).all() if one.user_id == user]
        stood_in = [
            one for one in await delegations(postgres.pool) if user in (one.user_id, one.to_user)
        ]
        if not threads and not tokens and not facts and not stood_in:
            raise DaybookError(
                f"User {user!r} has no thread here (tenant {postgres.tenant_id}). Nothing was "
                "erased; check DATABASE_URL and DAYBOOK_TENANT."
            )
        terminal.note(f"{user} has {len(threads)} threads here:")
        for held in threads:
            what = f"is kept: {held.kept}" if held.kept else _rows_of([held])
            terminal.note(f"  {held.thread_id}  {held.status:<8} {what}")
        if facts:
            terminal.note(f"{facts} facts are remembered about {user}: see daybook memory.")
        is_at_stake = facts or _left(threads, done) or any(token.is_good for token in tokens)
        if is_at_stake:
            agree(terminal, "Erase it permanently?", "Nothing was erased.", is_sure=yes)
        if tokens or stood_in:
            async with open_token_office(postgres) as office:
                revoked = await office.revoke_all(user)
            terminal.note(f"Revoked: all {revoked} tokens of {user}; their notes are erased.")
        # Again: a thread may have been begun meanwhile.
        while left := _left(await eraser.of_person(user), done):
            done += [await eraser.erase(held.thread_id, everything) for held in left]
        await eraser.unname_usage(user)
        # Last: a thread that was still at work may have remembered something.
        if forgotten := await postgres.memory.forget_all(user):
            terminal.note(f"Forgotten: all {forgotten} facts about {user}.")
    erased = [held for held in done if not held.kept]
    if erased:
        terminal.note(f"Erased: {_rows_of(erased)}. {_STAYS}")
    terminal.note(_OUT_OF_REACH)
    kept = {held.thread_id: held for held in (*threads, *done) if held.kept}.values()
    if kept:
        raise DaybookError(
            f"Not erased: {'; '.join(f'{held.thread_id} ({held.kept})' for held in kept)}. Finish "
            "or reject what is open, in its own program, in the console or with `daybook chat "
            f"--user {user} --thread ...`, then run this again."
        )


def _left(threads: Sequence[Held], done: Sequence[Held]) -> list[Held]:
    """Return the threads that are still to be erased."""
    tried = {held.thread_id for held in done}
    return [
        held
        for held in threads
        if not held.kept and not held.is_erased and held.thread_id not in tried
    ]


def _rows_of(threads: Sequence[Held]) -> str:
    """Say how many rows of each part there are, over threads."""
    counts = {part: sum(held.rows.get(part, 0) for held in threads) for part in Part}
    said = ", ".join(f"{count} of {part.value}" for part, count in counts.items() if count)
    return f"rows: {said}" if said else "nothing"


_MEANING = (
    "Counted from a thread's last activity. A thread that is running, waits for an answer or has "
    "an open step is skipped; a thread that loses data is closed."
)


@commands.command()
async def retention(
    apply: Annotated[bool, typer.Option("--apply", help="Erase what is due.")] = False,
    yes: Yes = False,
) -> None:
    """Print the retention times of thread data, and what is due."""
    settings, terminal = settings_from(), Terminal()
    for part, name in KEEP_VARIABLES.items():
        terminal.note(f"{part.value:<12} {settings.keep[part].days:>6} days  {name}")
    terminal.note(_MEANING)
    async with open_database(settings) as postgres:
        if apply:
            agree(terminal, "Erase what is due?", "Nothing was erased.", is_sure=yes)
            erased = await retain(postgres, settings.keep)
            terminal.note(f"Erased in {len(erased)} threads, {_rows_of(erased)}.")
            return
        async with open_eraser(postgres) as eraser:
            due = [held async for held in overdue(eraser, settings.keep)]
    terminal.note(
        f"Due: {len(due)} threads, {_rows_of(due)}. Nothing was erased; `daybook retention "
        "--apply` erases it."
        if due
        else "Nothing is due."
    )


# -- memory ----------------------------------------------------------------------------------------

_COPIES = (
    "Messages of threads still contain it until they are erased (daybook forget, daybook "
    "retention); a running turn finishes with the facts it started with."
)


memory = Commands(invoke_without_command=True)
commands.add_typer(memory, name="memory", help="List, change and forget the facts about a user.")


@memory.callback()
@runs
async def list_memory(context: typer.Context, user: User = None) -> None:
    """List what is known of a person; it stands in the prompt of all their conversations."""
    domain = domain_of(settings_from())
    is_named, user = user is not None, user or user_named(domain.user)
    context.obj = checked_id(user, "a user")
    if context.invoked_subcommand is not None:
        return
    async with open_database(settings_from()) as postgres:
        facts = await postgres.memory.of(user)
        if not facts and is_named and not await postgres.threads.knows(user):
            raise UnknownUser(user)
    if not facts:
        tell(f"Nothing is remembered about {user}.")
        return
    Terminal().rows(
        ("Subject", "Value", "Kind", "From", "When (UTC)"),
        [(one.subject, one.value, one.kind, one.source, minute(one.at)) for one in facts],
    )


@memory.command("set")
async def set_fact(
    context: typer.Context,
    subject: Annotated[str, typer.Argument(help="The subject, such as 'shoe size'.")],
    value: Annotated[str, typer.Argument(help="The value.")],
    kind: Annotated[str, typer.Option("--kind", help=f"{', '.join(KINDS)}.")] = "fact",
    user: User = None,
) -> None:
    """Remember a fact. It replaces an earlier one with the same subject."""
    whose = checked_id(user or context.obj, "a user")
    fact = fact_of(subject, value, kind, "daybook memory", SYSTEM.now())
    async with open_database(settings_from()) as postgres:
        refuse_one_more(await postgres.memory.of(whose), fact)
        await postgres.memory.put(whose, fact)
    tell(f"Remembered about {whose}: {line_of(fact)} ({fact.kind}).")


@memory.command("forget")
async def forget_fact(
    context: typer.Context,
    subject: Annotated[str | None, typer.Argument(help="The subject.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Forget everything.")] = False,
    user: User = None,
    yes: Yes = False,
) -> None:
    """Forget the facts about a subject, or with --all every fact."""
    if everything is (subject is not None):
        raise typer.BadParameter("Give either SUBJECT or --all.")
    whose = checked_id(user or context.obj, "a user")
    async with open_database(settings_from()) as postgres:
        known = await postgres.memory.of(whose)
        if subject is not None:
            forgotten(known, subject)
        if known:
            what = f"{subject!r} of" if subject is not None else f"all {len(known)} facts of"
            agree(Terminal(), f"Forget {what} {whose}?", "Nothing was forgotten.", is_sure=yes)
        if subject is not None:
            await postgres.memory.forget(whose, subject)
            tell(f"Forgotten about {whose}: {subject}. {_COPIES}")
            return
        count = await postgres.memory.forget_all(whose)
    if count == 0:
        raise DaybookError(f"Nothing is remembered about {whose}. Nothing was done.")
    tell(f"Forgotten: all {count} facts about {whose}. {_COPIES}")


# -- lessons ---------------------------------------------------------------------------------------

lessons = Commands(invoke_without_command=True)
commands.add_typer(
    lessons, name="lessons", help="List the lessons learned from failed calls, or retire them."
)


@lessons.callback()
@runs
async def list_lessons(context: typer.Context) -> None:
    """List the lessons counted from failed calls."""
    if context.invoked_subcommand is not None:
        return
    async with open_database(settings_from()) as postgres:
        found = await postgres.lessons.all()
    if not found:
        tell("There are no lessons; no call has been refused or declined.")
        return
    rows = [
        (
            *(one.tool, one.flow, one.error, str(one.count), str(one.people)),
            *(f"{one.helped}/{one.missed}", _shown(one)),
        )
        for one in found
    ]
    Terminal().rows(("Tool", "Flow", "Error", "Count", "Users", "Helped/missed", "Shown"), rows)


@lessons.command("drop")
async def drop_lesson(
    tool: Annotated[str, typer.Argument(help="The tool's name.")],
    error: Annotated[
        str | None, typer.Option("--error", help="Only lessons of this error.")
    ] = None,
) -> None:
    """Retire the lessons of a tool: they are stored but no longer used."""
    async with open_database(settings_from()) as postgres:
        retired = await postgres.lessons.retire(tool, error)
    if not retired:
        of = f" of the error {error!r}" if error is not None else ""
        raise DaybookError(
            f"No lesson of {tool}{of} to retire. Nothing was changed; `daybook lessons` lists them."
        )
    for one in retired:
        tell(f"Retired: {one.tool} at {one.flow}: {one.error}")


def _shown(lesson: Lesson) -> str:
    if lesson.retired_at is not None:
        return f"retired {day(lesson.retired_at)}"
    return "yes" if lesson.is_learnt else "not yet"
