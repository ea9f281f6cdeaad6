"""Answer several questions at once: confirmed with their count and sums, then sent one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from starlette.requests import Request
from starlette.responses import Response

from daybook.app.console import house
from daybook.app.console.guard import form_of, person_of
from daybook.app.console.inbox import WORDS, fits, found_in, give, may_be_chosen
from daybook.app.console.pages import Refused
from daybook.app.console.pages import page as rendered_page
from daybook.app.console.questions import Asked
from daybook.state.effects.keys import digest
from daybook.state.money import Money
from daybook.state.session import Person

_MOST_AT_ONCE = 50
_CHOSEN = "chosen-"
_DECIDED = ("approve", "reject")

DIRECTIONS = {"charge": "charged to customers", "refund": "refunded to customers", "": "other"}
"""Where money goes, as tools declare it; what they do not declare is listed as other."""


async def answer_together(request: Request) -> Response:
    """Show the selected questions with their count and sums; answer them once confirmed.

    Each question is answered separately, by its own approval id; closed ones are reported. A
    question that its customer has to answer is left out, unless such questions were listed.
    """
    form, person = form_of(request), person_of(request)
    word, of_customers = form.get("word", ""), form.get("kind") == "customers"
    chosen = {
        name.removeprefix(_CHOSEN): id_ for name, id_ in form.items() if name.startswith(_CHOSEN)
    }
    if not chosen or word not in (*_DECIDED, *WORDS):
        raise Refused("No question was selected. Nothing was done.", 400)
    if len(chosen) > _MOST_AT_ONCE:
        raise Refused(
            f"At most {_MOST_AT_ONCE} questions can be answered at once. Nothing was done.", 400
        )
    if form.get("confirmed") == _shown(word, chosen, of_customers=of_customers):
        given = [await give(thread_id, id_, word, person) for thread_id, id_ in chosen.items()]
        return rendered_page(
            request, "together_done.html", given=given, word=word, kind=form.get("kind", "")
        )
    found = [await found_in(thread_id, id_, person) for thread_id, id_ in chosen.items()]
    fitting = [one for one in found if one is not None and fits(one, word)]
    # Those alone are confirmed that are shown.
    asked = [one for one in fitting if _may_be_chosen(one, person, of_customers=of_customers)]
    left = {one.thread_id: one.approval_id for one in asked}
    return rendered_page(
        request,
        "together.html",
        asked=asked,
        over=len(chosen) - len(fitting),
        unconfirmed=len(fitting) - len(asked),
        chosen=left,
        sums=await _sums(asked) if word == "approve" else {},
        directions=DIRECTIONS,
        word=word,
        kind=form.get("kind", ""),
        confirmed=_shown(word, left, of_customers=of_customers),
    )


def _shown(word: str, chosen: Mapping[str, str], *, of_customers: bool) -> str:
    """Name what is confirmed: it is that which was shown."""
    return digest([word, sorted(chosen.items()), of_customers])


def _may_be_chosen(asked: Asked, person: Person, *, of_customers: bool) -> bool:
    role = asked.asks["needs"]["role"]
    return asked.is_doubt or may_be_chosen(role, asked.owner, person, of_customers=of_customers)


async def _sums(asked: Sequence[Asked]) -> dict[str, list[Money]]:
    """Add up the money that plans move: by where it goes, and currency by currency."""
    sums: dict[str, Counter[str]] = {direction: Counter() for direction in DIRECTIONS}
    for one in asked:
        plan, _ = await house.postgres().ledger.plan(one.thread_id, one.plan_id)
        effects = (await house.domain_of(one.thread_id)).registry.effects
        for action in plan.actions if plan else ():
            tools = [effects[step.tool] for step in action.steps if step.tool in effects]
            goes = {tool.direction for tool in tools} - {None}
            direction = (goes.pop() or "") if len(goes) == 1 else ""
            if action.total is not None:
                sums[direction][action.total.currency] += action.total.amount
    return {
        direction: [
            Money(amount=cents, currency=currency) for currency, cents in sorted(of.items())
        ]
        for direction, of in sums.items()
        if of
    }
