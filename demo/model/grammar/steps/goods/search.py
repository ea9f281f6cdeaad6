"""The steps of a search: its call, its hits, the list on view."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from daybook.demo.model.grammar import wording
from daybook.demo.model.grammar.answers.asked.questions import ask_add
from daybook.demo.model.grammar.answers.looking.told_limits import lifts_the_limit, told_for_all
from daybook.demo.model.grammar.desk import Desk, Do, Say, Step, refused
from daybook.demo.model.grammar.language.chat.names import MODEL_WORDS, has_model
from daybook.demo.model.grammar.language.chat.vocabulary import (
    FEATURES,
    MATERIALS,
    is_a_name,
    says_goods,
)
from daybook.demo.model.grammar.language.intents.goods import Search
from daybook.demo.model.grammar.language.words import kind_of, kind_of_item, plain_noun, stems
from daybook.demo.model.grammar.page import is_so
from daybook.demo.model.grammar.seen.brief import read_brief
from daybook.demo.model.grammar.seen.facts import budget, facts_before, facts_now, size_for
from daybook.demo.model.grammar.seen.referents import MEASURED, Found, Wanted, pick
from daybook.demo.model.grammar.seen.refused import asks_for_others, is_refused
from daybook.demo.model.grammar.seen.results import Row, hits
from daybook.demo.model.grammar.seen.scene import matches
from daybook.demo.model.grammar.steps.goods.narrowing import (
    fitting,
    hits_needed,
    needs_pages,
    pages_of,
    queries_for,
    with_what_is_avoided,
    with_what_was_said,
)

MOST_HITS: Final = 20
_MOST_SHOWN: Final = 5
_HAVING: Final = frozenset(
    """
    waterproof windproof insulated rechargeable folding foldable collapsible freestanding hooded
    unisex kids ultralight
    """.split()  # noqa: SIM905
)
TELLING: Final = MATERIALS | _HAVING
"""Words for what goods are made of, and have: their pages tell it."""
_DECISIONS: Final = 4
"""Decisions of a turn after which what was looked at has to do."""
_LONGEST_QUERY: Final = 200
_SAME_LIMIT: Final = re.compile(r"\bsame (?:limit|budget|price|max)|\bfor (?:all|everything)\b")
_ANY_PRICE: Final = re.compile(
    r"\b(?:all of (?:them|the)|more expensive|dearer|over|above|at least)\b"
)


def search(intent: Search, desk: Desk) -> Step:
    """Search, or go on with the search before; then show the hits."""
    continued = _continued(intent, desk)
    if continued is None:
        return Say("What shall I look for?")
    wanted = _with_what_is_known(continued, desk)
    if isinstance(wanted, Say):
        return wanted
    told, wanted = wanted, with_what_is_avoided(wanted, desk)
    found: list[Row] = []
    rows: list[Row] = []
    for query in queries_for(wanted):
        step = _fitting(replace(wanted, query=query), desk)
        if isinstance(step, Do) and found and desk.prompt.turn.decisions >= _DECISIONS:
            break
        if isinstance(step, Do | Say):
            return step
        found, rows = step
        if rows:
            break
    if found and not rows and wanted.without != told.without:
        what = wording.asked(told, desk.now.currency)
        return Say(f"For {what} I found only what you told me that you do not have.")
    if wanted.first:
        rows = _by_price(rows, wanted)
    if needs_pages(wanted) or wanted.without or wanted.in_stock or wanted.first:
        rows = [replace(row, number=n) for n, row in enumerate(rows[:_MOST_SHOWN], 1)]
        wanted = told
    if _is_not_sold(wanted, rows):
        what = wording.one_line(wanted.query)
        return Say(wording.NOT_SOLD.format(what=what), question=wording.KINDS_SOLD)
    if not rows and found and needs_pages(wanted):
        rows = [replace(row, number=n) for n, row in enumerate(found[:_MOST_SHOWN], 1)]
        desk.scene = desk.scene.with_list(rows)
        return Say(f"None that I looked at is quite so. These come near:\n\n{wording.rows(rows)}")
    if not rows:
        return Say(_nothing(wanted, found, desk))
    desk.scene = desk.scene.with_list(rows)
    is_one = len(rows) == 1 and desk.alone and not rows[0].sold_out
    inside = any(line.sku == rows[0].sku for line in desk.now.cart)
    question = ask_add(rows[0].sku) if is_one and not inside else ""
    return Say(wording.hits(wanted, rows, desk.now.currency), question=question)


def _fitting(wanted: Search, desk: Desk) -> Do | Say | tuple[list[Row], list[Row]]:
    """Return all hits of a search, and those of them that fit."""
    found = searched(wanted, desk, hits_needed(wanted))
    if isinstance(found, Do | Say):
        return found
    text = desk.prompt.turn.text.casefold()
    others = asks_for_others(text)
    left = [
        row
        for row in found
        if not (_gone(row, text, desk) or (others and is_refused(row, desk.prompt)))
    ]
    if wanted.first:
        # The pages of the cheapest are read first, as only so many are read.
        left = _by_price(left, wanted)
    rows = fitting(left, wanted, desk)
    return rows if isinstance(rows, Do) else (found, rows)


def _by_price(rows: Sequence[Row], wanted: Search) -> list[Row]:
    return sorted(rows, key=lambda row: row.cents, reverse=wanted.first == "dearest")


def words_searched(desk: Desk) -> tuple[str, ...]:
    """Return the words of the last search that a turn before made; none where there was none."""
    before = _before(desk)
    return tuple(before["query"].split()) if before is not None else ()


def _before(desk: Desk) -> Mapping[str, Any] | None:
    """Return the last search that turns before made, one for a kind rather than for a name."""
    made = []
    for turn in desk.prompt.past:
        past = [call.args for call in turn.calls if call.tool == "search_products"]
        told = [args for args in past if isinstance(args.get("query"), str)]
        # The same again in one turn only asks whether any is cheaper: nobody said that limit.
        made += [args for at, args in enumerate(told) if args["query"] not in _queries(told[:at])]
    of_kinds = [args for args in made if not has_model(args["query"].lower().split())]
    return (of_kinds or made)[-1] if made else None


def _queries(made: Sequence[Mapping[str, Any]]) -> list[Any]:
    return [args["query"] for args in made]


def show_list(desk: Desk) -> Say:
    """Show the list on view again, without what was removed since."""
    latest = desk.scene.lists[-1] if desk.scene.lists else ()
    rows = [row for row in latest if row.sku not in desk.now.removed]
    if not rows:
        return Say("No list is on view. What shall I look for?")
    return Say(f"This is the list on view:\n\n{wording.rows(rows)}")


def searched(wanted: Search, desk: Desk, limit: int | None = None) -> Step | list[Row]:
    """Return the rows of a search, once there is a result for it; nothing costs nothing."""
    if wanted.max_price is not None and wanted.max_price <= 0:
        return []
    many = wanted.min_price is not None or wanted.more or wanted.in_stock or wanted.first
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


def looked_up(meaning: Wanted, desk: Desk, words: Sequence[str] = ()) -> Found | Step:
    """Search what is not on view: the one hit that has the words is meant, several are shown."""
    has_name = any(map(is_a_name, words))
    many = MOST_HITS if meaning.by != "first" or has_name else None
    found = searched(meaning.search, desk, many)
    if isinstance(found, Do | Say):
        return found
    rows = [row for row in found if not _gone(row, desk.prompt.turn.text.casefold(), desk)]
    if not rows:
        return Say(_nothing(meaning.search, found, desk))
    fitting = [row for row in rows if matches(words, row.name, row.sku)] if words else []
    if meaning.by != "first" and fitting:
        rows = fitting
    said = [word for word in words if word in TELLING]
    if meaning.by != "first" and said and not fitting:
        if (unread := pages_of(rows, desk)) is not None:
            return unread
        pages = desk.scene.pages
        rows = [r for r in rows if r.sku in pages and is_so(pages[r.sku], said, unisex=True)]
        if not rows:
            return Say(f"I found none that is {wording.one_line(' '.join(said))}.")
    of_all = meaning.search.category is None and kind_of(meaning.search.query.split()) is None
    names_goods = any(map(_names_goods, meaning.search.query.split()))
    if of_all and meaning.by != "first" and not names_goods:
        return Say("The shop sells goods of many kinds.", question=wording.KINDS_SOLD)
    is_cut_off = of_all and meaning.by != "first" and len(found) >= MOST_HITS
    if is_cut_off:
        # Of what kind is not said, and there is more than a search gives: none is picked.
        meaning = Wanted(meaning.search)
    if meaning.by == "cheapest" and len(found) >= MOST_HITS:
        cheapest = cheapest_of(rows, meaning.search, words, desk)
        return Found((cheapest.sku,)) if isinstance(cheapest, Row) else cheapest
    if meaning.by != "first" and (best := pick(rows, meaning.by, desk.scene.pages)) is not None:
        return Found((best.sku,))
    if meaning.by in MEASURED and (unread := pages_of(rows, desk)) is not None:
        return unread
    named = named_among(rows, words, desk) if has_name else []
    if len(named) == 1 or len(rows) == 1:
        return Found(((named or rows)[0].sku,))
    rows = [replace(row, number=n) for n, row in enumerate(rows[:_MOST_SHOWN], 1)]
    desk.scene = desk.scene.with_list(rows)
    return Say(wording.hits(meaning.search, rows, desk.now.currency))


def cheapest_of(
    rows: Sequence[Row], wanted: Search, words: Sequence[str], desk: Desk
) -> Row | Step:
    """Return the cheapest that there is: below the cheapest of a full search, search again."""
    best = min(rows, key=lambda row: (row.sold_out, row.cents))
    while True:
        below = best.cents - 1
        call = desk.take("search_products", query=wanted.query, max_price=str(below))
        if call is None:
            return desk.ask_for(
                "search_products",
                query=wanted.query,
                category=wanted.category,
                max_price=below,
                limit=MOST_HITS,
            )
        cheaper = [
            row
            for row in hits(call.result)
            if not (row.sold_out or _gone(row, desk.prompt.turn.text.casefold(), desk))
            and matches(words, row.name, row.sku)
        ]
        if not cheaper:
            return best
        best = min(cheaper, key=lambda row: row.cents)


def _names_goods(word: str) -> bool:
    return says_goods(word) or word in MODEL_WORDS


def named_among(rows: Sequence[Row], words: Sequence[str], desk: Desk) -> list[Row]:
    """Return the hits that have the words; of several, those of the kind that is looked at."""
    named = [row for row in rows if matches(words, row.name, row.sku)]
    kind = desk.scene.kind
    alike = [row for row in named if kind_of_item(row.name, row.sku) == kind]
    return alike if len(named) > 1 and kind is not None and alike else named


def _continued(intent: Search, desk: Desk) -> Search | None:
    """Complete a search without words by the one before it."""
    before = _before(desk)
    if intent.narrows and before is not None:
        return _narrowed(with_what_was_said(intent, desk), before, desk)
    if intent.query:
        return _with_limit(intent, before, desk)
    if replace(intent, bare=False, foreign="") == Search():
        return None
    if before is None:
        kind = desk.scene.kind or _kind_said(desk)
        return None if kind is None else replace(intent, query=plain_noun(kind), category=kind)
    intent = with_what_was_said(intent, desk)
    query = [word for word in before["query"].split() if word not in MODEL_WORDS]
    if has_model(before["query"].lower().split()) and kind_of(query) is not None:
        # What else there is has another name.
        before = {**before, "query": " ".join(query)}
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


def _kind_said(desk: Desk) -> str | None:
    """Return the kind of goods that was named last, where none was looked for; None for none."""
    said = (kind_of(re.findall(r"[\w-]+", turn.text.lower())) for turn in desk.prompt.past[::-1])
    return next((kind for kind in said if kind is not None), None)


def _narrowed(intent: Search, before: Mapping[str, Any], desk: Desk) -> Search:
    """Add words to the search before; its limit and its kind stay."""
    asked = stems(intent.query.split())
    kept = [word for word in str(before["query"]).split() if not stems([word]) <= asked]
    if has_model(kept):
        # What is looked for now is another one than was named.
        kept = [word for word in kept if word not in MODEL_WORDS]
    added = list(intent.query.split())
    category = before.get("category")
    wanted = replace(
        intent,
        query=" ".join([*added, *kept])[:_LONGEST_QUERY],
        category=category if isinstance(category, str) else None,
        narrows=False,
    )
    return _with_limit(wanted, before, desk)


def _with_limit(intent: Search, before: Mapping[str, Any] | None, desk: Desk) -> Search:
    """Keep a limit that was said for the same kind of goods, or for all: it is never lost."""
    text = desk.prompt.turn.text.casefold()
    if before is None or intent.max_price is not None or intent.min_price is not None:
        return intent
    most = before.get("max_price")
    kinds = (kind_of(intent.query.split()), kind_of(str(before["query"]).split()))
    is_same = kinds[0] == kinds[1] or _SAME_LIMIT.search(text) is not None
    if not is_same or not isinstance(most, int) or most <= 0 or _ANY_PRICE.search(text):
        return intent
    if lifts_the_limit(text):
        return intent
    return replace(intent, max_price=most)


def _is_not_sold(wanted: Search, rows: Sequence[Row]) -> bool:
    """Tell whether what was found has nothing to do with a thing that no kind of goods is."""
    words = wanted.query.lower().split()
    if wanted.category is not None or kind_of(words) is not None:
        return False
    if words and words[-1] in MATERIALS | FEATURES:
        return False
    unknown = stems(word for word in words if is_a_name(word))
    names = stems(word for row in rows for word in row.name.lower().replace(",", " ").split())
    return bool(unknown) and not unknown & names


def _with_what_is_known(wanted: Search, desk: Desk) -> Search | Say:
    """Put the size and the budget into a search that names them; neither is added otherwise."""
    facts = facts_now(desk.prompt)
    if wanted.my_size:
        size = size_for(wanted.query.split(), facts)
        if not size:
            return Say("I do not know your size. Tell me, such as “my shoe size is 43”.")
        wanted = replace(wanted, query=f"{wanted.query} size {size}", my_size=False)
    limit = _told_limit(desk)
    if limit is not None and wanted.max_price is None and wanted.min_price is None:
        wanted = replace(wanted, max_price=limit, my_budget=False)
    if wanted.my_budget:
        most = budget(facts)
        if most is None:
            return Say("I do not know your budget. Tell me, such as “my budget is 300 dollars”.")
        most = most if wanted.max_price is None else min(most, wanted.max_price)
        wanted = replace(wanted, max_price=most, my_budget=False)
    return wanted


def _told_limit(desk: Desk) -> int | None:
    """Return what all that is bought may cost as it was told before, None where nothing was."""
    text = desk.prompt.turn.text.casefold()
    if lifts_the_limit(text):
        return None
    known = budget(facts_before(desk.prompt))
    if known is not None or _ANY_PRICE.search(text):
        return known
    brief = read_brief(desk.now.brief)
    of_brief = brief.max_price if not brief.category else None
    return told_for_all(desk.prompt) if of_brief is None else of_brief


def _nothing(wanted: Search, found: Sequence[Row], desk: Desk) -> str:
    if wanted.cheap and not found:
        what = wording.asked(replace(wanted, max_price=None), desk.now.currency)
        return f"I found nothing cheaper for {what}."
    what = wording.asked(wanted, desk.now.currency)
    if found and any(row.sku in desk.now.removed for row in found):
        return f"For {what} I found only what you took out of your cart before."
    return f"I found nothing for {what}."


_GROWN_UP: Final = re.compile(
    r"\b(?:adults?|grown[- ]?ups?|not (?:for )?(?:the |a )?(?:kids?|child\w*))\b"
)


def _gone(row: Row, text: str, desk: Desk) -> bool:
    """Tell whether a row was removed and is not named now, or is for kids where none are meant."""
    if _GROWN_UP.search(text) and "kids" in row.name.lower():
        return True
    if row.sku not in desk.now.removed or row.sku.casefold() in text:
        return False
    words = stems(re.findall(r"\w+", text))
    own = [word for word in row.name.lower().split() if is_a_name(word)]
    return not own or not all(stems([word]) <= words for word in own)
