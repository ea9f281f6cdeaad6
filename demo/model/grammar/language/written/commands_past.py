"""Read the commands about the person, the past and advice as intents."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final, Literal

from daybook.demo.model.grammar.language.intents.goods import CompareReviews, NewGoal
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.past import (
    Advise,
    AskKnown,
    AskPast,
    FactKind,
    Forget,
    ForgetAll,
    NoMatter,
    PastTopic,
    Period,
    Remember,
    Reopen,
)
from daybook.demo.model.grammar.language.intents.references import Every, Reference
from daybook.demo.model.grammar.language.tokens import Kind, words_of
from daybook.demo.model.grammar.language.words import MONTHS, kind_of
from daybook.demo.model.grammar.language.written.parser import Node
from daybook.demo.model.grammar.language.written.references import reference, search

_HANDLE: Final = re.compile(r"r\d{1,6}")
_MONTHS: Final = tuple(month.lower() for month in MONTHS)
_UNITS: Final[Mapping[str, Literal["day", "week", "month", "year"]]] = {
    "day": "day", "days": "day", "week": "week", "weeks": "week", "month": "month",
    "months": "month", "year": "year", "years": "year",
}  # fmt: skip
_WORN: Final = {"hiking-boots": "shoe size", "jackets": "jacket size", "socks": "sock size"}
_LITTLE: Final = frozenset({"the", "my", "a", "an", "our", "your", "any", "and"})

Reader = Callable[[Node, str], Iterable[Intent]]


def is_handle(text: str) -> bool:
    """Tell whether a word is the handle of a read, such as r7."""
    return _HANDLE.fullmatch(text) is not None


def _remember(node: Node, text: str) -> list[Intent]:
    free = node.one("Free")
    if free is not None:
        return [_free(free, text)]
    stated = node.one("Stated")
    assert stated is not None, "what is remembered is stated"
    return list(_stated(stated, text))


def _stated(node: Node, text: str) -> Iterable[Remember]:
    """Read a statement; its subject is what is spoken of, so that a later one takes its place."""
    form = node.inside[0]
    if form.name == "Allergy":
        # Each is a fact of its own: a later one must not take the place of an earlier one.
        allergens = form.one("Allergen", "Value")
        return [
            Remember(f"allergy to {what}", "yes", "constraint") for what in _parts(allergens, text)
        ]
    return [_one_stated(form, text)]


def _one_stated(form: Node, text: str) -> Remember:
    value = form.one("Value")
    words = words_of(value.tokens, text) if value is not None else ""
    match form.name:
        case "Trait":
            name = form.one("TraitName")
            subject = _plain(name) if name is not None else ""
            liked = {"favourite", "favorite", "preferred"} & set(subject.split())
            return Remember(subject, words, "preference" if liked else "fact")
        case "Wears":
            return _size(form, text)
        case "Taste":
            verb = form.one("Likes", "Prefers", "Dislikes")
            said = {"Likes": "liked", "Prefers": "preferred"}.get(verb.name if verb else "")
            return Remember(words.lower(), said or "disliked", "preference")
        case "Never":
            return Remember(words.lower(), "never", "constraint")
        case "Budget":
            amount = form.one("Amount")
            assert amount is not None, "a budget has an amount"
            return Remember("budget", words_of(amount.tokens, text), "constraint")
        case "Body":
            part, trait = form.one("BodyPart"), form.one("BodyTrait")
            return Remember(_plain(part), words_of(trait.tokens, text) if trait else "")
        case "Diet":
            return Remember("diet", _plain(form.one("DietName")))
        case "Home":
            place = form.one("Place")
            return Remember("home", words_of(place.tokens, text) if place is not None else "")
        case "Owned":
            return Remember(_plain(form.one("OwnedThing")), f"called {words}")
        case "Secret":
            return Remember(_plain(form.one("SecretName")), words)
        case _:
            return Remember("occasion", words)


def _parts(node: Node | None, text: str) -> list[str]:
    """Split words that are joined by "and"."""
    words = words_of(node.tokens, text).lower() if node is not None else ""
    return [part.strip() for part in re.split(r"(?:,| and | or |&)+", words) if part.strip()]


def _size(form: Node, text: str) -> Remember:
    named, worn, trait = form.one("SizeName"), form.one("Worn"), form.one("TraitWord")
    number = next((t for t in form.tokens if t.kind in (Kind.NUMBER, Kind.MONEY)), None)
    value = words_of(named.tokens, text) if named else words_of([number] if number else [], text)
    if worn is not None:
        subject = _WORN.get(kind_of(token.text for token in worn.tokens) or "", "size")
    elif trait is not None:
        subject = f"{_plain(trait)} size"
    else:
        # European shoe sizes; what is written in letters is of clothes.
        is_shoe = number is not None and number.kind is Kind.NUMBER and 34 <= number.value <= 50
        subject = "shoe size" if is_shoe else "size"
    return Remember(subject, value.upper() if value.isalpha() else value)


def _free(node: Node, text: str) -> Remember:
    name, value, words = node.one("FreeName"), node.one("Value"), node.one("FreeWords")
    if name is not None and value is not None:
        return Remember(words_of(name.tokens, text).lower()[:60], words_of(value.tokens, text))
    form = node.one("FreeAm", "FreeHave", "FreeNot")
    if form is not None and (what := form.one("Value")) is not None:
        subject = words_of(what.tokens, text).lower()[:60]
        return Remember(subject, "no" if form.name == "FreeNot" else "yes")
    said = words_of(words.tokens, text) if words is not None else ""
    return Remember(said.lower().removeprefix("i ")[:60], "yes")


def _forget(node: Node, text: str) -> list[Intent]:
    items = list(node.all("ForgetItem"))
    if not items:
        return [Forget(_plain(node.one("TraitName")))]
    return [Forget(subject) for item in items for subject in _forgotten(item, text)]


def _forgotten(item: Node, text: str) -> list[str]:
    stated = item.one("Stated")
    if stated is not None:
        return [fact.subject for fact in _stated(stated, text)]
    return [_plain(item.one("TraitName", "ForgetName", "AskedName") or item)]


def _known(node: Node, text: str) -> list[Intent]:
    name = node.one("TraitName", "AskedTrait", "AskedName", "AskedAllergic")
    kinds: tuple[FactKind, ...] = ()
    if node.one("AskedLikes", "AskedDislikes") is not None:
        kinds = ("preference", "constraint")
    if name is None:
        return [AskKnown(_asked_size(node), kinds)]
    words = tuple(_plain(name).split())
    if name.name == "AskedAllergic":
        words = ("allergy", *(word for word in words if word not in ("allergic", "to")))
    return [AskKnown(words, kinds)]


def _asked_size(node: Node) -> tuple[str, ...]:
    if not {"size", "sizes"} & {token.text for token in node.tokens}:
        return ()
    return (*_plain(node.one("TraitWord")).split(), "size")


def _reopen(node: Node, text: str) -> list[Intent]:
    handle = next((t.text for t in node.tokens if is_handle(t.text)), None)
    if handle is not None:
        return [Reopen(int(handle[1:]))]
    place, words = node.one("ReopenPlace"), node.one("ReopenWords")
    if place is not None:
        return [Reopen(place=_place(place))]
    named = [t.text for t in words.tokens if t.text not in _LITTLE] if words is not None else []
    return [Reopen(words=tuple(named))]


def _place(node: Node) -> int:
    for token in node.tokens:
        if token.kind is Kind.NTH:
            return token.value
        if token.text in ("earliest", "original", "initial"):
            return 1
        if token.text == "latest" or (token.text == "last" and len(node.tokens) == 1):
            return -1
    return -2


def _past(node: Node, text: str) -> list[Intent]:
    asked = node.inside[0]
    found = node.one("Period")
    period = _period(found) if found is not None else None
    goods = node.one("PastGoods")
    if goods is not None:
        sku = next((t.text.upper() for t in goods.tokens if t.kind is Kind.SKU), "")
        kind = kind_of(t.text for t in goods.tokens if t.kind is Kind.WORD) or ""
        about: PastTopic = "spent" if asked.name == "PastSpent" else "bought"
        return [AskPast(about, period, kind, sku)]
    if asked.name == "PastOrders" and "when" in {token.text for token in asked.tokens}:
        return [AskPast("bought", period)]
    return [AskPast(_ABOUT[asked.name], period)]


_ABOUT: Final[Mapping[str, PastTopic]] = {
    "PastAll": "everything",
    "PastCancelled": "cancelled",
    "PastOrders": "orders",
    "PastSpent": "spent",
    "PastRemoved": "removed",
    "PastPayments": "failed payments",
    "PastBought": "bought",
    "PastCount": "count",
    "PastSearches": "searches",
}


def _period(node: Node) -> Period:
    texts = [token.text for token in node.tokens]
    month = next((_MONTHS.index(text) + 1 for text in texts if text in _MONTHS), None)
    if month is not None:
        return Period("month", month=month)
    if "yesterday" in texts:
        return Period("day", 1)
    unit = next((_UNITS[text] for text in texts if text in _UNITS), None)
    number = next((t.value for t in node.tokens if t.kind is Kind.NUMBER), None)
    if unit is None:
        return Period("day")
    if number is not None:
        return Period(unit, last=max(1, number))
    return Period(unit, 0 if "this" in texts else 1)


def _compare(node: Node, text: str) -> list[Intent]:
    items: list[Reference] = [
        Every() if item.name == "Several" else reference(item)
        for item in node.all("Item", "Several")
    ]
    return [CompareReviews(tuple(items) or (Every(),), _plain(node.one("Topic")))]


def _advise(node: Node, text: str) -> list[Intent]:
    goal = node.one("Goal")
    return [Advise(words_of(goal.tokens, text)[:160] if goal is not None else "")]


def _new_goal(node: Node, text: str) -> list[Intent]:
    item = node.one("SearchItem")
    assert item is not None, "a new goal is named"
    return [NewGoal(words_of(item.tokens, text)[:160], search(item))]


def _no_matter(node: Node, text: str) -> list[Intent]:
    return [NoMatter(words_of(node.tokens, text))]


def _plain(node: Node | None) -> str:
    """Return the words of a rule in lower case, without those that point."""
    tokens = node.tokens if node is not None else ()
    return " ".join(token.text for token in tokens if token.text not in _LITTLE)


PAST_READERS: Final[Mapping[str, Reader]] = {
    "Remember": _remember,
    "ForgetWhat": lambda node, text: [ForgetAll(vague=True)],
    "Forget": _forget,
    "ForgetAll": lambda node, text: [ForgetAll()],
    "AskKnown": _known,
    "Reopen": _reopen,
    "AskPast": _past,
    "CompareReviews": _compare,
    "Advise": _advise,
    "NewGoal": _new_goal,
    "NoMatter": _no_matter,
}
