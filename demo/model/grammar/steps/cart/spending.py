"""Show the cart, and what is left of the money that there is for it."""

import re
from typing import Final

from daybook.demo.model.grammar import wording
from daybook.demo.model.grammar.desk import Desk, Say
from daybook.demo.model.grammar.language.chat.bounds.limits import price_bounds
from daybook.demo.model.grammar.seen.facts import budget, facts_now
from daybook.demo.model.grammar.seen.results import cents


def show(desk: Desk) -> Say:
    """Show the cart; of a budget that is asked for, say what is left of it."""
    text = desk.prompt.turn.text.lower()
    most = budget(facts_now(desk.prompt))
    if most is None and _LEFT.search(text):
        most = _said_to_spend(desk)
    if most is None or not _OF_BUDGET.search(text):
        return Say("", cart=True)
    left = most - cents(desk.now.total or f"0.00 {desk.now.currency}")
    far = wording.money(abs(left), desk.now.currency)
    said = f"{far} is left of" if left >= 0 else f"Your cart is {far} above"
    return Say(f"{said} your budget of {wording.money(most, desk.now.currency)}.", cart=True)


def _said_to_spend(desk: Desk) -> int | None:
    """Return the money that was said to be there, now or before: "what is left of my 100"."""
    text = desk.prompt.turn.text.lower()
    if (named := _OUT_OF.search(text)) is not None:
        return 10_000 if named[1] == "hundred" else int(named[1]) * 100
    said = (turn.text.lower() for turn in reversed(desk.prompt.past))
    limits = (price_bounds(one)[1] for one in said if _TO_SPEND.search(one))
    return next((most for most in limits if most is not None), None)


_LEFT: Final = re.compile(r"\b(?:left|leaves?|remain\w*)\b")
_OUT_OF: Final = re.compile(r"\b(?:of|from|out of) (?:my |the |our |those )?\$?(\d{1,6}|hundred)\b")
_TO_SPEND: Final = re.compile(
    r"\b(?:spend|budget|money|in total|altogether|all together|in all|for (?:everything|all|both"
    r"|the lot|the whole \w+)|gave me|(?:i|we) have|(?:i|we)'?ve(?: got)?)\b"
)
_OF_BUDGET: Final = re.compile(
    r"\b(?:left|leaves?|remain\w*|budget|limit|afford|within|over|spend)\b"
)
