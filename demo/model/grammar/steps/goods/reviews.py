"""The step of a comparison: what the reviewer says of several products."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from daybook.demo.model.grammar import wording
from daybook.demo.model.grammar.answers.asked.questions import ask_add
from daybook.demo.model.grammar.desk import Desk, Say, Step, refused
from daybook.demo.model.grammar.language.intents.goods import CompareReviews, Pick
from daybook.demo.model.grammar.language.intents.references import Every, Extreme, Reference
from daybook.demo.model.grammar.seen.referents import Found
from daybook.demo.model.grammar.steps.goods.product import can_add, found_for, picked

MOST_COMPARED: Final = 5

_HEAD: Final = re.compile(r"^r\d+ compare_reviews ok: .*?(?:best ([A-Za-z]+-\d+))?$")
_ROW: Final = re.compile(r"^([A-Za-z]+-\d+) \| (\d) of 5(?: \| \+ (.*?))?(?: \| - (.*))?$")


@dataclass(frozen=True)
class Judged:
    """What the reviewer says of one product."""

    sku: str
    rating: int
    points_for: str
    points_against: str


def compare(intent: CompareReviews, desk: Desk) -> Step:
    """Let the reviewer compare what is meant; without that tool, pick by the rating."""
    skus: list[str] = []
    for item in intent.items:
        meaning = _of_those_spoken_of(item, desk) or found_for(intent, item, desk)
        if not isinstance(meaning, Found):
            return meaning
        skus += meaning.skus
    skus = list(dict.fromkeys(skus))
    if "compare_reviews" not in desk.offered and not intent.topic:
        return picked(Pick(Extreme("best")), Extreme("best"), desk)
    call = desk.take("compare_reviews")
    if call is None:
        topic = intent.topic or None
        return desk.ask_for("compare_reviews", skus=skus[:MOST_COMPARED], question=topic)
    sentence = refused(call)
    if sentence:
        return Say(wording.passed_on("compare_reviews", sentence))
    return _told(call.result, intent, desk, left_out=len(skus) - MOST_COMPARED)


def _of_those_spoken_of(item: Reference, desk: Desk) -> Found | None:
    """Return the two that were spoken of last, where all are meant and no list is on view."""
    scene = desk.scene
    is_bare = item == Every() and not (scene.lists or scene.group)
    return Found(scene.recent[:_PAIR]) if is_bare and len(scene.recent) >= _PAIR else None


_PAIR: Final = 2


def verdict_in(text: str) -> tuple[str, list[Judged], str]:
    """Read a verdict: the best sku or "", what is said of each product, and the sentence."""
    head, *lines = text.split("\n")
    best = _HEAD.match(head)
    rows = [_ROW.match(line) for line in lines]
    judged = [Judged(r[1].upper(), int(r[2]), r[3] or "", r[4] or "") for r in rows if r]
    said = [line for line, row in zip(lines, rows, strict=True) if row is None]
    sku = best[1].upper() if best and best[1] else ""
    return sku, judged, said[-1] if said else ""


def _told(text: str, intent: CompareReviews, desk: Desk, left_out: int) -> Say:
    best, judged, summary = verdict_in(text)
    if not judged:
        return Say(f"compare_reviews said: {wording.one_line(text)}")
    about = f" on {wording.one_line(intent.topic)}" if intent.topic else ""
    lines = [f"What customers say{about}:", "", *(_line(one, desk) for one in judged)]
    if left_out > 0:
        lines.append(f"I compare at most {MOST_COMPARED}; not compared: {left_out} more.")
    if summary:
        lines += ["", f"> {wording.one_line(summary)}"]
    return Say("\n".join([*lines, *_best(best, desk)]), question=_offer(best, desk))


def _line(one: Judged, desk: Desk) -> str:
    # Without a number: the list on view stays the one that numbers are of.
    name = wording.one_line(desk.scene.name_of(one.sku), 80)
    points = [
        f"{head}: {wording.one_line(said, 200)}"
        for head, said in (("for", one.points_for), ("against", one.points_against))
        if said
    ]
    return f"- {name} ({one.sku}): {', '.join([f'{one.rating} of 5', *points])}"


def _best(best: str, desk: Desk) -> Sequence[str]:
    if not best:
        return ["", "The reviews do not tell which one is best."]
    desk.speak_of(best)
    return [
        "",
        f"By the reviews the best is {wording.one_line(desk.scene.name_of(best))} ({best}).",
    ]


def _offer(best: str, desk: Desk) -> str:
    row = desk.scene.known.get(best)
    return ask_add(best) if row is not None and desk.alone and can_add(row, desk) else ""
