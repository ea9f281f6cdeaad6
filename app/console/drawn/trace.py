"""A thread's traces: a tree for each turn, to scale, with what the ledger says of each span."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from daybook.app.console import house
from daybook.app.console.drawn.axis import Axis, axis_of
from daybook.app.console.drawn.axis import Span as Stretch
from daybook.app.console.guard import person_of
from daybook.app.console.pages import page as rendered_page
from daybook.app.console.pages import refused
from daybook.app.ledger.trace import duration, says, title
from daybook.app.ledger.traces import Branch, outcome_of, traces_of
from daybook.state.telemetry.spans import SpanKind, SpanStatus

_WAITS = {SpanKind.APPROVAL: "a person is asked", SpanKind.DOUBT: "a person is asked"}

_LEAST_WIDTH = 0.4
"""Percent: what is shorter is drawn as wide."""


@dataclass(frozen=True)
class Row:
    """Hold a line of a tree: where it is drawn, in percent, and what it says."""

    depth: int
    branch: Branch
    left: float
    width: float
    title: str
    took: str
    outcome: str
    says: str

    @property
    def look(self) -> str:
        """Return what tells the bars apart: how it ended, else what it is."""
        status = self.branch.span.status
        if status in (SpanStatus.ERROR, SpanStatus.CUT_OFF):
            return "failed"
        return "wait" if self.branch.span.kind in _WAITS else self.branch.span.kind.value.split()[0]


async def page(request: Request) -> Response:
    """Show the traces of a thread, the last turn first."""
    thread_id, person = request.path_params["thread_id"], person_of(request)
    if await house.owner_of(thread_id, person) is None:
        return refused(request, house.NO_THREAD, 404)
    turns = await traces_of(house.postgres(), thread_id)
    shown = [(turn, rows_of(turn)) for turn in reversed(turns)]
    return rendered_page(request, "trace.html", thread_id=thread_id, turns=shown)


def rows_of(turn: Branch) -> list[Row]:
    """Lay a turn's tree out: its bars on one axis, on which long waits are cut short."""
    branches = list(turn.walk())
    axis = _axis(turn)
    rows = []
    for depth, one in branches:
        left = axis.place(one.span.started)
        right = axis.place(one.span.ended) if one.span.ended is not None else left
        rows.append(
            Row(
                depth=depth,
                branch=one,
                left=min(left, 100 - _LEAST_WIDTH),
                width=max(right - left, _LEAST_WIDTH),
                title=title(one.span),
                took=duration(one.span.took) if one.span.took is not None else "",
                outcome=outcome_of(one.span),
                says=says(one.span),
            )
        )
    return rows


def _axis(turn: Branch) -> Axis:
    spans = [one.span for _, one in turn.walk()]
    instants = [at for span in spans for at in (span.started, span.ended) if at is not None]
    drawn = [(span, span.ended) for span in spans if span.ended is not None]
    work = [
        Stretch(span.started, ended, span.kind.value)
        for span, ended in drawn
        if span.kind is not SpanKind.TURN and span.kind not in _WAITS
    ]
    waits = [
        Stretch(span.started, ended, _WAITS[span.kind])
        for span, ended in drawn
        if span.kind in _WAITS
    ]
    return axis_of(instants, work, waits)
