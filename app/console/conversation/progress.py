"""A thread's progress: where it stands, the document as it is now, and the versions of it."""

from __future__ import annotations

from langchain_core.runnables import RunnableConfig
from starlette.requests import Request
from starlette.responses import Response

from daybook.app.console import house
from daybook.app.console.conversation.titles import title_of
from daybook.app.console.guard import person_of
from daybook.app.console.pages import page as rendered_page
from daybook.app.console.pages import refused
from daybook.checkpoints.people.threads import standing
from daybook.graph.settings.environment import settings_from
from daybook.nodes.past.fresh import document_of, stored_state
from daybook.nodes.running.identity import session_of
from daybook.nodes.running.work import Work
from daybook.state.people.lifecycle import lifecycle
from daybook.state.prompt.progress import Progress, parse, render
from daybook.tools.domain import Domain


async def page(request: Request) -> Response:
    """Show the document; as a file where `download` is asked for."""
    thread_id, person = request.path_params["thread_id"], person_of(request)
    owner = await house.owner_of(thread_id, person)
    if owner is None:
        return refused(request, house.NO_THREAD, 404)
    domain = await house.domain_of(thread_id)
    versions = await house.postgres().documents.versions(thread_id)
    wanted = request.query_params.get("version", "")
    kept = {str(one.version): one.document for one in versions}
    if wanted and wanted not in kept:
        return refused(request, f"There is no version {wanted[:20]} of this document.", 404)
    document = kept[wanted] if wanted else await _now(thread_id, domain, owner)
    if document is None:
        return refused(request, "There is nothing to tell of this conversation yet.", 404)
    if "download" in request.query_params:
        about = {"content-disposition": 'attachment; filename="progress.md"'}
        return Response(document, media_type="text/markdown; charset=utf-8", headers=about)
    (stands,) = await standing(house.postgres().pool, domain.name, thread_id=thread_id)
    keep = {part.value: period for part, period in settings_from().keep.items()}
    return rendered_page(
        request,
        "progress.html",
        thread_id=thread_id,
        title=await title_of(thread_id, owner),
        sections=_sections(parse(document)),
        versions=versions,
        shown=wanted,
        cycle=lifecycle(stands, keep, house.resources().clock.now()),
    )


async def _now(thread_id: str, domain: Domain, owner: str) -> str | None:
    config: RunnableConfig = {"configurable": {"thread_id": thread_id, "user_id": owner}}
    resources = house.resources(domain)
    work = Work(domain, resources, session_of(config, resources.postgres.tenant_id))
    state = await stored_state(thread_id, work)
    return None if state is None else render(await document_of(state, work))


def _sections(progress: Progress) -> list[tuple[str, list[str]]]:
    """Return the document's parts as the page shows them."""
    _, *blocks = render(progress).split("\n## ")
    parts = (block.split("\n") for block in blocks)
    return [(title, [line[2:] for line in lines if line]) for title, *lines in parts]
