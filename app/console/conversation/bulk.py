"""Answer several questions at once, for staff: what is chosen is shown again, with its sum, before.

Each is still answered by itself and by its own approval id: what was answered meanwhile is told.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

from sse_starlette import EventSourceResponse
from starlette.requests import Request
from starlette.responses import Response

from daybook.app.console import house, runs
from daybook.app.console.conversation.forms import OVER, answer_of
from daybook.app.console.conversation.inbox import came_of
from daybook.app.console.conversation.questions import Asked, asked_in
from daybook.app.console.guard import form_of, person_of
from daybook.app.console.pages import page, refused, rendered
from daybook.state.effects.keys import digest
from daybook.state.errors import DaybookError, InputRefused
from daybook.state.money import Money
from daybook.state.session import Person

_MOST = 50
_CHOSEN = "chosen-"
_DECIDED = ("approve", "reject")
_WORDS = ("happened", "not_happened")


@dataclass(frozen=True)
class Given:
    """What became of one of the answers.

    Attributes:
        run_id: the run that takes it to its conversation; "" where none was begun.
        sentence: why none was; else "".
    """

    thread_id: str
    owner: str
    title: str
    run_id: str
    sentence: str


async def answer(request: Request) -> Response:
    """Show what was chosen, with count and sum; answer it once that has been confirmed."""
    form, person = form_of(request), person_of(request)
    word = form.get("word", "")
    chosen = {
        name.removeprefix(_CHOSEN): id_ for name, id_ in form.items() if name.startswith(_CHOSEN)
    }
    if not chosen or word not in (*_DECIDED, *_WORDS):
        return refused(request, "Nothing was chosen. Nothing was done.", 400)
    if len(chosen) > _MOST:
        return refused(request, f"At most {_MOST} are answered at once. Nothing was done.", 400)
    if form.get("confirmed") == digest([word, sorted(chosen.items())]):
        given = [await _given(thread_id, id_, word, person) for thread_id, id_ in chosen.items()]
        return page(request, "together_done.html", given=given, word=word)
    found = [await _found(thread_id, id_, person) for thread_id, id_ in chosen.items()]
    # Those alone are confirmed that are shown.
    asked = [one for one in found if one is not None and _fits(one, word)]
    left = {one.thread_id: str(one.asks["approval_id"] or "") for one in asked}
    return page(
        request,
        "together.html",
        asked=asked,
        over=len(chosen) - len(asked),
        chosen=left,
        sums=await _sums(asked) if word == "approve" else [],
        word=word,
        confirmed=digest([word, sorted(left.items())]),
    )


async def outcomes(request: Request) -> Response:
    """Stream what comes of answers that were given together, each as its run is over."""
    person = person_of(request)
    named = [one.partition(":") for one in request.query_params.getlist("run")[:_MOST]]

    async def told(thread_id: str, run_id: str) -> dict[str, str]:
        owner = await house.owner_of(thread_id, person) or person.user_id
        async for _ in runs.follow(thread_id, run_id):
            pass
        about = await came_of(thread_id, owner, person, run_id)
        return {"event": run_id, "data": rendered(request, "outcome.html", **about).strip()}

    async def events() -> AsyncIterator[dict[str, str]]:
        told_of = [asyncio.create_task(told(thread, run)) for thread, _, run in named]
        try:
            for one in asyncio.as_completed(told_of):
                yield await one
        finally:
            for task in told_of:
                task.cancel()
            yield {"event": "over", "data": "over"}

    return EventSourceResponse(events())


async def _found(thread_id: str, approval_id: str, person: Person) -> Asked | None:
    """Return the question that waits in a thread, if it is the one that was chosen."""
    owner = await house.owner_of(thread_id, person)
    if owner is None:
        return None
    domain = await house.domain_of(thread_id)
    asked = asked_in(await house.state_of(thread_id, domain), domain, owner, person)
    is_it = asked is not None and str(asked.asks["approval_id"] or "") == approval_id
    return asked if is_it else None


def _fits(asked: Asked, word: str) -> bool:
    return not asked.barred and asked.is_doubt == (word in _WORDS)


async def _given(thread_id: str, approval_id: str, word: str, person: Person) -> Given:
    """Give one of the answers, or say why not."""
    owner, title, run_id, sentence = person.user_id, "", "", ""
    try:
        asked = await _found(thread_id, approval_id, person)
        if asked is None:
            raise InputRefused(OVER)
        owner, title = asked.owner, title_of(asked)
        form = {"approval_id": approval_id, "decision": word, "word": word}
        if not _fits(asked, word):
            raise InputRefused(asked.barred or "This question is of another kind.")
        given, domain = answer_of(form, asked.asks), await house.domain_of(thread_id)
        run_id = await runs.start(thread_id, person, owner, domain.name, answer=given)
    except DaybookError as error:
        sentence = str(error)
    return Given(thread_id, owner, title, run_id, sentence)


def title_of(asked: Asked) -> str:
    """Say in a line what a question is about."""
    if asked.is_doubt:
        return f"Whether {asked.happening}"
    return "; ".join(one["title"] for one in asked.asks["plan"])


async def _sums(asked: Sequence[Asked]) -> list[Money]:
    """Add up the money that plans move, currency by currency; none is taken for another."""
    sums: Counter[str] = Counter()
    for one in asked:
        plan, _ = await house.postgres().ledger.plan(one.thread_id, str(one.asks["approval_id"]))
        for total in (action.total for action in (plan.actions if plan else ())):
            if total is not None:
                sums[total.currency] += total.amount
    return [Money(amount=cents, currency=currency) for currency, cents in sorted(sums.items())]
