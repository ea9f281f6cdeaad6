"""Print the progress of a thread: the document as it is now, or a version that was stored."""

from __future__ import annotations

from datetime import UTC

from langchain_core.language_models import FakeListChatModel
from langchain_core.runnables import RunnableConfig

from daybook.app.domains import served_by
from daybook.app.ledger.listing import no_ledger
from daybook.app.output import tell, tell_aside
from daybook.graph.database import open_database, open_database_of
from daybook.graph.settings.environment import Settings
from daybook.nodes.past.fresh import document_of, stored_state
from daybook.nodes.running.identity import session_of
from daybook.nodes.running.work import Resources, Work
from daybook.state.errors import DaybookError
from daybook.state.prompt.progress import render


async def show(settings: Settings, thread_id: str, version: int | None) -> None:
    """Print a thread's progress as markdown, to be read or kept in a file.

    Args:
        version: of the stored documents; None writes what is so now.

    Raises:
        DaybookError: there is no such thread, or no such version.
    """
    domain = served_by(settings).domain
    async with open_database_of(domain, settings) as postgres:
        if version is not None:
            stored = await postgres.documents.versions(thread_id)
            found = [one.document for one in stored if one.version == version]
            if not found:
                raise DaybookError(
                    f"The thread {thread_id} has no version {version} of its progress; "
                    f"`daybook progress {thread_id} --list` names those that are kept."
                )
            tell(found[0])
            return
        owner = await postgres.threads.owner_of(thread_id)
        resources = Resources(
            postgres=postgres,
            model=FakeListChatModel(responses=[]),  # nobody asks it
            budget=settings.prompt_tokens,
        )
        about: RunnableConfig = {"configurable": {"thread_id": thread_id, "user_id": owner}}
        work = Work(domain, resources, session_of(about, postgres.tenant_id))
        state = await stored_state(thread_id, work) if owner is not None else None
        if state is None:
            raise DaybookError(
                f"There is no thread {thread_id} with anything to tell, or it was closed."
            )
        tell(render(await document_of(state, work)))


async def listed(settings: Settings, thread_id: str) -> None:
    """List the stored versions of a thread's progress: when and why each was written.

    Raises:
        DaybookError: there is no such thread.
    """
    async with open_database(settings) as postgres:
        versions = await postgres.documents.versions(thread_id)
        if not versions and not await postgres.ledger.stored(thread_id):
            raise no_ledger(thread_id)
    for one in versions:
        at = one.at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S")
        tell(f"{one.version:>4}  {at}  epoch {one.epoch}  {one.why}")
    if not versions:
        tell_aside(
            f"No version is stored of {thread_id}: its prompt is in its first epoch. "
            f"`daybook progress {thread_id}` writes what is so now."
        )
