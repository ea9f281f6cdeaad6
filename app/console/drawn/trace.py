"""A thread's traces: a tree for each turn, to scale, with what the ledger says of each span."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response

from daybook.app.console import house
from daybook.app.console.conversation.titles import title_of
from daybook.app.console.drawn.axis import Axis, axis_of
from daybook.app.console.drawn.axis import Span as Lasting
from daybook.app.console.drawn.drawing import WAITS, Kind, Lane, Strip
from daybook.app.console.guard import person_of
from daybook.app.console.pages import page as rendered_page
from daybook.app.console.pages import refused
from daybook.app.ledger.trace import says, title
from daybook.app.ledger.traces import Branch, outcome_of, traces_of
from daybook.state.telemetry.spans import Span, SpanKind, SpanStatus

_KINDS: Mapping[SpanKind | SpanStatus, Kind] = {
    SpanStatus.CUT_OFF: Kind.CRASH,
    SpanStatus.ERROR: Kind.REFUSED,
    SpanKind.MODEL: Kind.MODEL,
    SpanKind.PROBE: Kind.PROBE,
    SpanKind.COMPENSATION: Kind.UNDO,
    SpanKind.RECOVERY: Kind.RETRY,
    **dict.fromkeys(WAITS, Kind.WAIT),
}
"""How a span is drawn: by how it ended, else by what it is."""


async def page(request: Request) -> Response:
    """Show the traces of a thread, the last turn first."""
    thread_id, person = request.path_params["thread_id"], person_of(request)
    owner = await house.owner_of(thread_id, person)
    if owner is None:
        return refused(request, house.NO_THREAD, 404)
    turns = await traces_of(house.postgres(), thread_id)
    shown = [(turn, *drawn(turn)) for turn in reversed(turns)]
    title = await title_of(thread_id, owner)
    about = {"thread_id": thread_id, "title": title, "turns": shown, "outcome": outcome_of}
    return rendered_page(request, "trace.html", **about)


def drawn(turn: Branch) -> tuple[Axis, list[tuple[int, Branch, Lane]]]:
    """Draw a turn's tree: a lane for each span, with its depth, on one axis."""
    branches = [(depth, one) for depth, one in turn.walk() if one is not turn]
    spans = [turn.span, *(one.span for _, one in branches)]
    instants = [at for span in spans for at in (span.started, span.ended) if at is not None]
    lasted = [
        Lasting(one.span.started, one.span.ended, WAITS.get(one.span.kind, ""))
        for _, one in branches
        if one.span.ended is not None
    ]
    axis = axis_of(
        instants, [one for one in lasted if not one.why], [one for one in lasted if one.why]
    )
    return axis, [(depth, one, _lane(one.span, axis)) for depth, one in branches]


def _lane(span: Span, axis: Axis) -> Lane:
    kind = _KINDS.get(span.status) or _KINDS.get(span.kind, Kind.SENT)
    state, strip = outcome_of(span), Strip()
    if span.ended is not None:
        strip.bar(span.started, span.ended, kind, state)
    else:
        strip.mark(span.started, kind if kind is not Kind.WAIT else Kind.ASKED, state)
    return Lane(title(span), *strip.placed(axis), state=state, says=says(span))
