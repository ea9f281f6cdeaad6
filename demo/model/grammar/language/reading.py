"""Understand a text: tokens, one parse, and an intent for each clause. Pure: text in, intents out.

`READERS` has one entry for each command of the grammar.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import pairwise
from typing import Final

from daybook.demo.model.grammar.language.chat.beside import settled
from daybook.demo.model.grammar.language.chat.bounds.limits import limited
from daybook.demo.model.grammar.language.chat.bounds.measures import measured
from daybook.demo.model.grammar.language.chat.bounds.most import with_the_most
from daybook.demo.model.grammar.language.chat.bounds.shared import shared_out
from daybook.demo.model.grammar.language.chat.bounds.without import excluding
from daybook.demo.model.grammar.language.chat.doubt import sure
from daybook.demo.model.grammar.language.chat.frames.questions import in_that_respect, inquired
from daybook.demo.model.grammar.language.chat.frames.reading import framed, heard
from daybook.demo.model.grammar.language.chat.joining import (
    as_needed,
    asks_for,
    combined,
    heeded,
    kept_dry,
    names_nothing,
    of_a_kind,
    wished,
    with_currency,
)
from daybook.demo.model.grammar.language.chat.names import is_model
from daybook.demo.model.grammar.language.chat.read.clause import Clause
from daybook.demo.model.grammar.language.chat.read.loosely import loosely
from daybook.demo.model.grammar.language.chat.read.mails import addressee
from daybook.demo.model.grammar.language.chat.read.person.memory import with_size
from daybook.demo.model.grammar.language.chat.read.topics import recognised
from daybook.demo.model.grammar.language.chat.talking import figures, is_story, mood_of
from daybook.demo.model.grammar.language.chat.vocabulary import says_goods
from daybook.demo.model.grammar.language.chat.wording.aside import without_asides
from daybook.demo.model.grammar.language.chat.wording.foreign import in_english
from daybook.demo.model.grammar.language.chat.wording.parts import (
    ACTING,
    Part,
    Unread,
    filled,
    loose_first,
    parts,
    rather,
    said_in,
)
from daybook.demo.model.grammar.language.chat.wording.plainly import plainly
from daybook.demo.model.grammar.language.intents import (
    Add,
    Agree,
    AskKinds,
    AskPrice,
    AskProperty,
    CancelOrder,
    Checkout,
    Choice,
    ClearCart,
    Details,
    Doubtful,
    Extreme,
    Finished,
    Intent,
    It,
    Mail,
    Mention,
    Named,
    NotUnderstood,
    Nth,
    OrderStatus,
    Pick,
    Refuse,
    Remove,
    Reviews,
    Search,
    SetQuantity,
    ShowCart,
    ShowList,
    ShowOrders,
    ShowProfile,
    Suggest,
    Talk,
    Times,
)
from daybook.demo.model.grammar.language.intents_past import AskKnown, AskPast
from daybook.demo.model.grammar.language.parser import Grammar, Node, Test
from daybook.demo.model.grammar.language.reading_past import PAST_READERS, is_handle
from daybook.demo.model.grammar.language.references import (
    Counted,
    choice,
    items,
    quantity,
    reference,
    search,
)
from daybook.demo.model.grammar.language.rules import GRAMMAR
from daybook.demo.model.grammar.language.tokens import MOST_TOKENS, Kind, Token, tokenise, words_of
from daybook.demo.model.grammar.language.words import ADJECTIVES, CARD_WORDS, HEDGES, NOUNS, fold

TESTS: Final[Mapping[str, Test]] = {
    "DIGITS": lambda token: token.kind is Kind.NUMBER and token.text.isdigit(),
    "NOUN": lambda token: token.kind is Kind.WORD and fold(token.text.split("-")[-1]) in NOUNS,
    "ADJECTIVE": lambda token: token.text in ADJECTIVES,
    "CARDWORD": lambda token: token.text in CARD_WORDS,
    "HANDLE": lambda token: is_handle(token.text),
}

LONGEST: Final = 2_000
"""Characters that are read of one message."""


@lru_cache(maxsize=128)
def understand(text: str) -> tuple[Intent, ...]:
    """Return what `text` means, clause by clause; empty when it says nothing at all.

    Clauses outside the grammar are `NotUnderstood`; nothing is guessed for them. Every model call
    of a turn reads the same text, so results are kept.
    """
    text = _plain(text)
    tokens = tokenise(text)
    if len(tokens) > MOST_TOKENS:
        return (NotUnderstood(_shortened(text), hedged=True),)
    found = sure(_of_order(_understood(text), tokens), tokens, _understood)
    if (count := _bare_count(found, text)) is not None:
        asks = "?" in text and not _IN_A_LIST.search(text)
        return (Times(count, It()),) if asks else (NotUnderstood(_shortened(text)),)
    told = is_story(tokens)
    if found and all(_tells_little(one, told) for one in found) and (mood := mood_of(tokens)):
        return (Talk(mood),)
    if found and all(isinstance(one, NotUnderstood | Talk) for one in found) and _talks(tokens):
        return tuple(one for one in found if isinstance(one, Talk)) or (Talk("told"),)
    return tuple(with_size(_with_words(one, text)) for one in found)


def _bare_count(found: Sequence[Intent], text: str) -> int | None:
    """Return the number that is all of a text, where it was read as the card to pay with."""
    match tuple(found):
        case (Checkout(card=Choice(n=int(count)), address=None),) if _WITH_SO_MANY.match(text):
            return count
        case _:
            return None


_WITH_SO_MANY: Final = re.compile(
    r"\W*(?:(?:and|ok|so|then|but|now|or)\W+)*(?:with|by|on|using|for)"
    r" (?:the )?(?:\d{1,2}(?:st|nd|rd|th)?|[a-z]+)(?: ones?| of (?:them|those|these))?\W*$",
    re.IGNORECASE,
)

_IN_A_LIST: Final = re.compile(r"\bthe\b|\d(?:st|nd|rd|th)\b", re.IGNORECASE)


def _talks(tokens: Sequence[Token]) -> bool:
    """Tell whether every sentence of several is talk, or repeats a figure: "2.3 kilos. ok"."""
    sentences: list[list[Token]] = [[]]
    for token in tokens:
        sentences[-1].append(token)
        if token.text in (".", "!", "\n"):
            sentences.append([])
    sentences = [one for one in sentences if any(t.kind is not Kind.MARK for t in one)]

    def talks(one: Sequence[Token]) -> bool:
        meant = said_in(one) or ()
        return mood_of(one) is not None or (bool(meant) and all(isinstance(x, Talk) for x in meant))

    return any(map(talks, sentences)) and all(talks(one) or figures(one) for one in sentences)


def _tells_little(intent: Intent, told: bool) -> bool:
    """Tell whether an intent is one that talk is taken for, for want of another.

    `told` says that the text tells of what was: of that not even a property is looked for.
    """
    match intent:
        case Search(narrows=True, max_price=None, min_price=None) if told:
            return True
        case NotUnderstood() | AskPrice(It()):
            return True
        case Search() | Mention():
            return names_nothing(intent)
        case _:
            return False


def _of_order(found: tuple[Intent, ...], tokens: Sequence[Token]) -> tuple[Intent, ...]:
    """Read an order that is named, with nothing else understood, as a question for it."""
    named = [token.text.upper() for token in tokens if token.kind is Kind.ORDER]
    is_unread = all(isinstance(one, NotUnderstood) and not one.hedged for one in found)
    acts = ACTING & {token.text for token in tokens}
    return (OrderStatus(named[0]),) if len(named) == 1 and is_unread and not acts else found


def _with_words(intent: Intent, text: str) -> Intent:
    """Give a purchase that is asked about the words that may mean it, and a mail whom it is for."""
    match intent:
        case Doubtful("buy", said=""):
            return replace(intent, said=text)
        case Mail(to=""):
            return replace(intent, to=addressee(text))
        case _:
            return intent


def tokens_of(text: str) -> list[Token]:
    """Cut a text into tokens as it is read: in English, without what is said beside the wish."""
    return list(_tokens_of(text))


@lru_cache(maxsize=128)
def _tokens_of(text: str) -> tuple[Token, ...]:
    # One text is cut by a dozen readers in each decision, which was four tenths of its time.
    return tuple(tokenise(_plain(text)))


def _plain(text: str) -> str:
    return plainly(without_asides(in_english(text[:LONGEST])))


def _understood(text: str) -> tuple[Intent, ...]:
    """Read a text as if it took nothing back."""
    tokens = tokenise(text)
    found: list[Intent] = []
    for part in parts(tokens):
        found += _by_rules(part, text) if part.intents is None else _said(part, text)
    found = list(in_that_respect(found, tokens))
    found_in_all = limited(
        of_a_kind(wished(heeded(as_needed(combined(found)), text), text), text), tokens
    )
    looked_for = kept_dry(excluding(measured(found_in_all, tokens), tokens), text)
    looked_for = shared_out(with_the_most(looked_for, tokens), tokens)
    return settled(with_currency(looked_for, text), tokens)


@lru_cache(maxsize=128)
def strictly(text: str) -> tuple[Intent, ...]:
    """Return what `text` means by the rules alone: an answer to a question is not to be guessed."""
    text = _plain(text)
    tokens = tokenise(text)
    if len(tokens) > MOST_TOKENS:
        return (NotUnderstood(_shortened(text), hedged=True),)
    return tuple(_with_unread(_read(tokens, text), text))


def _said(part: Part, text: str) -> Sequence[Intent]:
    """Return what a saying means; where the rules take all of it as a question, they know more."""
    assert part.intents is not None, "a saying took it"
    ruled = _read(part.tokens, text)
    if ruled and all(isinstance(one, _KNOWS_MORE) for one in ruled):
        return [one for one in ruled if not isinstance(one, Unread)]
    return part.intents


_KNOWS_MORE: Final = (OrderStatus, ShowOrders, AskPast, CancelOrder, ShowCart, AskKnown, AskKinds)


def _read(tokens: Sequence[Token], text: str) -> list[Intent | Unread]:
    """Read tokens by the grammar alone."""
    tree = _grammar().parse("Text", tokens)
    assert tree is not None, "the rule Unknown takes what no other rule takes"
    read: list[Intent | Unread] = []
    for clause in tree.all("Clause"):
        command, unknown = clause.one("Command"), clause.one("Unknown")
        asks = command is not None and _asks_of_the_shop(clause, command)
        if command is not None and not asks and not _is_misread(command.inside[0]):
            read += READERS[command.inside[0].name](command.inside[0], text)
        elif command is not None:
            read.append(Unread(tuple(clause.tokens)))
        elif unknown is not None:
            read.append(Unread(tuple(unknown.tokens)))
    return [_of_goods(one, read[:at]) for at, one in enumerate(read)]


def _of_goods(one: Intent | Unread, before: Sequence[Intent | Unread]) -> Intent | Unread:
    """Take what was read as a card for what goods have, where such are looked for: "with hood"."""
    match one:
        case Checkout(Choice(words), None) if words and all(map(says_goods, words)):
            looks = any(isinstance(said, Search) and said.query for said in before)
            return Search(" ".join(words), narrows=True) if looks else one
        case _:
            return one


def _with_unread(read: Iterable[Intent | Unread], text: str) -> list[Intent]:
    found: list[Intent] = []
    for one in read:
        if isinstance(one, Unread):
            _append_unknown(found, one.tokens, text)
        else:
            found.append(one)
    return found


def _by_rules(part: Part, text: str) -> list[Intent]:
    """Read tokens by the grammar, and loosely what is outside it."""
    loose = loose_first(part, _items_of)
    if loose is not None:
        return loose
    read = _read(part.tokens, text)

    def look(tokens: Sequence[Token]) -> Sequence[Intent] | None:
        return _looked(tokens, text)

    if _is_mixed(read) and (framed_anew := framed(part.tokens, look)):
        return framed_anew
    found = _with_unread(rather(part, filled(read, part, _items_of, look)), text)
    clause = Clause(tuple(part.tokens), _items_of)
    if found and all(isinstance(one, Search | Mention) and names_nothing(one) for one in found):
        # A search for words of no goods is what a text is that nothing else reads.
        asks = _ASKS_OF_IT.match(_plain(text)) is not None
        is_named = asks_for(text) or (len(part.tokens) <= _FEW and not asks)
        return recognised(clause) or (list(found) if is_named else _unread(part, text))
    unread = [one for one in found if isinstance(one, NotUnderstood)]
    if unread and all(isinstance(one, NotUnderstood | Agree) for one in found):
        return heard(part.tokens) or recognised(clause) or found
    return found


_FEW: Final = 5
_ASKS_OF_IT: Final = re.compile(
    r"\W*(?:(?:and|so|but|ok)\W+)*(?:which (?:one|of)|how|why|who|is|are|was|does|do they)\b",
    re.IGNORECASE,
)
"""A question of something that was spoken of: its words are nothing to look for."""


def _unread(part: Part, text: str) -> list[Intent]:
    return _with_unread([Unread(part.tokens)], text)


def _is_mixed(read: Sequence[Intent | Unread]) -> bool:
    """Tell whether the rules took a part as goods to have, and a part as goods to look at."""
    bare = any(isinstance(one, Mention) or (isinstance(one, Search) and one.bare) for one in read)
    places = [one.item for one in read if isinstance(one, Mention)]
    counts = [one for one in places if isinstance(one, Nth) and not one.counted]
    counted = len(read) == _PAIR and len(counts) == 1
    return bare and (counted or any(isinstance(one, Add) for one in read))


def _looked(tokens: Sequence[Token], text: str) -> Sequence[Intent] | None:
    """Read a clause that changes nothing by the rules, a saying or loosely."""
    read = [one for one in _read(tokens, text) if not isinstance(one, Unread)]
    if read and len(read) == len(_read(tokens, text)):
        # It stands beside others: "with hood" is said of the jacket before it.
        beside = [Search("goods")]
        return [one for each in read if not isinstance(one := _of_goods(each, beside), Unread)]
    return said_in(tokens) or inquired(tokens) or loosely(Clause(tuple(tokens), _items_of))


def _is_misread(command: Node) -> bool:
    """Tell whether a search without a verb holds one after all: "chuck in the socks"."""
    texts = [token.text for token in command.tokens]
    if command.name == "SetQuantity" and _NO_QUANTITY & {*texts}:
        return True
    if command.name == "Checkout" and _BESIDE_ONE.match(" ".join(texts)):
        return not _PAID_WITH & {*texts}
    named = any(is_model(one, two) for one, two in pairwise(texts))
    counted = len(texts) > 1 and (
        command.tokens[0].kind is Kind.NUMBER or bool({"dozen", "couple", "pc", "pcs"} & {*texts})
    )
    of_it = _PROPERTY_OF.match(" ".join(texts)) is not None
    asks = named and (counted or of_it or bool(_COMPARES & {*texts}))
    return command.name == "BareSearch" and (asks or bool(ACTING & {*texts}))


def _asks_of_the_shop(clause: Node, command: Node) -> bool:
    """Tell whether "would you have ..." was taken for a wish to have it."""
    before = [token.text for token in clause.tokens[: -len(command.tokens)]]
    return command.tokens[0].text == "have" and "you" in before[-1:]


_BESIDE_ONE: Final = re.compile(r"(?:on|with|by|to) (?:my|our|his|her)\b")
_PAID_WITH: Final = CARD_WORDS | frozenset(
    """
    card cards account bank address home house flat place work office usual default first second
    third last other same saved one 1 2 3 mum mums mom moms dad dads parents sister brother friend
    friends neighbour
    """.split()  # noqa: SIM905
)
"""With what is paid, and where to it is sent: "on my break" and "with my dog" are neither."""
_NO_QUANTITY: Final = frozenset({"price", "prices", "name", "address", "budget", "limit", "card"})
_COMPARES: Final = frozenset({"versus", "vs", "or", "price", "prices", "which", "reviews", "size"})


_PROPERTY_OF: Final = re.compile(
    r"(?:(?:the|its|exact|total|full|actual|real|current) )*(?:weight|height|capacity|volume|length"
    r"|colou?r|material|brightness|battery|packed size|temperature rating|boil time) of\b"
)


def _items_of(tokens: Sequence[Token]) -> list[Counted]:
    """Read tokens as a list of items; empty where they are none."""
    node = _grammar().parse("Items", tokens)
    return items(node) if node is not None else []


@cache
def _grammar() -> Grammar:
    return Grammar(GRAMMAR, TESTS)


def _append_unknown(found: list[Intent], tokens: Iterable[Token], text: str) -> None:
    """Add a clause that was not understood, as one with such a clause right before it."""
    clause = list(tokens)
    hedged = any(token.text in HEDGES for token in clause)
    words = words_of(clause, text)
    if found and isinstance(found[-1], NotUnderstood):
        before = found.pop()
        assert isinstance(before, NotUnderstood)
        words, hedged = f"{before.text}, {words}", hedged or before.hedged
    found.append(NotUnderstood(_shortened(words), hedged))


def _shortened(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 80 else f"{text[:79]}…"


Reader = Callable[[Node, str], Iterable[Intent]]


def _search(node: Node, text: str) -> Iterable[Intent]:
    looks = node.one("SearchVerb") is None or node.tokens[0].text in _LOOKS
    found = [search(item) if looks else _search_or_add(item) for item in node.all("SearchItem")]
    return found or [search(node)]


def _bare_search(node: Node, text: str) -> Iterable[Intent]:
    items = list(node.all("SearchItem"))
    found = [_search_or_add(item, bare=True) for item in items]
    return found or [search(node)]


_PAIR: Final = 2


def _search_or_add(node: Node, *, bare: bool = False) -> Intent:
    """Read a wish for so many of something as a wish to have them: which, is asked where open."""
    count = node.one("Count")
    named = reference(node)
    if (
        count is not None
        and isinstance(named, Named)
        and any(t.kind in _COUNTED for t in count.tokens)
    ):
        return Add(
            replace(named, definite=False, max_price=search(node).max_price), quantity(count)
        )
    return replace(search(node), bare=bare)


_LOOKS: Final = frozenset(
    [
        "show",
        "find",
        "look",
        "looking",
        "search",
        "searching",
        "browse",
        "view",
        "see",
        "do",
        "have",
        "are",
        "is",
        "recommend",
        "suggest",
        "what",
        "how",
        "give",
    ]
)
_CURRENCY: Final = frozenset({"dollar", "dollars", "usd", "bucks", "euro", "euros"})
_COUNTED: Final = (Kind.NUMBER, Kind.TIMES)


def _cheaper(node: Node, text: str) -> Iterable[Intent]:
    found = search(node)
    return [Search(found.query, found.category, found.max_price, found.min_price, cheap=True)]


def _add(node: Node, text: str) -> Iterable[Intent]:
    wanted = node.one("WantedCount", "WantedTimes")
    if wanted is not None:
        named = reference(node)
        return [Add(named, quantity(wanted))]
    again = node.one("Again") is not None
    return [
        Add(i.item, 1 if i.quantity is None else i.quantity, i.more, again) for i in items(node)
    ]


def _remove(node: Node, text: str) -> Iterable[Intent]:
    return [Remove(counted.item, counted.quantity) for counted in items(node)]


def _set_quantity(node: Node, text: str) -> Iterable[Intent]:
    # "make it two pairs of wool socks" names the thing after the pronoun.
    after = next((inner for inner in node.inside if inner.name == "Thing"), None)
    item = reference(after or node.one("SetTarget") or node)
    if node.one("Double") is not None:
        return [SetQuantity(item, double=True)]
    count = node.one("NewQuantity")
    wanted = quantity(count) if count is not None else 1
    if count is not None and "pair" in {token.text for token in count.tokens}:
        wanted = _PAIR
    return [SetQuantity(item, wanted) if wanted > 0 else Remove(item)]


def _checkout(node: Node, text: str) -> Iterable[Intent]:
    cards = [choice(card) for card in node.all("CardChoice", "CardNamed")]
    places = [choice(place) for place in node.all("AddressChoice", "AddressNamed")]
    return [Checkout(cards[0] if cards else None, places[0] if places else None)]


def _cancel(node: Node, text: str) -> Iterable[Intent]:
    reason = node.one("Reason")
    words = words_of(reason.tokens, text)[:200] if reason is not None else ""
    vague, some = (node.one(name) is not None for name in ("OrderVague", "OrderAny"))
    inside = node.one("OrderWith")
    item = reference(inside) if inside is not None else None
    goods = item.words if isinstance(item, Named) else ()
    return [CancelOrder(_order(node), words, vague, goods, some)]


def _order(node: Node) -> str | None:
    return next((t.text.upper() for t in node.tokens if t.kind is Kind.ORDER), None)


def _mail(node: Node, text: str) -> Iterable[Intent]:
    if node.one("Cart"):
        return [Mail("cart")]
    if node.one("Orders"):
        return [Mail("orders")]
    return [Mail("results" if node.one("Shown") else "summary")]


def _mention(node: Node, text: str) -> Iterable[Intent]:
    found = items(node)
    if len(found) > 1 and any(counted.quantity is not None for counted in found):
        # "BOOT-001 and SOCK-013 x3": whoever counts wants to have them.
        if len(found) == _PAIR and isinstance(found[1].item, It):
            return [Add(found[0].item, found[1].quantity or 1)]
        return [Add(counted.item, counted.quantity or 1) for counted in found]
    return [Mention(counted.item, counted.quantity) for counted in found]


def _pick(node: Node, text: str) -> Iterable[Intent]:
    item = reference(node)
    return [Pick(item)] if isinstance(item, Extreme) else []


def _ask(node: Node, text: str) -> Iterable[Intent]:
    subject = node.one("Subject")
    asked = node.one("Property", "HowWord", "WhatWord")
    said = {token.text for token in node.tokens}
    if said & {"reviews", "review", "ratings", "rating", "rated"}:
        return [Reviews(reference(subject or node))]
    words = tuple(token.text for token in asked.tokens) if asked is not None else _asked(node)
    return [AskProperty(reference(subject or node), words)]


def _asked(node: Node) -> tuple[str, ...]:
    """Name the property of a question that has no word of its own for it."""
    texts = {token.text for token in node.tokens}
    if texts & {"weigh"}:
        return ("weight",)
    return ("material",) if texts & {"made", "material"} else ("stock",)


def _suggest(node: Node, text: str) -> Iterable[Intent]:
    about = node.one("SuggestBy")
    found = search(about) if about is not None else Search()
    return [Suggest(tuple(found.query.split()))]


def _introduce(node: Node, text: str) -> Iterable[Intent]:
    name = node.one("Name")
    return [Talk("name", words_of(name.tokens, text)[:40] if name is not None else "")]


def _about_subject(make: Callable[..., Intent]) -> Reader:
    def read(node: Node, text: str) -> Iterable[Intent]:
        return [make(reference(node.one("Subject") or node))]

    return read


def _always(intent: Intent) -> Reader:
    return lambda node, text: [intent]


READERS: Final[Mapping[str, Reader]] = {
    "Identity": _always(Talk("identity")),
    "Greeting": _always(Talk("greeting")),
    "Thanks": _always(Talk("thanks")),
    "Help": _always(Talk("help")),
    "Bye": _always(Talk("bye")),
    "Introduce": _introduce,
    "Agree": _always(Agree()),
    "Decline": _always(Refuse()),
    "Finished": _always(Finished()),
    "Search": _search,
    "BareSearch": _bare_search,
    "Cheaper": _cheaper,
    "ShowList": _always(ShowList()),
    "AskKinds": _always(AskKinds()),
    "More": _always(Search(more=True)),
    "Add": _add,
    "Remove": _remove,
    "Clear": _always(ClearCart()),
    "SetQuantity": _set_quantity,
    "ShowCart": _always(ShowCart()),
    "Details": lambda node, text: [Details(counted.item) for counted in items(node)],
    "Reviews": _about_subject(Reviews),
    "Price": _about_subject(AskPrice),
    "Ask": _ask,
    "Pick": _pick,
    "Mention": _mention,
    "Suggest": _suggest,
    "Checkout": _checkout,
    "CancelOrder": _cancel,
    "ShowOrders": _always(ShowOrders()),
    "OrderStatus": lambda node, text: [OrderStatus(_order(node))],
    "Mail": _mail,
    "Profile": _always(ShowProfile()),
    "JustShow": _always(Search()),
    **PAST_READERS,
}
