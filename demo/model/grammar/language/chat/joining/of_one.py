"""Whether two wishes that stand side by side are one, and which. Pure."""

from dataclasses import replace
from typing import Final

from daybook.demo.model.grammar.language.chat.names import MODEL_WORDS, has_model
from daybook.demo.model.grammar.language.chat.vocabulary import COLOURS, says_goods
from daybook.demo.model.grammar.language.intents.cart import Add
from daybook.demo.model.grammar.language.intents.goods import (
    AskPrice,
    AskProperty,
    Details,
    Mention,
    Pick,
    Reviews,
    Search,
)
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.orders import Checkout
from daybook.demo.model.grammar.language.intents.references import (
    Choice,
    Every,
    Extreme,
    It,
    Named,
    Nth,
    Reference,
    Sku,
)
from daybook.demo.model.grammar.language.words import NOUNS, fold, kind_of


def of_that_kind(before: Intent | None, one: Intent) -> Intent:
    """Give a model that is told of beside another the other's kind: "the X stove and the Y one"."""
    match before, one:
        case (
            Details(Named(words)) | AskPrice(Named(words)),
            Details(Named((_, _) as model)) | AskPrice(Named((_, _) as model)),
        ) if has_model(words) and has_model(model):
            called = tuple(word for word in words[2:] if says_goods(word))
            return replace(one, item=Named((*model, *called), definite=True)) if called else one
        case _:
            return one


def said_of_goods(intent: Intent) -> str:
    """Return what was read as a card to pay with, where it is said of goods: "with the hood"."""
    match intent:
        case Checkout(Choice(words), None) if words and all(map(says_goods, words)):
            return " ".join(words)
        case _:
            return ""


def most_of(before: Intent | None, one: Intent) -> Intent | None:
    """Read "socks, the cheapest" as the cheapest socks, and "six of them" as a wish for them."""
    match before, one:
        case Search(query, max_price=None, min_price=None, without=()), (
            Mention(Extreme(by, ()), None) | Pick(Extreme(by, ()))
        ) if query:
            return Pick(Extreme(by, tuple(query.split())))
        case (
            Pick(Extreme(by, words)),
            Search(query, narrows=True, more=False, max_price=None, min_price=None, without=()),
        ) if words and query:
            # "The brightest headlamp, waterproof": it is said of the same goods.
            return Pick(Extreme(by, (*query.split(), *words)))
        case Pick(Extreme() as item), Mention(It(), int() as count):
            return Add(item, count)
        case _:
            return None


def is_one_wish(before: Search, one: Search) -> bool:
    """Tell whether a search says only more of the one before it: "boots, waterproof"."""
    return bool(before.query) and one.narrows and not before.narrows and not one.cheap


def as_one_search(before: Search, one: Search) -> Search:
    """Join two searches of one wish."""
    words = dict.fromkeys((*one.query.split(), *before.query.split()))
    return replace(
        before,
        query=" ".join(words),
        max_price=before.max_price or one.max_price,
        min_price=before.min_price or one.min_price,
    )


def is_said_twice(before: Intent | None, one: Intent) -> bool:
    """Tell whether one wish stands there in two sentences: "I do need it, add it"."""
    match before, one:
        case Add(It(), 1, False), Add(It(), 1, False):
            return True
        case _:
            return False


def is_of_all_asked(before: Intent | None, one: Intent) -> bool:
    """Tell whether "all of them" only says of how many it was asked: "its reviews. All of them"."""
    asked = isinstance(before, Reviews | AskPrice | AskProperty | Details)
    return asked and isinstance(one, Mention) and isinstance(one.item, Every | It)


def named_by(intent: Intent | None) -> Reference | None:
    """Return what an intent names and nothing else."""
    match intent:
        case Mention(Named(words) as item, None) if any(map(_says_which_goods, words)):
            return item
        case Mention(item, None) | Pick(item) if isinstance(item, Sku | Nth | Extreme):
            return item
        case Search(query, bare=True, min_price=None, max_price=None) if query:
            return Named(tuple(query.split()), definite=True)
        case _:
            return None


def _says_which_goods(word: str) -> bool:
    return says_goods(word) or word in MODEL_WORDS


def is_chatter(mention: Mention) -> bool:
    """Tell whether a mention is of many words and of no goods."""
    item = mention.item
    if not isinstance(item, Named) or mention.quantity is not None:
        return False
    return len(item.words) >= _MANY_WORDS and not any(fold(word) in NOUNS for word in item.words)


_MANY_WORDS: Final = 3


def only_narrows(mention: Mention) -> bool:
    """Tell whether a mention only says more of what was named before: "the light ones"."""
    item = mention.item
    return (
        isinstance(item, Named)
        and item.definite
        and mention.quantity is None
        and not any(fold(word) in NOUNS for word in item.words)
    )


def had_too(intent: Intent) -> Add | None:
    """Read what is named behind something that is added as a wish to have it too."""
    match intent:
        case Mention(item, quantity) if isinstance(item, Nth | Sku | Named | Extreme):
            return Add(item, quantity or 1)
        case Search(query, bare=bare, min_price=None) if query and (bare or _is_named(query)):
            return Add(Named(tuple(query.split()), max_price=intent.max_price))
        case _:
            return None


def _is_named(query: str) -> bool:
    words = query.split()
    return has_model(words) and kind_of(words) is not None


def says_how_it_is(after: Intent) -> bool:
    """Tell whether the second says how the first shall be: "the X boots, size 38", "X, blue"."""
    match after:
        case Add(Named(words)) | Mention(Named(words)):
            pass
        case Search(query, bare=True, max_price=None, min_price=None):
            words = tuple(query.split())
        case _:
            return False
    return words[:1] == ("size",) or (bool(words) and all(word in COLOURS for word in words))


def says_how_many(before: Add, after: Intent) -> bool:
    """Tell whether the second counts what the first names: "add the second one, 2 pairs"."""
    match after:
        case Add(It(), count, more=False, again=False):
            return before.quantity == 1 < count
        case _:
            return False


def says_which(before: Add, after: Add | Mention) -> bool:
    """Tell whether the second names what the first left open: "a stove, the Moss Bridge one"."""
    first, second = before.item, after.item
    if not (isinstance(first, Named) and isinstance(second, Named)):
        return False
    has_kind = any(fold(word) in NOUNS for word in second.words)
    return second.definite and not first.definite and not has_kind and after.quantity in (None, 1)


def named_by_both(first: Reference, second: Reference) -> Reference:
    """Return what two names together name: "a stove, the Moss Bridge one"."""
    assert isinstance(first, Named), "only what is named is joined"
    assert isinstance(second, Named), "only what is named is joined"
    return Named((*second.words, *first.words), definite=False, max_price=first.max_price)
