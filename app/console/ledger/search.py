"""The search over the ledger: steps by tool, state, person, amount and time."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from decimal import Decimal, InvalidOperation
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from daybook.app.console import house
from daybook.app.console.pages import page as rendered_page
from daybook.checkpoints.ledger.search import Place, Wanted
from daybook.state.errors import InputRefused
from daybook.state.ledger.recovery import StepState
from daybook.state.people.named import user_named

_MOST = 25
_FIELDS = ("tool", "state", "user", "from_amount", "to_amount", "from_time", "to_time")
_LARGEST = Decimal(10) ** 15


async def page(request: Request) -> Response:
    """Show the form, and what fits it."""
    given = {name: request.query_params.get(name, "").strip() for name in _FIELDS}
    sentence, hits, older = "", [], ""
    kept = {name: value for name, value in given.items() if value}
    try:
        wanted = wanted_of(given)
        found = await house.search().steps(wanted, _before(request.query_params), _MOST)
        hits = found.steps
        if found.older:
            place = found.older
            after = {"at": place.at.isoformat(), "thread": place.thread_id, "seq": place.seq}
            older = urlencode({**kept, **after})
    except InputRefused as error:
        sentence = str(error)
    return rendered_page(
        request,
        "search.html",
        given=given,
        hits=hits,
        older=older,
        newest=urlencode(kept),
        is_first="at" not in request.query_params,
        sentence=sentence,
        tools=sorted({name for one in house.domains() for name in one.registry.effects}),
        states=[state.value for state in StepState],
    )


def wanted_of(given: Mapping[str, str]) -> Wanted:
    """Read what is looked for.

    Args:
        given: the fields of the form, each "" where it does not narrow.

    Raises:
        InputRefused: a field cannot be read.
    """
    state = given.get("state", "")
    if state and state not in [known.value for known in StepState]:
        raise InputRefused(f"There is no state {state}. Choose one of the list.")
    return Wanted(
        tool=given.get("tool") or None,
        state=StepState(state) if state else None,
        user_id=user_named(given.get("user", "")) or None,
        at_least=_cents(given.get("from_amount", "")),
        at_most=_cents(given.get("to_amount", "")),
        since=_instant(given.get("from_time", "")),
        until=_until(given.get("to_time", "")),
    )


def _cents(text: str) -> int | None:
    if not text:
        return None
    try:
        units = Decimal(text.replace(",", "."))
        if not 0 <= units < _LARGEST:
            raise InvalidOperation
    except InvalidOperation as error:
        raise InputRefused(
            f"{text[:40]} is no amount. Write it in units, such as 129.00."
        ) from error
    return int(units * 100)


def _until(text: str) -> datetime | None:
    """Return the end of what is named: a day or a minute is named with all of it."""
    at = _instant(text)
    if at is None:
        return None
    try:
        return at + (timedelta(minutes=1) if "T" in text else timedelta(days=1))
    except OverflowError:
        return at


def _instant(text: str) -> datetime | None:
    if not text:
        return None
    try:
        at = datetime.fromisoformat(text)
    except ValueError as error:
        raise InputRefused(
            f"{text[:40]} is no time. Write it in UTC, such as 2026-01-31T14:30."
        ) from error
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at


def _before(query: Mapping[str, str]) -> Place | None:
    if "at" not in query:
        return None
    at, seq = _instant(query["at"]), query.get("seq", "")
    if at is None or not seq.isdecimal() or len(seq) > 18:
        raise InputRefused("That page is not there. Search again.")
    return Place(at, query.get("thread", ""), int(seq))
