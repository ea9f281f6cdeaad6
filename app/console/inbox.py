"""The inbox: the list of open questions, the card of one question, and the answer to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from daybook.app.console import house, runs
from daybook.app.console.filters import AGE_WORDS, KINDS, ROLES, SORTS, Filters, filters_of
from daybook.app.console.guard import form_of, owned_thread, person_of
from daybook.app.console.pages import Refused, is_part
from daybook.app.console.pages import page as rendered_page
from daybook.app.console.questions import (
    OVER,
    Asked,
    answer_of,
    asked_in,
    asked_of,
    asks_of,
    in_words,
    title_of,
    who_may,
)
from daybook.app.console.thread import inbox_now, talk
from daybook.checkpoints.ledger.steps import MOST_COUNTED, InInbox
from daybook.state.errors import DaybookError, InputRefused, TooMany
from daybook.state.people.questions.question import barred, is_asked_by
from daybook.state.people.tool_messages import as_said
from daybook.state.session import Person

_MOST = 50
"""Rows of a page; listing one does not read its thread."""

_MOST_CARDS = 20
"""Questions of a customer on a page; each is read from its thread and shown in full."""


@dataclass(frozen=True)
class Row:
    """One line of the table.

    Attributes:
        who: may answer it.
        rule: which rule or limit asks; "" if the tool's own declaration does.
        barred: why this person may not; else "".
        program: the one that asks it and takes the answer, where it is not served here; else "".
        can_be_chosen: it may be answered together with others.
    """

    one: InInbox
    title: str
    who: str
    rule: str
    barred: str
    program: str
    can_be_chosen: bool


async def page(request: Request) -> Response:
    """List open questions: for staff with the chosen one open, for a customer all open."""
    person, filters = person_of(request), filters_of(request.query_params)
    seen = await inbox_now()
    # Other programs on the database put their questions themselves: staff see that they wait.
    programs = None if person.is_staff else house.names()
    of = None if person.is_staff else person.user_id
    counts = await house.questions().counted(programs, of)
    most = _MOST if person.is_staff else _MOST_CARDS
    rows, found, sentence = await _rows(programs, filters, person, most)
    if not rows and filters.page > 1:
        # Answered meanwhile.
        filters = Filters(filters.given, 1, filters.opened)
        rows, found, sentence = await _rows(programs, filters, person, most)
    opened = await _opened(rows, filters, person)
    return rendered_page(
        request,
        "inbox_list.html" if is_part(request) else "inbox.html",
        rows=rows,
        found=found,
        first=(filters.page - 1) * most + 1,
        has_more=filters.page * most < found,
        opened=opened,
        filters=filters,
        kinds=KINDS,
        roles=ROLES,
        ages=AGE_WORDS,
        sorts=SORTS,
        counts=counts,
        # What a person is told of: customers' own wishes are theirs.
        count=counts.approvals + counts.doubts + (0 if person.is_staff else counts.customers),
        most_counted=MOST_COUNTED,
        dead=await house.postgres().notifications.dead() if person.is_staff else 0,
        sentence=sentence,
        seen=seen,
    )


async def _rows(
    programs: Sequence[str] | None, filters: Filters, person: Person, most: int
) -> tuple[list[Row], int, str]:
    """Read a page of the table; with how many there are, and what of the filters cannot be read."""
    try:
        sought = filters.sought(person)
    except InputRefused as error:
        return [], 0, str(error)
    listed, found = await house.questions().inbox(programs, sought, most, (filters.page - 1) * most)
    return [_row(one, filters, person) for one in listed], found, ""


def _row(one: InInbox, filters: Filters, person: Person) -> Row:
    is_served, asks = house.is_served(one.domain), asks_of(one)
    why = barred(asks, person, one.user_id)
    return Row(
        one=one,
        title=title_of(one, house.domain_named(one.domain) if is_served else None),
        who=who_may(asks["needs"], one.user_id, one.approved_by),
        rule=", ".join(asks["needs"]["rules"]),
        barred=why,
        program="" if is_served else str(one.domain),
        can_be_chosen=is_served
        and not why
        and (
            one.is_doubt
            or may_be_chosen(
                asks["needs"]["role"], one.user_id, person, of_customers=filters.of_customers
            )
        ),
    )


def may_be_chosen(role: str, owner: str, person: Person, *, of_customers: bool) -> bool:
    """Tell whether an approval may be given together with others.

    Args:
        of_customers: customers' own wishes were asked for on purpose.
    """
    return role != "customer" or owner == person.user_id or of_customers


async def _opened(rows: Sequence[Row], filters: Filters, person: Person) -> dict[str, Asked | None]:
    """Read the questions that are shown whole, by thread; None of one that nobody asks here now."""
    if not person.is_staff:
        return {row.one.thread_id: await _card(row.one.thread_id, person, row.one) for row in rows}
    if not filters.opened:
        return {}
    listed = next((row.one for row in rows if row.one.thread_id == filters.opened), None)
    return {filters.opened: await _card(filters.opened, person, listed)}


async def _card(thread_id: str, person: Person, listed: InInbox | None) -> Asked | None:
    owner = await house.owner_of(thread_id, person)
    if owner is None or (listed is not None and not house.is_served(listed.domain)):
        return None
    try:
        asked = await asked_of(thread_id, owner, person, listed.asked_at if listed else None)
    except Refused:
        # Of a program that is not served here.
        return None
    return await in_words(asked) if asked is not None else None


def back_to(request: Request) -> str:
    """Return the address of the inbox that a form was sent from, with nothing opened."""
    query = urlsplit(request.headers.get("hx-current-url", "")).query
    return filters_of(dict(parse_qsl(query))).url(open="")


async def answer_question(request: Request) -> Response:
    """Answer the open question of a thread, if it is still the one that was shown."""
    thread_id, person, owner = await owned_thread(request)
    try:
        question = await asked_of(thread_id, owner, person)
        domain = await house.domain_of(thread_id)
        given = answer_of(form_of(request), question.asks if question else None)
        _check_may(question, given["decisions"])
        run_id = await runs.start(thread_id, person, owner, domain.name, answer=given)
    except DaybookError as error:
        if request.headers.get("hx-target") == "talk":
            return await talk(request, thread_id, owner, sentence=str(error))
        if isinstance(error, TooMany):
            raise
        raise Refused(str(error), 409 if isinstance(error, InputRefused) else 503) from error
    if request.headers.get("hx-target") == "talk":
        return await talk(request, thread_id, owner, run_id=run_id)
    if is_part(request):
        return rendered_page(
            request,
            "answered.html",
            thread_id=thread_id,
            owner=owner,
            run_id=run_id,
            inbox=back_to(request),
        )
    return RedirectResponse(f"/console/threads/{thread_id}", 303)


def _check_may(question: Asked | None, decisions: Sequence[Mapping[str, Any]]) -> None:
    """Refuse an answer that this person may not give before a run is begun for it.

    Raises:
        InputRefused: they may not; anybody may say no, and propose a change.
    """
    if question is None or not question.barred:
        return
    if question.is_doubt or any(one["type"] == "approve" for one in decisions):
        raise InputRefused(f"{question.barred} Nothing was done, and the question is still open.")


async def outcome(request: Request) -> Response:
    """Show the outcome of an answer after its run has ended."""
    thread_id, person, owner = await owned_thread(request)
    domain = await house.domain_of(thread_id)
    snapshot = await house.state_of(thread_id, domain)
    told = as_said(snapshot.values.get("messages", ()))
    said = [message.text for message in told if message.type == "ai"]
    return rendered_page(
        request,
        "outcome.html",
        refusal=runs.refusal_of(request.query_params.get("run", "")),
        question=asked_in(snapshot, domain, owner, person),
        said=said[-1] if said else "",
    )


# -- one answer, by its approval id ----------------------------------------------------------------

WORDS = ("happened", "not_happened")


@dataclass(frozen=True)
class Given:
    """What became of one of the answers.

    Attributes:
        run_id: the run that takes it to its conversation; "" if none was begun.
        sentence: why none was; else "".
    """

    thread_id: str
    owner: str
    title: str
    run_id: str
    sentence: str


async def give(thread_id: str, approval_id: str, word: str, person: Person) -> Given:
    """Give one answer to a question by its approval id, or say why not."""
    owner, title, run_id, sentence = person.user_id, "", "", ""
    try:
        asked = await found_in(thread_id, approval_id, person)
        if asked is None or not is_asked_by(asked.asks, approval_id):
            raise InputRefused(OVER)
        owner, title = asked.owner, asked.title
        form = {"approval_id": asked.approval_id, "decision": word, "word": word}
        if not fits(asked, word):
            raise InputRefused(asked.barred or "This answer does not fit the question.")
        given, domain = answer_of(form, asked.asks), await house.domain_of(thread_id)
        run_id = await runs.start(thread_id, person, owner, domain.name, answer=given)
    except DaybookError as error:
        sentence = str(error)
    return Given(thread_id, owner, title, run_id, sentence)


async def found_in(thread_id: str, about: str, person: Person) -> Asked | None:
    """Return the question that waits in a thread, if it is the one that was chosen.

    Args:
        about: its approval id; or the step in doubt, however often that was asked about.
    """
    owner = await house.owner_of(thread_id, person)
    asked = await asked_of(thread_id, owner, person) if owner is not None else None
    if asked is None or is_asked_by(asked.asks, about):
        return asked
    return asked if asked.is_doubt and about == asked.approval_id.rpartition("?")[0] else None


def fits(asked: Asked, word: str) -> bool:
    """Tell whether a word answers a question that this person may answer."""
    return not asked.barred and asked.is_doubt == (word in WORDS)
