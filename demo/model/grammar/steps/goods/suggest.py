"""The step of a suggestion: a kind of goods that goes with the cart."""

from collections.abc import Iterable
from typing import Final

from daybook.demo.model.grammar import wording
from daybook.demo.model.grammar.desk import Desk, Do, Say, Step
from daybook.demo.model.grammar.language.intents.goods import Search, Suggest
from daybook.demo.model.grammar.language.words import GOES_WITH, kind_of, kind_of_item, plain_noun
from daybook.demo.model.grammar.seen.results import Row
from daybook.demo.model.grammar.steps.goods.search import search, searched

_MOST_TRIES: Final = 3


def suggest(intent: Suggest, desk: Desk) -> Step:
    """Search a kind of goods that goes with the cart, and that is neither in it nor was removed."""
    if intent.words and kind_of(intent.words) is None:
        return search(Search(" ".join(intent.words)), desk)
    kinds = _kinds_to_suggest(intent, desk)
    if kinds is None:
        return Say(
            "Tell me first what you are after: boots, socks, jackets, tents, sleeping bags, "
            "backpacks, headlamps, stoves, water bottles or trekking poles."
        )
    for kind in kinds[:_MOST_TRIES]:
        found = searched(Search(plain_noun(kind), kind), desk)
        if isinstance(found, Do | Say):
            return found
        rows = [row for row in found if not row.sold_out and not _known_already(row, desk)]
        if rows:
            desk.scene = desk.scene.with_list(rows)
            head = f"These {plain_noun(kind)} would go well with it:"
            return Say(f"{head}\n\n{wording.rows(rows)}")
    return Say("I have nothing else to suggest for this cart.")


def _kinds_to_suggest(intent: Suggest, desk: Desk) -> list[str] | None:
    """Return kinds to offer, best first and those offered before last; None without an anchor."""
    now = desk.now
    inside = [kind_of_item(line.name, line.sku) for line in now.cart]
    removed = {kind_of_item(name, sku) for sku, name in now.removed.items()}
    anchors = [kind_of(intent.words)] if intent.words else inside or _last_kinds(desk)
    ranked = [kind for anchor in anchors if anchor for kind in GOES_WITH[anchor]]
    if not any(anchors):
        return None
    before = {
        call.args.get("category")
        for turn in desk.prompt.past
        for call in turn.calls
        if call.tool == "search_products"
    }
    fresh = [kind for kind in dict.fromkeys(ranked) if kind not in {*inside, *removed, *anchors}]
    return sorted(fresh, key=lambda kind: kind in before)


def _last_kinds(desk: Desk) -> list[str | None]:
    rows: Iterable[Row] = desk.scene.lists[-1][:1] if desk.scene.lists else ()
    return [kind_of_item(row.name, row.sku) for row in rows]


def _known_already(row: Row, desk: Desk) -> bool:
    """Tell whether a row must not be suggested: removed, of a removed kind, or in the cart."""
    now, kind = desk.now, kind_of_item(row.name, row.sku)
    removed = {kind_of_item(name, sku) for sku, name in now.removed.items()}
    if row.sku in now.removed or row.name in now.removed.values() or (kind and kind in removed):
        return True
    return any(line.sku == row.sku for line in now.cart)
