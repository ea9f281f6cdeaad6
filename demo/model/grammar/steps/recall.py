"""The step of a result that is shown again."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from daybook.demo.model.grammar import wording
from daybook.demo.model.grammar.desk import Desk, Say, Step, refused
from daybook.demo.model.grammar.language.intents.goods import Search
from daybook.demo.model.grammar.language.intents.past import Reopen
from daybook.demo.model.grammar.language.words import kind_of
from daybook.demo.model.grammar.seen.facts import facts_before
from daybook.demo.model.grammar.seen.listed import ASK_AGAIN, searches
from daybook.demo.model.grammar.seen.results import hits, opened, orders, product, reviews
from daybook.demo.model.grammar.steps.goods.narrowing import materials_avoided

_MOST_LINES: Final = 20
_MOST_SHOWN: Final = 5
_ASK_WHICH: Final = "Which one do you mean?"


def reopen(intent: Reopen, desk: Desk) -> Step:
    """Show an earlier result again: from the prompt where it stands there, else opened anew."""
    found = _meant(intent, desk)
    if isinstance(found, Say):
        return found
    result = _in_prompt(found, desk)
    if not result:
        call = desk.take("recall", handle=str(found))
        if call is None:
            return desk.ask_for("recall", handle=found)
        sentence = refused(call)
        if sentence:
            return Say(wording.passed_on("recall", sentence))
        result = call.result
    text, is_good = opened(result)
    return _shown(text, is_good and f"r{found}" not in desk.now.superseded, desk)


def seen_otherwise(result: str, desk: Desk) -> Say | None:
    """Return a question with the list shown anew, where it was not shown as it was found."""
    rows = hits(opened(result)[0])
    bars = any(map(materials_avoided, facts_before(desk.prompt).values()))
    left = [row for row in rows if row.sku not in desk.now.removed]
    if len(rows) <= _MOST_SHOWN and not bars and left == list(rows):
        return None
    shown = [replace(row, number=n) for n, row in enumerate(left[:_MOST_SHOWN], 1)]
    desk.scene = desk.scene.with_list(shown)
    return Say(f"This is what I found then:\n\n{wording.rows(shown)}", question=_ASK_WHICH)


def _meant(intent: Reopen, desk: Desk) -> int | Say:
    """Return the handle that is meant, or say that there is none."""
    if intent.handle is not None:
        return intent.handle
    known = searches(desk.prompt)
    if intent.words:
        wanted = kind_of(intent.words)
        known = [one for one in known if _fits(intent.words, wanted, one.search)][-1:]
        what = f"“{wording.one_line(' '.join(intent.words))}” in this conversation"
    else:
        place = intent.place or -1
        inside = 1 <= place <= len(known) or -len(known) <= place <= -1
        known = [known[place - 1 if place > 0 else place]] if inside else []
        what = "that in this conversation"
    if not known:
        return Say(f"I have no list of {what}. What shall I look for?")
    return known[0].handle


def _fits(words: Sequence[str], wanted: str | None, search: Search) -> bool:
    there = search.query.lower().split()
    named = kind_of(there) or search.category
    return all(word in there for word in words) or (wanted is not None and named == wanted)


def _in_prompt(handle: int, desk: Desk) -> str:
    """Return the result where it still stands in the prompt and is not out of date."""
    name = f"r{handle}"
    if name in desk.now.superseded:
        return ""
    calls = (call for turn in desk.prompt.past for call in turn.calls)
    return next((call.result for call in calls if call.handle == name), "")


def _shown(text: str, is_good: bool, desk: Desk) -> Say:
    """Show a result as it was, whatever tool read it."""
    stale = "" if is_good else "This was read a while ago, and prices or stock may be others now."
    rows = [row for row in hits(text) if row.sku not in desk.now.removed]
    if rows:
        desk.scene = desk.scene.with_list(rows)
        parts = ["This is what I found then:", wording.rows(rows), stale]
        question = ASK_AGAIN if stale and desk.alone else ""
        return Say("\n\n".join(part for part in parts if part), question=question)
    page, said, known = product(text), reviews(text), orders(text)
    if page is not None:
        desk.speak_of(page.row.sku)
        shown = wording.page(page)
    elif said is not None:
        shown = wording.opinions(text.split("\n")[0].rpartition(" ")[2], said)
    elif known:
        shown = f"Your orders:\n\n{wording.orders(known)}"
    else:
        shown = "\n".join(f"> {wording.one_line(line)}" for line in text.split("\n")[:_MOST_LINES])
    return Say("\n\n".join(part for part in (shown, stale) if part))
