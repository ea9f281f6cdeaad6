"""The steps of intents about one product: details, reviews, price, and questions."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from daybook.demo.model.grammar import wording
from daybook.demo.model.grammar.answers.asked.completing import ask_which
from daybook.demo.model.grammar.answers.asked.questions import ask_add, ask_add_all
from daybook.demo.model.grammar.desk import Desk, Do, Say, Step, refused
from daybook.demo.model.grammar.language.chat.vocabulary import says_goods
from daybook.demo.model.grammar.language.intents.cart import Add
from daybook.demo.model.grammar.language.intents.goods import (
    AskPrice,
    AskProperty,
    Details,
    Mention,
    Reviews,
)
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.references import (
    Every,
    Extreme,
    It,
    Named,
    Nth,
    Reference,
)
from daybook.demo.model.grammar.language.words import kind_of, plain_noun
from daybook.demo.model.grammar.page import fact, is_silent, told_in
from daybook.demo.model.grammar.seen.prompt import Call
from daybook.demo.model.grammar.seen.referents import (
    MEASURED,
    Found,
    Unclear,
    Wanted,
    measure,
    on_view,
    pick,
)
from daybook.demo.model.grammar.seen.results import Product, Row, product, reviews
from daybook.demo.model.grammar.steps.goods.search import (
    looked_up,
    words_searched,
)
from daybook.demo.model.grammar.steps.goods.such import (
    meant_among,
    narrowed_by_what_is_said,
    which_have,
)

_MOST_AT_ONCE: Final = 3
_MOST_MEASURED: Final = 6


def details(intent: Details | Mention, desk: Desk) -> Step:
    """Show the page of each product that is meant."""
    if isinstance(intent, Mention) and isinstance(intent.item, It):
        if desk.scene.focus is not None and can_add_sku(desk.scene.focus, desk):
            name = wording.one_line(desk.scene.name_of(desk.scene.focus))
            return Say(f"You may mean {name}.", ask_add(desk.scene.focus, or_tell=True))
        meaning = on_view(intent.item, desk.scene)
        if isinstance(meaning, Unclear) and meaning.among:
            return which(Add(intent.item), meaning, desk)
        return Say("What shall I do with it? Say “add it”, or “tell me more about it”.")
    return _each(intent, intent.item, desk, "get_product", _page)


def picked(intent: Intent, item: Extreme, desk: Desk) -> Step:
    """Name the cheapest, dearest, best rated or lightest of what was told of last."""
    narrowed = narrowed_by_what_is_said(item, desk)
    if isinstance(narrowed, Do):
        return narrowed
    item = narrowed if isinstance(narrowed, Extreme) else item
    meaning = on_view(item, desk.scene, removed=desk.now.removed)
    kind = desk.scene.kind
    searched = words_searched(desk) or (tuple(plain_noun(kind).split()) if kind else ())
    if isinstance(meaning, Unclear) and meaning.reason == "no list" and searched:
        # What was looked for last was not to be had as it was asked for.
        item = replace(item, words=searched)
        meaning = on_view(item, desk.scene, removed=desk.now.removed)
    if item.by in MEASURED and isinstance(meaning, Unclear) and meaning.reason == "which":
        return _measured(item, meaning.among, desk)
    row = desk.scene.fresh(meaning.skus[0]) if isinstance(meaning, Found) else None
    if row is None:
        return _each(intent, item, desk, "get_product", _page)
    desk.speak_of(row.sku)
    question = ask_add(row.sku) if desk.alone and can_add(row, desk) else ""
    return Say(
        f"{_superlative(item)} {wording.row(row)}{_how_far(item, row, desk)}.", question=question
    )


def _superlative(item: Extreme) -> str:
    return "The best rated is" if item.by == "best" else f"The {item.by} is"


def _how_far(item: Extreme, row: Row, desk: Desk) -> str:
    """Write by how much it is so, where it goes by an attribute of the page."""
    page = desk.scene.pages.get(row.sku)
    told = measure(item.by, page) if item.by in MEASURED and page is not None else None
    if told is None or page is None:
        return ""
    return f", {wording.attribute(told[0], page.attributes[told[0]])}"


def _measured(item: Extreme, among: Sequence[Row], desk: Desk) -> Step:
    """Read the pages of those among which the most of something is asked for."""
    rows = [row for row in among if row.sku not in desk.now.removed][:_MOST_MEASURED]
    unread = [row.sku for row in rows if row.sku not in desk.scene.pages]
    steps = [desk.ask_for("get_product", sku=sku) for sku in unread]
    if wishes := [wish for step in steps if isinstance(step, Do) for wish in step.wishes]:
        return Do(tuple(wishes))
    row = pick(rows, item.by, desk.scene.pages) if rows else None
    if row is None:
        return Say(f"Their pages do not say which one is the {item.by}.")
    desk.speak_of(row.sku)
    question = ask_add(row.sku) if desk.alone and can_add(row, desk) else ""
    return Say(
        f"{_superlative(item)} {wording.row(row)}{_how_far(item, row, desk)}.", question=question
    )


def may_be_known(item: Named, desk: Desk) -> bool:
    """Tell whether a phrase may name something of the shop's: a kind, a property, or a name."""
    if kind_of(item.words) is not None or isinstance(on_view(item, desk.scene), Found):
        return True
    return all(map(says_goods, item.words)) or len(item.words) > 1


def offer_all(item: Every, desk: Desk) -> Step:
    """Ask whether all that was told of last shall go into the cart."""
    meaning = on_view(item, desk.scene)
    if not isinstance(meaning, Found):
        return which(Mention(item), meaning, desk) if isinstance(meaning, Unclear) else Say("")
    return offer(meaning.skus, desk)


def offer_places(places: Sequence[int], desk: Desk) -> Step:
    """Ask whether the products at these places of the list shall go into the cart."""
    skus: list[str] = []
    for place in places:
        meaning = on_view(Nth(place), desk.scene)
        if isinstance(meaning, Unclear):
            return which(Mention(Nth(place)), meaning, desk)
        skus += meaning.skus if isinstance(meaning, Found) else ()
    return offer(skus, desk)


def offer(skus: Sequence[str], desk: Desk) -> Say:
    """List products, and ask whether all of them shall go into the cart."""
    rows = [
        replace(row, number=n)
        for n, sku in enumerate(skus, 1)
        if (row := desk.scene.known.get(sku)) is not None
    ]
    if len(rows) == 1:
        return Say(wording.rows(rows), question=ask_add(rows[0].sku))
    desk.scene = desk.scene.with_list(rows)
    return Say(wording.rows(rows), question=ask_add_all([row.sku for row in rows]))


def opinions(intent: Reviews, desk: Desk) -> Step:
    """Quote the reviews of each product that is meant."""
    return _each(intent, intent.item, desk, "get_reviews", _opinions)


def asked(intent: AskProperty, desk: Desk) -> Step:
    """Answer a question about a product from its page, or which of those on view have something."""
    if isinstance(intent.item, It) and _WHICH.match(desk.prompt.turn.text.lower()):
        those = which_have(intent.words, desk)
        if those is not None:
            return those

    def answer(call: Call, sku: str, desk: Desk) -> Step:
        page = product(call.result)
        if page is None:
            return _unreadable(call)
        if not is_silent(page, intent.words) or "get_reviews" not in desk.offered:
            return Say(f"{fact(page, intent.words)}{_together(page, intent, desk)}")
        read = desk.take("get_reviews", sku=sku)
        if read is None:
            return desk.ask_for("get_reviews", sku=sku)
        said = [f"{title}. {text}" for _, title, text in reviews(read.result) or ()]
        quoted = told_in(said, intent.words)
        name = wording.one_line(page.row.name)
        return Say(
            f"A customer says of {name}: “{wording.one_line(quoted, 240)}”"
            if quoted
            else f"{fact(page, intent.words)} Its reviews do not tell it either."
        )

    return _each(intent, intent.item, desk, "get_product", answer)


def _together(page: Product, intent: AskProperty, desk: Desk) -> str:
    """Say what so many weigh, or all that are in the cart where they are weighed together."""
    weight = _GRAMS.match(page.attributes.get("weight_g", ""))
    line = desk.scene.in_cart(page.row.sku)
    all_of_it = line.quantity if line is not None and _ALL_OF_IT & {*intent.words} else 1
    count = intent.count if intent.count > 1 else all_of_it
    if weight is None or count <= 1 or not _WEIGHS & {*intent.words}:
        return ""
    return f" {count} of them weigh {count * int(weight[0])} g together."


_GRAMS: Final = re.compile(r"\d+")
_ALL_OF_IT: Final = frozenset({"together", "altogether", "total", "combined"})
_WEIGHS: Final = frozenset({"weight", "weigh", "weighs", "heavy", "kilos", "kg", "grams"})


_WHICH: Final = re.compile(r"\W*(?:(?:.*[.!;,]|and|so|but|ok|hm+)\W+)*(?:which|what ones?)\b")


def price(intent: AskPrice, desk: Desk) -> Step:
    """Say what a product costs; "how much is that" without a product asks for the cart."""
    meaning = on_view(intent.item, desk.scene, more=True)
    if isinstance(intent.item, It) and not isinstance(meaning, Found) and desk.now.cart:
        return Say("", cart=True)
    if isinstance(meaning, Found):
        if len(meaning.skus) == 1:
            desk.speak_of(meaning.skus[0])
        known = [row for sku in meaning.skus if (row := desk.scene.fresh(sku))]
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


def which(intent: Intent, unclear: Unclear, desk: Desk) -> Say:
    """Ask which product is meant, or say that there is none to be meant."""
    words = " ".join(unclear.words)
    if unclear.reason == "which" and unclear.among:
        desk.scene = desk.scene.with_list(unclear.among)
        return Say(wording.rows(unclear.among), question=ask_which(intent))
    if unclear.reason == "no such number" and desk.scene.focus and unclear.words[0].isdigit():
        name = wording.one_line(desk.scene.name_of(desk.scene.focus))
        question = ask_add(desk.scene.focus, int(words))
        return Say(f"There is no number {words} in the list. You may mean {name}.", question)
    if unclear.reason == "no such number":
        return Say(f"There is no number {words} in the list. Tell me a number that is in it.")
    if unclear.reason == "nothing like it":
        return Say(f"I see nothing on view that is “{wording.one_line(words)}”. Name it otherwise?")
    asked = ask_which(intent) if isinstance(intent, Add) else "What shall I look for?"
    return Say("I do not know which one you mean: no list is on view.", question=asked)


def found_for(intent: Intent, item: Reference, desk: Desk) -> Found | Step:
    """Return the products that a reference means, or the step that finds out."""
    meaning = on_view(item, desk.scene, removed=desk.now.removed)
    if isinstance(meaning, Wanted):
        words = item.words if isinstance(item, Named | Extreme) else ()
        among = meant_among(meaning, words, desk)
        if among is None or isinstance(among, Do):
            return among or looked_up(meaning, desk, words)
        meaning = among
    return which(intent, meaning, desk) if isinstance(meaning, Unclear) else meaning


def _each(
    intent: Intent,
    item: Reference,
    desk: Desk,
    tool: str,
    tell: Callable[[Call, str, Desk], Step],
) -> Step:
    """Read each product that is meant with one tool, then tell about it."""
    meaning = found_for(intent, item, desk)
    if not isinstance(meaning, Found):
        return meaning
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
    left = len(meaning.skus) - _MOST_AT_ONCE
    more = [f"Those are the first {_MOST_AT_ONCE}; of {left} more, ask me by number."]
    texts = [say.text for say in told] + (more if left > 0 else [])
    return Say("\n\n".join(texts), question=question)


def _told(call: Call, sku: str, desk: Desk, tell: Callable[[Call, str, Desk], Step]) -> Step:
    sentence = refused(call)
    return Say(wording.passed_on(call.tool, sentence)) if sentence else tell(call, sku, desk)


def _page(call: Call, sku: str, desk: Desk) -> Say:
    page = product(call.result)
    if page is None:
        return _unreadable(call)
    return Say(wording.page(page), question=ask_add(sku) if can_add(page.row, desk) else "")


def can_add(row: Row, desk: Desk) -> bool:
    """Tell whether to offer a product: it is in stock, not in the cart, and adding is possible."""
    inside = any(line.sku == row.sku for line in desk.now.cart)
    return "add_to_cart" in desk.offered and not row.sold_out and not inside


def can_add_sku(sku: str, desk: Desk) -> bool:
    """Tell whether a product of which the name is known may be offered."""
    return sku in desk.scene.known and can_add(desk.scene.known[sku], desk)


def _opinions(call: Call, sku: str, desk: Desk) -> Say:
    found = reviews(call.result)
    if found is None:
        return _unreadable(call)
    row = desk.scene.known.get(sku)
    rating = row.rating if row is not None else ""
    return Say(wording.opinions(desk.scene.name_of(sku), found, rating))


def _unreadable(call: Call) -> Say:
    return Say(f"{call.tool} said: {wording.one_line(call.result)}")
