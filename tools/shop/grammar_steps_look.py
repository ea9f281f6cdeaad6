"""The steps of intents that look: search, details, reviews, questions, suggestions."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, Final

from tools.shop import grammar_wording as wording
from tools.shop.grammar_context import ask_add, ask_which
from tools.shop.grammar_desk import Desk, Do, Say, Step, refused
from tools.shop.grammar_intents import (
    AskPrice,
    AskProperty,
    Details,
    Extreme,
    Intent,
    It,
    Mention,
    Named,
    Reference,
    Reviews,
    Search,
    Suggest,
)
from tools.shop.grammar_prompt import Call
from tools.shop.grammar_referents import Found, Unclear, Wanted, on_view, pick
from tools.shop.grammar_results import Row, hits, product, reviews
from tools.shop.grammar_words import GOES_WITH, fold, kind_of, kind_of_item, plain_noun

_MOST_HITS: Final = 20
_MOST_AT_ONCE: Final = 3


def search(intent: Search, desk: Desk) -> Step:
    """Search, or go on with the search before; then show the hits."""
    wanted = _continued(intent, desk)
    if wanted is None:
        return Say("What shall I look for?")
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
            limit=_MOST_HITS if many else limit,
        )
    sentence = refused(call)
    return Say(wording.passed_on("search_products", sentence)) if sentence else hits(call.result)


def details(intent: Details | Mention, desk: Desk) -> Step:
    """Show the page of each product that is meant."""
    if isinstance(intent, Mention) and isinstance(intent.item, It):
        return Say("What shall I do with it? Say “add it”, or “tell me more about it”.")
    return _each(intent, intent.item, desk, "get_product", _page)


def picked(intent: Intent, item: Extreme, desk: Desk) -> Step:
    """Name the cheapest, dearest or best rated of the list on view."""
    meaning = on_view(item, desk.scene)
    if not isinstance(meaning, Found) or meaning.skus[0] not in desk.scene.known:
        return _each(intent, item, desk, "get_product", _page)
    row = desk.scene.known[meaning.skus[0]]
    desk.speak_of(row.sku)
    by = {"cheapest": "The cheapest is", "dearest": "The dearest is", "best": "The best rated is"}
    question = ask_add(row.sku) if desk.alone and _can_add(row, desk) else ""
    return Say(f"{by[item.by]} {wording.row(row)}.", question=question)


def is_known(item: Named, desk: Desk) -> bool:
    """Tell whether a phrase names a kind of goods or a product on view."""
    return kind_of(item.words) is not None or isinstance(on_view(item, desk.scene), Found)


def opinions(intent: Reviews, desk: Desk) -> Step:
    """Quote the reviews of each product that is meant."""
    return _each(intent, intent.item, desk, "get_reviews", _opinions)


def asked(intent: AskProperty, desk: Desk) -> Step:
    """Answer a question about a product from its page."""

    def answer(call: Call, sku: str, desk: Desk) -> Say:
        page = product(call.result)
        return Say(wording.fact(page, intent.words)) if page else _unreadable(call)

    return _each(intent, intent.item, desk, "get_product", answer)


def price(intent: AskPrice, desk: Desk) -> Step:
    """Say what a product costs; "how much is that" without a product asks for the cart."""
    meaning = on_view(intent.item, desk.scene, more=True)
    if isinstance(intent.item, It) and not isinstance(meaning, Found) and desk.now.cart:
        return Say("", cart=True)
    if isinstance(meaning, Found):
        known = [desk.scene.known[sku] for sku in meaning.skus if sku in desk.scene.known]
        lines = [line for sku in meaning.skus if (line := desk.scene.in_cart(sku))]
        if len(known) == len(meaning.skus):
            said = [f"{wording.one_line(row.name)} ({row.sku}): {row.price}." for row in known]
            return Say("\n".join(said), cart=bool(lines))
        if len(lines) == len(meaning.skus):
            said = [
                f"{wording.one_line(line.name)} ({line.sku}): {line.each} {desk.now.currency} each."
                for line in lines
            ]
            return Say("\n".join(said), cart=True)
    return _each(intent, intent.item, desk, "get_product", _page)


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
    for kind in kinds[:_MOST_AT_ONCE]:
        found = searched(Search(plain_noun(kind), kind), desk)
        if isinstance(found, Do | Say):
            return found
        rows = [row for row in found if not row.sold_out and not _known_already(row, desk)]
        if rows:
            desk.scene = desk.scene.with_list(rows)
            head = f"These {plain_noun(kind)} would go well with it:"
            return Say(f"{head}\n\n{wording.rows(rows)}")
    return Say("I have nothing else to suggest for this cart.")


def which(intent: Intent, unclear: Unclear, desk: Desk) -> Say:
    """Ask which product is meant, or say that there is none to be meant."""
    words = " ".join(unclear.words)
    if unclear.reason == "which" and unclear.among:
        desk.scene = desk.scene.with_list(unclear.among)
        return Say(wording.rows(unclear.among), question=ask_which(intent))
    if unclear.reason == "no such number":
        return Say(f"There is no number {words} in the list. Tell me a number that is in it.")
    if unclear.reason == "nothing like it":
        return Say(f"I see nothing on view that is “{wording.one_line(words)}”. Name it otherwise?")
    return Say("I do not know which one you mean: no list is on view. What shall I look for?")


def _each(
    intent: Intent,
    item: Reference,
    desk: Desk,
    tool: str,
    tell: Callable[[Call, str, Desk], Say],
) -> Step:
    """Read each product that is meant with one tool, then tell about it."""
    meaning = on_view(item, desk.scene)
    if isinstance(meaning, Wanted):
        found = _looked_up(meaning, desk)
        if not isinstance(found, Found):
            return found
        meaning = found
    if isinstance(meaning, Unclear):
        return which(intent, meaning, desk)
    told: list[Say] = []
    wishes: list[Any] = []
    for sku in meaning.skus[:_MOST_AT_ONCE]:
        desk.speak_of(sku)
        call = desk.take(tool, sku=sku)
        step = desk.ask_for(tool, sku=sku) if call is None else _told(call, sku, desk, tell)
        if isinstance(step, Do):
            wishes += step.wishes
        else:
            told.append(step)
    if wishes:
        return Do(tuple(wishes))
    question = told[0].question if len(told) == 1 and desk.alone else ""
    return Say("\n\n".join(say.text for say in told), question=question)


def _told(call: Call, sku: str, desk: Desk, tell: Callable[[Call, str, Desk], Say]) -> Say:
    sentence = refused(call)
    return Say(wording.passed_on(call.tool, sentence)) if sentence else tell(call, sku, desk)


def _looked_up(meaning: Wanted, desk: Desk) -> Found | Step:
    """Search what is not on view: one hit is meant, several are shown."""
    found = searched(meaning.search, desk, _MOST_HITS if meaning.by != "first" else None)
    if isinstance(found, Do | Say):
        return found
    rows = [row for row in found if row.sku not in desk.now.removed]
    if not rows:
        return Say(_nothing(meaning.search, found, desk))
    if meaning.by != "first" or len(rows) == 1:
        return Found((pick(rows, meaning.by).sku,))
    desk.scene = desk.scene.with_list(rows)
    return Say(wording.hits(meaning.search, rows, desk.now.currency))


def _page(call: Call, sku: str, desk: Desk) -> Say:
    page = product(call.result)
    if page is None:
        return _unreadable(call)
    return Say(wording.page(page), question=ask_add(sku) if _can_add(page.row, desk) else "")


def _can_add(row: Row, desk: Desk) -> bool:
    """Tell whether to offer a product: it is in stock, not in the cart, and adding is possible."""
    inside = any(line.sku == row.sku for line in desk.now.cart)
    return "add_to_cart" in desk.offered and not row.sold_out and not inside


def _opinions(call: Call, sku: str, desk: Desk) -> Say:
    found = reviews(call.result)
    if found is None:
        return _unreadable(call)
    return Say(wording.opinions(desk.scene.name_of(sku), found))


def _unreadable(call: Call) -> Say:
    return Say(f"{call.tool} said: {wording.one_line(call.result)}")


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
    return not any(kind is not None and kind_of([word]) == kind for word in text.split())


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
    names = {fold(name) for name in now.removed.values()}
    if row.sku in now.removed or fold(row.name) in names or (kind and kind in removed):
        return True
    return any(line.sku == row.sku for line in now.cart)
