"""The steps of a search: its call, its hits, the list on view."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from daybook.demo.model.grammar import wording
from daybook.demo.model.grammar.desk import Desk, Do, Say, Step, refused
from daybook.demo.model.grammar.language.intents import Search
from daybook.demo.model.grammar.language.words import kind_of, kind_of_item
from daybook.demo.model.grammar.seen.facts import budget, facts_now, size_for
from daybook.demo.model.grammar.seen.referents import Found, Wanted, pick
from daybook.demo.model.grammar.seen.results import Row, hits

MOST_HITS: Final = 20


def search(intent: Search, desk: Desk) -> Step:
    """Search, or go on with the search before; then show the hits."""
    continued = _continued(intent, desk)
    if continued is None:
        return Say("What shall I look for?")
    wanted = _with_what_is_known(continued, desk)
    if isinstance(wanted, Say):
        return wanted
    found = searched(wanted, desk)
    if isinstance(found, Do | Say):
        return found
    text = desk.prompt.turn.text.casefold()
    low = wanted.min_price or 0
    rows = [row for row in found if row.cents >= low and not _gone(row, text, desk)]
    if not rows:
        return Say(_nothing(wanted, found, desk))
    desk.scene = desk.scene.with_list(rows)
    return Say(wording.hits(wanted, rows, desk.now.currency))


def show_list(desk: Desk) -> Say:
    """Show the list on view again, without what was removed since."""
    latest = desk.scene.lists[-1] if desk.scene.lists else ()
    rows = [row for row in latest if row.sku not in desk.now.removed]
    if not rows:
        return Say("No list is on view. What shall I look for?")
    return Say(f"This is the list on view:\n\n{wording.rows(rows)}")


def searched(wanted: Search, desk: Desk, limit: int | None = None) -> Step | list[Row]:
    """Return the rows of a search, once there is a result for it."""
    many = wanted.min_price is not None or wanted.more
    call = desk.take("search_products", query=wanted.query)
    if call is None:
        return desk.ask_for(
            "search_products",
            query=wanted.query,
            category=wanted.category,
            max_price=wanted.max_price,
            limit=MOST_HITS if many else limit,
        )
    sentence = refused(call)
    return Say(wording.passed_on("search_products", sentence)) if sentence else hits(call.result)


def looked_up(meaning: Wanted, desk: Desk) -> Found | Step:
    """Search what is not on view: one hit is meant, several are shown."""
    found = searched(meaning.search, desk, MOST_HITS if meaning.by != "first" else None)
    if isinstance(found, Do | Say):
        return found
    rows = [row for row in found if row.sku not in desk.now.removed]
    if not rows:
        return Say(_nothing(meaning.search, found, desk))
    if meaning.by != "first" or len(rows) == 1:
        return Found((pick(rows, meaning.by).sku,))
    desk.scene = desk.scene.with_list(rows)
    return Say(wording.hits(meaning.search, rows, desk.now.currency))


def _continued(intent: Search, desk: Desk) -> Search | None:
    """Complete a search without words by the one before it."""
    if intent.query:
        return intent
    if replace(intent, bare=False, foreign="") == Search():
        return None
    past = [c for t in desk.prompt.past for c in t.calls if c.tool == "search_products"]
    if not past or not isinstance(past[-1].args.get("query"), str):
        return None
    before = past[-1].args
    category = before.get("category")
    highest = before.get("max_price") if intent.max_price is None else intent.max_price
    if intent.cheap and intent.max_price is None and desk.scene.lists:
        highest = max(1, min(row.cents for row in desk.scene.lists[-1]) - 1)
    return replace(
        intent,
        query=before["query"],
        category=category if isinstance(category, str) else None,
        max_price=highest if isinstance(highest, int) and highest > 0 else None,
    )


def _with_what_is_known(wanted: Search, desk: Desk) -> Search | Say:
    """Put the size and the budget into a search that names them; neither is added otherwise."""
    facts = facts_now(desk.prompt)
    if wanted.my_size:
        size = size_for(wanted.query.split(), facts)
        if not size:
            return Say("I do not know your size. Tell me, such as “my shoe size is 43”.")
        wanted = replace(wanted, query=f"{wanted.query} size {size}", my_size=False)
    if wanted.my_budget:
        most = budget(facts)
        if most is None:
            return Say("I do not know your budget. Tell me, such as “my budget is 300 dollars”.")
        wanted = replace(wanted, max_price=most, my_budget=False)
    return wanted


def _nothing(wanted: Search, found: Sequence[Row], desk: Desk) -> str:
    what = wording.asked(wanted, desk.now.currency)
    if found and any(row.sku in desk.now.removed for row in found):
        return f"For {what} I found only what you took out of your cart before."
    return f"I found nothing for {what}."


def _gone(row: Row, text: str, desk: Desk) -> bool:
    """Tell whether a row was removed from the cart and is not asked for by its kind or sku."""
    if row.sku not in desk.now.removed or row.sku.casefold() in text:
        return False
    kind = kind_of_item(row.name, row.sku)
    words = re.findall(r"\w+", text)
    return not any(kind is not None and kind_of([word]) == kind for word in words)
