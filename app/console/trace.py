"""A thread's traces: a tree for each turn, with durations and the ledger entries of each span."""

from __future__ import annotations

from datetime import timedelta

from starlette.requests import Request
from starlette.responses import Response

from daybook.app.console import house
from daybook.app.console.conversation.titles import title_of
from daybook.app.console.guard import person_of
from daybook.app.console.pages import page as rendered_page
from daybook.app.console.pages import refused
from daybook.app.ledger.trace import says, title
from daybook.app.ledger.traces import Branch, outcome_of, traces_of
from daybook.state.telemetry.spans import SpanKind

_WAITS = (SpanKind.APPROVAL, SpanKind.DOUBT)


async def page(request: Request) -> Response:
    """Show the traces of a thread, the last turn first."""
    thread_id, person = request.path_params["thread_id"], person_of(request)
    owner = await house.owner_of(thread_id, person)
    if owner is None:
        return refused(request, house.NO_THREAD, 404)
    traces = await traces_of(house.postgres(), thread_id)
    return rendered_page(
        request,
        "trace.html",
        thread_id=thread_id,
        title=await title_of(thread_id, owner),
        turns=[(turn, _longest(turn)) for turn in reversed(traces)],
        outcome=outcome_of,
        span_title=title,
        says=says,
        waits=_WAITS,
    )


def _longest(turn: Branch) -> timedelta:
    """Return the longest span of a turn that was no wait for a person."""
    spans = [one.span for _, one in turn.walk() if one is not turn]
    took = [span.took for span in spans if span.took is not None and span.kind not in _WAITS]
    return max(took, default=timedelta())
