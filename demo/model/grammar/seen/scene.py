"""What the words of a user can point at: lists on view, the cart, and what was spoken of last."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from rapidfuzz.distance import OSA

from daybook.demo.model.grammar.language.chat.names import has_model, is_model
from daybook.demo.model.grammar.language.chat.vocabulary import GOODS
from daybook.demo.model.grammar.language.words import PURPOSES, kind_of, kind_of_item, stems
from daybook.demo.model.grammar.seen.listed import kind_looked_at, page_read_last
from daybook.demo.model.grammar.seen.prompt import Call, Line, Prompt, Turn
from daybook.demo.model.grammar.seen.results import (
    Product,
    Row,
    cart_event,
    cents,
    hits,
    opened,
    product,
)

_LISTED: Final = re.compile(
    # The name may hold anything: what counts stands behind it, as `wording.row` writes it.
    r"^(\d{1,3})\. \*\*(.*)\*\* \(([A-Z]+-\d+)\)"
    r"(?:, (\d{1,9}\.\d\d [A-Z]{3}))?(?:, rated (.*?) of 5(?: \(\d+ reviews\))?)?"
    r"(?:, (\d+ in stock))?$",
    re.MULTILINE,
)
_NAMED: Final = re.compile(r"^The [a-z ]+ is \*\*.*\*\* \(([A-Z]+-\d+)\)", re.MULTILINE)
"""Where the one of several is named that was asked for, as `wording` writes it."""
_OFFERED: Final = re.compile(
    r"^Shall I put ([A-Z]+-\d+) into your cart(?: \(quantity \d+\))?(?:, or tell you more of it)?"
    r"\?\Z",
    re.MULTILINE,
)
"""The one product that an answer offers at its end, as `answers.asked.questions` writes it."""
_PAGE: Final = re.compile(r"^\*\*.*\*\* \(([A-Z]+-\d+)\), \d", re.MULTILINE)
"""The product whose page is shown, as `wording.page` writes it: its result may be gone by now."""
_TOLD: Final = re.compile(r"\(([A-Z]{2,8}-\d{2,6})\)")
_CART_HEAD: Final = "Your cart:"
_PRICED_LINE: Final = re.compile(
    r"^- .*\(([A-Z]+-\d+)\) x(\d+): (\d+\.\d\d) [A-Z]{3}$", re.MULTILINE
)
_LINE: Final = re.compile(r"^- .*\(([A-Z]+-\d+)\) x\d+", re.MULTILINE)
_TELLS: Final = frozenset({"get_product", "compare_reviews"})
_LOOKS_BACK: Final = 4
_LONG_ENOUGH: Final = 5
_ABOUT_ONE: Final = frozenset(
    {"get_product", "get_reviews", "add_to_cart", "set_quantity", "remove_from_cart"}
)

List = tuple[Row, ...]


@dataclass(frozen=True)
class Scene:
    """What can be pointed at when a turn begins.

    `lists` are the numbered lists that the user was shown, newest last. `cart` is the cart before
    this turn changed it, so that a wish means the same in every call of its turn. `focus` is the
    sku that "it" stands for, if there is one; while `choosing`, a list of several came after that.
    `stale` are the skus whose latest row is from a read that is out of date. `group` are products
    that were told of together after the last list (compared, or the cart), `recent` those that were
    spoken of one by one, newest first, `pages` what was read of each product. `together` are the
    lines of the cart that one turn put in or changed, where that is what was spoken of last. `told`
    are all products that an answer before this turn names. `faded` says that an answer which found
    nothing came after what "it" stands for. `listed` says that an answer listed any. `overtaken`
    says that goods of another kind were looked for in vain after the last list: "the first" may be
    none of it. `unseen` says that "it" is what the digest names as read last: how it was spoken of,
    the prompt tells no more. `looked_at` is the kind that was searched for then.
    """

    lists: tuple[List, ...]
    known: dict[str, Row]
    cart: tuple[Line, ...]
    focus: str | None
    choosing: bool = False
    stale: frozenset[str] = frozenset()
    group: List = ()
    recent: tuple[str, ...] = ()
    pages: Mapping[str, Product] = field(default_factory=dict)
    together: tuple[str, ...] = ()
    told: List = ()
    faded: bool = False
    listed: bool = True
    overtaken: bool = False
    unseen: bool = False
    looked_at: str | None = None

    def with_list(self, rows: Iterable[Row]) -> "Scene":
        """Return the scene after a further list came into view; of a list of one, "it" is clear."""
        shown = tuple(rows)
        focus = shown[0].sku if len(shown) == 1 else None
        return replace(
            self,
            lists=(*self.lists, shown),
            focus=focus,
            choosing=focus is None,
            group=(),
            together=(),
            overtaken=False,
            unseen=False,
        )

    @property
    def latest(self) -> List:
        """Return the products that were told of together last: a comparison, a cart or a list."""
        return self.group or (self.lists[-1] if self.lists else ())

    @property
    def kind(self) -> str | None:
        """Return the kind of goods that the list shown last is of, or what was spoken of.

        A list of several kinds says nothing: what was spoken of after it does, or the list before.
        """
        for at, rows in enumerate(reversed(self.lists)):
            kinds = {kind_of_item(row.name, row.sku) for row in rows}
            if len(kinds) == 1:
                return kinds.pop()
            if at == 0 and self.focus is not None:
                break
        if self.focus is None:
            return None if self.lists else self.looked_at
        return kind_of_item(self.name_of(self.focus), self.focus)

    def with_line(self, line: Line) -> "Scene":
        """Return the scene after a product was put into the cart by an earlier clause."""
        others = tuple(there for there in self.cart if there.sku != line.sku)
        return replace(self, cart=(*others, line))

    def speaking_of(self, sku: str) -> "Scene":
        """Return the scene after one product was spoken of."""
        return replace(self, focus=sku, choosing=False, together=(), unseen=False)

    def in_cart(self, sku: str) -> Line | None:
        """Return the cart's line of a product, if it has one."""
        return next((line for line in self.cart if line.sku == sku), None)

    def fresh(self, sku: str) -> Row | None:
        """Return what is known of a product, if that is not out of date."""
        return None if sku in self.stale else self.known.get(sku)

    def name_of(self, sku: str) -> str:
        """Return the name of a product, or its sku where the name was never seen."""
        line = self.in_cart(sku)
        if line is not None:
            return line.name
        return self.known[sku].name if sku in self.known else sku


def scene_of(prompt: Prompt) -> Scene:
    """Read the scene from the turns before and the tail."""
    known, stale = _known(prompt)
    cart = _cart(prompt, known)
    lists = [found for turn in prompt.past for found in _shown(turn, known, prompt.now.cart)]
    listed = bool(lists)
    if not lists:
        # A list that was opened again for this turn's words is what they point at; hits that no
        # answer listed were never seen.
        calls = [call for call in prompt.turn.calls if call.tool == "recall"]
        lists = [tuple(rows) for call in calls if (rows := _hits(call)[0])][-1:]
    focus, choosing = _focus(prompt.past, known, prompt.now.cart)
    group, unseen = _group(prompt, known), False
    if focus is None and not (choosing or lists):
        # Nothing else is left of the conversation that could be meant.
        if len(cart) == 1:
            focus = cart[0].sku
        elif not (cart or group):
            focus = page_read_last(prompt)
            unseen = focus is not None
    return Scene(
        tuple(lists),
        known,
        cart,
        focus,
        choosing,
        stale,
        group,
        tuple(_recent(prompt.past, known, prompt.now.cart)),
        _pages(prompt),
        _together(prompt.past, {line.sku for line in cart}),
        _all_told(prompt.past, known, lists),
        bool(prompt.past) and _FAILED.search(prompt.past[-1].answer) is not None,
        listed,
        _is_overtaken(prompt.past, lists),
        unseen,
        kind_looked_at(prompt),
    )


_FAILED: Final = re.compile(r"^(?:I found (?:no|nothing)|I did not understand)\b", re.MULTILINE)


_IN_VAIN: Final = re.compile(r"^(?:I found (?:no|nothing)|For .* I found only)\b", re.MULTILINE)


def _is_overtaken(past: Sequence[Turn], lists: Sequence[Sequence[Row]]) -> bool:
    """Tell whether other goods than those of the last list were looked for in vain after it."""
    shown = {kind_of_item(row.name, row.sku) for row in lists[-1]} if lists else set()
    for turn in reversed(past):
        if _LISTED.search(turn.answer):
            return False
        if _IN_VAIN.search(turn.answer):
            queries = [str(c.args.get("query")) for c in turn.calls if c.tool == "search_products"]
            return {kind_of(query.split()) for query in queries} != shown
    return False


def _all_told(
    past: Sequence[Turn], known: Mapping[str, Row], lists: Sequence[Sequence[Row]]
) -> List:
    written = {row.sku: row for rows in lists for row in rows} | dict(known)
    skus = dict.fromkeys(sku for turn in past for sku in _TOLD.findall(turn.answer))
    return tuple(written[sku] for sku in skus if sku in written)


def _cart(prompt: Prompt, known: Mapping[str, Row]) -> tuple[Line, ...]:
    """Return the cart before this turn, its lines in the order in which they were shown last.

    A line that this turn took out would come back as the last, and "the first" be another one.
    """
    answers = (turn.answer.rpartition(_CART_HEAD) for turn in reversed(prompt.past))
    shown = next((_LINE.findall(after) for _, head, after in answers if head), [])
    places = {sku: place for place, sku in enumerate(shown)}
    cart = cart_before(prompt.now.cart, prompt.turn.calls)
    told = {sku: each for turn in prompt.past for sku, each in _each_price(turn.answer)}
    priced = [_with_price(line, told, known) for line in cart]
    return tuple(sorted(priced, key=lambda line: places.get(line.sku, len(places))))


def _with_price(line: Line, told: Mapping[str, int], known: Mapping[str, Row]) -> Line:
    """Give a line that this turn took out its price again, as it was read or shown last."""
    if cents(f"{line.each} USD"):
        return line
    row = known.get(line.sku)
    each = told.get(line.sku, 0) or (row.cents if row is not None else 0)
    return replace(line, each=f"{each // 100}.{each % 100:02}")


def _each_price(answer: str) -> Iterable[tuple[str, int]]:
    """Yield the products of the cart that an answer shows, and what one of each costs."""
    for sku, quantity, total in _PRICED_LINE.findall(answer):
        yield sku, cents(f"{total} USD") // max(1, int(quantity))


def _together(past: Sequence[Turn], inside: Collection[str]) -> tuple[str, ...]:
    """Return the lines that the last turn which spoke of products changed, where it was several."""
    for turn in reversed(past):
        calls = [call for call in turn.calls if call.tool in _ABOUT_ONE]
        if not calls and not _LISTED.search(turn.answer):
            continue
        events = [event for call in calls if (event := cart_event(call.result))]
        skus = tuple(dict.fromkeys(sku for _, sku, _, _ in events if sku in inside))
        return skus if len(skus) > 1 else ()
    return ()


def _group(prompt: Prompt, known: Mapping[str, Row]) -> List:
    """Return the products that were told of together after the last list, if there are such."""
    cart = _cart(prompt, known)
    lines = {line.sku: row_of(line, 0, prompt.now.currency) for line in cart}
    for turn in reversed(prompt.past):
        if _LISTED.search(turn.answer):
            return ()
        told = [
            str(sku).upper()
            for call in turn.calls
            if call.tool in _TELLS
            for sku in (call.args.get("sku"), *_listed_args(call.args.get("skus")))
            if isinstance(sku, str)
        ]
        if _CART_HEAD not in turn.answer:
            told += _TOLD.findall(turn.answer)
        skus = list(dict.fromkeys(told)) or (
            [line.sku for line in cart] if _CART_HEAD in turn.answer else []
        )
        rows = [known.get(sku) or lines.get(sku) for sku in skus]
        # What was only read, to find the most of something, was not told of.
        rows = [row for row in rows if row is not None and _is_told(row, turn.answer)]
        found = tuple(
            replace(row, number=n) for n, row in enumerate((r for r in rows if r is not None), 1)
        )
        if len(found) > 1:
            return found
    return ()


def _is_told(row: Row, answer: str) -> bool:
    return row.sku in answer or row.name in answer


def _listed_args(value: object) -> Iterable[object]:
    return value if isinstance(value, list) else ()


def _recent(past: Sequence[Turn], known: Mapping[str, Row], cart: Sequence[Line]) -> Iterable[str]:
    """Yield the products that were spoken of one by one, newest first, up to the last list."""
    seen: dict[str, None] = {}
    for turn in reversed(past[-_LOOKS_BACK:]):
        reads = [str(call.args["sku"]).upper() for call in _last_first(turn)]
        tells = any(sku in known and _is_told(known[sku], turn.answer) for sku in reads)
        for call in _last_first(turn):
            sku = str(call.args["sku"]).upper()
            # What was only read, to find the most of something, was not spoken of.
            is_read = call.tool == "get_product" and sku in known and tells
            if not is_read or _is_told(known[sku], turn.answer):
                seen.setdefault(sku)
        if _LISTED.search(turn.answer):
            break
    return seen


def _last_first(turn: Turn) -> list[Call]:
    """Return the calls about one product, the last first; behind them what went out for another."""
    calls = [
        call
        for call in reversed(turn.calls)
        if call.tool in _ABOUT_ONE and isinstance(call.args.get("sku"), str)
    ]
    return sorted(calls, key=lambda call: call.tool == "remove_from_cart")


def _pages(prompt: Prompt) -> dict[str, Product]:
    pages: dict[str, Product] = {}
    for turn in (*prompt.past, prompt.turn):
        for call in turn.calls:
            page = product(call.result) if call.tool == "get_product" else None
            if page is not None and call.handle not in prompt.now.superseded:
                pages[page.row.sku] = page
    return pages


def cart_before(lines: Sequence[Line], calls: Iterable[Call]) -> tuple[Line, ...]:
    """Undo what the calls of this turn did to the cart; prices of what comes back are unknown."""
    cart = {line.sku: line for line in lines}
    for call in reversed(list(calls)):
        event = cart_event(call.result) if call.tool in _ABOUT_ONE else None
        if event is None:
            continue
        sign, sku, quantity, name = event
        line = cart.get(sku)
        if sign in "-=" and line is None:
            cart[sku] = Line(sku, 1, "0.00", "0.00", name)
        elif sign == "+" and line is not None and line.quantity <= quantity:
            del cart[sku]
        elif sign == "+" and line is not None:
            cart[sku] = replace(line, quantity=line.quantity - quantity)
    return tuple(cart.values())


def matches(words: Iterable[str], name: str, sku: str) -> bool:
    """Tell whether a product can be meant by the words: each is in its name, or names its kind."""
    wanted = [word for word in words if word not in PURPOSES]
    there = stems(name.replace(",", " ").split())
    said = name.replace(",", " ").lower().split()
    if is_model(*said[:2]) if len(said) > 1 else False:
        own = stems(said[2:])
        wanted = [word for word in wanted if not (word in GOODS and stems([word]) <= own)]
        if not has_model(wanted) and any(word in GOODS and word in said[:2] for word in wanted):
            return False
    kind, named_kind = kind_of_item(name, sku), kind_of(wanted)
    if named_kind is not None and kind != named_kind:
        return False
    return all(
        stems([word]) <= there
        or (kind is not None and kind_of([word]) == kind)
        or _of(word, kind)
        or _is_misspelt(word, there)
        for word in wanted
    )


def _is_misspelt(word: str, there: Iterable[str]) -> bool:
    """Tell whether a word is one of these but for a typing error."""
    return len(word) >= _LONG_ENOUGH and any(
        word[0] == other[0] and OSA.distance(word, other, score_cutoff=1) <= 1
        for other in there
        if len(other) >= _LONG_ENOUGH
    )


def _of(word: str, kind: str | None) -> bool:
    """Tell whether a word is part of the kind's own name: "hiking" of hiking boots."""
    return kind is not None and stems([word]) <= stems(kind.split("-"))


def row_of(line: Line, number: int, currency: str) -> Row:
    """Write a cart line as a row of a list."""
    price = f"{line.each} {currency}"
    return Row(number, line.sku, line.name, cents(price), price, "", "")


def _known(prompt: Prompt) -> tuple[dict[str, Row], frozenset[str]]:
    """Return the latest row of every product seen, and the skus for which it is out of date."""
    known: dict[str, Row] = {}
    stale: dict[str, bool] = {}
    for turn in (*prompt.past, prompt.turn):
        for call in turn.calls:
            rows, is_good = _hits(call)
            page = product(call.result) if call.tool == "get_product" else None
            rows = [page.row] if page else rows
            known |= {row.sku: row for row in rows}
            is_stale = call.handle in prompt.now.superseded or not is_good
            stale |= {row.sku: is_stale for row in rows}
    return known, frozenset(sku for sku in stale if stale[sku])


def _shown(turn: Turn, known: dict[str, Row], cart: Sequence[Line]) -> list[List]:
    """Read the numbered lists of an answer; a number that does not grow begins the next list."""
    lines = {line.sku: row_of(line, 0, "USD") for line in cart}
    lists: list[list[Row]] = []
    for number, name, sku, price, stars, stock in _LISTED.findall(turn.answer):
        written = Row(0, sku, name, cents(price), price, f"{stars} of 5" if stars else "", stock)
        # The result that it was written from may be no longer in the prompt.
        row = known.get(sku) or lines.get(sku) or written
        if not lists or int(number) <= lists[-1][-1].number:
            lists.append([])
        lists[-1].append(replace(row, number=int(number)))
    return [tuple(rows) for rows in lists]


_DIFFERENCE: Final = "The difference is"
_IT_THAN: Final = re.compile(
    r"\b(?:it|this|that)\b(?: one)?(?: \w+){0,4} than (?:the )?(?!it\b|this|that)\w"
)


def _focus(
    past: Sequence[Turn], known: dict[str, Row], cart: Sequence[Line]
) -> tuple[str | None, bool]:
    """Return what was spoken of last, and whether a list of several came after that."""
    for turn in reversed(past):
        if _DIFFERENCE in turn.answer and _IT_THAN.search(turn.text.lower()):
            # "Is it lighter than the Quiet Valley?": what "it" was is spoken of still.
            continue
        named = _NAMED.findall(turn.answer) or _OFFERED.findall(turn.answer)
        named = named or _PAGE.findall(turn.answer)
        if len(named) == 1:
            return named[0], False
        told = {str(c.args.get("sku")).upper() for c in turn.calls if c.tool in _ABOUT_ONE}
        if not _LISTED.search(turn.answer) and _CART_HEAD not in turn.answer:
            told |= {sku for sku in _TOLD.findall(turn.answer) if sku in known}
        looked = all(call.tool == "get_product" for call in turn.calls if call.tool in _ABOUT_ONE)
        shown = {sku for sku in _TOLD.findall(turn.answer) if sku in known}
        if len(told) > 1 and looked and len(shown) == 1 and shown <= told:
            return shown.pop(), False
        if len(told) > 1 and looked:
            # Of several that were told of together, none is "it".
            return None, True
        for call in _last_first(turn):
            return str(call.args["sku"]).upper(), False
        if len(told) == 1:
            # A price that was read before is told with no call.
            return told.pop(), False
        lists = _shown(turn, known, cart)
        if lists:
            several = len(lists[-1]) > 1
            return None if several else lists[-1][0].sku, several
    return None, False


def _hits(call: Call) -> tuple[list[Row], bool]:
    """Read the rows of a search, made or opened again, and whether they are still good."""
    if call.tool == "search_products":
        return hits(call.result), True
    if call.tool == "recall":
        text, is_good = opened(call.result)
        return hits(text), is_good
    return [], True
