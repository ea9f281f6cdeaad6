"""Commands about what is known of people, and what was learnt."""

from __future__ import annotations

from typing import Annotated

import typer

from daybook.app.cli.options import Whose, named_user, run
from daybook.app.conversations import memory as memories
from daybook.app.conversations.terminal import Terminal
from daybook.app.domains import served_by
from daybook.app.operating import forget as forgetting
from daybook.app.operating import lessons as learning
from daybook.graph.settings.environment import settings_from
from daybook.state.people.facts import KINDS
from daybook.state.people.named import user_named

commands = typer.Typer()


@commands.command()
def forget(
    user: Annotated[str, typer.Argument(help="Whose threads.", callback=named_user)],
    yes: Annotated[bool, typer.Option("--yes", help="Erase without asking.")] = False,
) -> None:
    """Erase what a person said and what was called for them; the ledger's chain still verifies."""
    run(forgetting.forget(settings_from(), Terminal(), user, is_sure=yes))


memory = typer.Typer(invoke_without_command=True)
commands.add_typer(memory, name="memory", help="List, change and forget what is known of a person.")


@memory.callback()
def list_memory(context: typer.Context, user: Whose = None) -> None:
    """List what is known of a person; it stands in the prompt of all their conversations."""
    is_named, user = user is not None, user or user_named(served_by(settings_from()).domain.user)
    if context.invoked_subcommand is None:
        run(memories.show(settings_from(), Terminal(), user, is_named=is_named))
    else:
        context.obj = user


@memory.command("set")
def set_fact(
    context: typer.Context,
    subject: Annotated[str, typer.Argument(help="About what, such as 'shoe size'.")],
    value: Annotated[str, typer.Argument(help="What is so.")],
    kind: Annotated[str, typer.Option("--kind", help=f"{', '.join(KINDS)}.")] = "fact",
    user: Annotated[
        str | None, typer.Option("--user", help="Of whom.", callback=named_user)
    ] = None,
) -> None:
    """Remember a fact in the place of an earlier one on its subject."""
    of = user or context.obj
    run(memories.remember(settings_from(), Terminal(), of, subject, value, kind))


@memory.command("forget")
def forget_fact(
    context: typer.Context,
    subject: Annotated[str | None, typer.Argument(help="About what.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="All that is known.")] = False,
    user: Annotated[
        str | None, typer.Option("--user", help="Of whom.", callback=named_user)
    ] = None,
) -> None:
    """Forget what is known on a subject, or with --all everything."""
    if everything is (subject is not None):
        raise typer.BadParameter("Give a SUBJECT or --all, one of the two.")
    run(memories.forget(settings_from(), Terminal(), user or context.obj, subject))


lessons = typer.Typer(invoke_without_command=True)
commands.add_typer(
    lessons, name="lessons", help="List the lessons counted from failed calls, or retire them."
)


@lessons.callback()
def list_lessons(context: typer.Context) -> None:
    """List the lessons counted from failed calls."""
    if context.invoked_subcommand is None:
        run(learning.show(settings_from(), Terminal()))


@lessons.command("drop")
def drop_lesson(
    tool: Annotated[str, typer.Argument(help="The tool's name.")],
    error: Annotated[str | None, typer.Option("--error", help="Of this error alone.")] = None,
) -> None:
    """Retire the lessons of a tool: they are kept and no longer shown."""
    run(learning.drop(settings_from(), Terminal(), tool, error))
