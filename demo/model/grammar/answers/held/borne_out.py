"""Whether the talk itself bears out each change that was read, however it was read.

Pure. It knows nothing of how a sentence came to its reading: it looks at what would be changed, and
asks for evidence of it in what was said, shown and offered last. A change without any is asked
about, and the others of its message with it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from daybook.demo.model.grammar.answers.asked.questions import ASK_ADD
from daybook.demo.model.grammar.answers.held.accounted import CART
from daybook.demo.model.grammar.answers.held.wished import is_one_piece, wished
from daybook.demo.model.grammar.answers.pieces.placed import is_beside
from daybook.demo.model.grammar.language.chat.frames.doubtful import doubtful
from daybook.demo.model.grammar.language.chat.names import is_model
from daybook.demo.model.grammar.language.chat.vocabulary import says_goods
from daybook.demo.model.grammar.language.intents import (
    Add,
    Checkout,
    Every,
    Extreme,
    Intent,
    It,
    Keep,
    Mention,
    Named,
    Nth,
    Other,
    Reference,
    Remove,
    SetQuantity,
    Sku,
    Swap,
)
from daybook.demo.model.grammar.language.plain import tokens_of
from daybook.demo.model.grammar.language.words import (
    KINDS,
    NUMBERS,
    kind_called,
    kind_of,
    kind_of_item,
    stems,
)
from daybook.demo.model.grammar.seen.prompt import Prompt, Turn, question_of
from daybook.demo.model.grammar.seen.referents import Found, in_cart, on_view
from daybook.demo.model.grammar.seen.scene import Scene, scene_of

_TOOLS: Final = frozenset({"add_to_cart", "set_quantity", "remove_from_cart"})
_LOOKS_BACK: Final = 4
_PAIR: Final = 2
_SKU: Final = re.compile(r"\b[A-Z]{2,8}-\d{2,6}\b")
_CART_LINE: Final = re.compile(r"^- .*\([A-Z]+-\d+\) x\d+.*$", re.MULTILINE)
_BEST_TOLD: Final = re.compile(r"^Of these, number (\d+) is", re.MULTILINE)
_MANY: Final = "|".join(word for word, number in NUMBERS.items() if number > 1)
_NUMBER: Final = re.compile(rf"\d|\b(?:{_MANY})\b")
_COUNTED: Final = re.compile(
    rf"\b(\d{{1,2}}|{_MANY}) (?:pairs?|pcs|pieces|of (?:them|those|these|it|the))\b"
)
_NO_NUMBER: Final = re.compile(
    rf"\b(?:\d+|{_MANY})\b(?: \w+)? *(?:[,.;] )*no (?:\d+|one|{_MANY})\b"
)
_PLACE: Final = re.compile(
    r"\b(?:first|second|third|fourth|fifth|1st|2nd|3rd|4th|5th|number|top|bottom|middle|\d)\b"
)
_TWO_PLACES: Final = re.compile(
    r"\bfirst and (?:the )?(?:last|second|third)\b|\bsecond and (?:the )?(?:last|third|fourth)\b"
)
_JOINT: Final = re.compile(r"\b(?:and(?: also)?|plus|&|as well as|along with|together with)\b")
_POINTS: Final = re.compile(
    r"\b(?:that|this|other|first|second|third|last) (?:one|pair)\b|\b(?:both|those|these|them)\b"
)
_IT: Final = re.compile(r"\b(?:it|that|this)\b")
_WITH_IT: Final = re.compile(r"\bwith (?:it|that|this|those|them)\W*$")
_LOOKS: Final = re.compile(
    r"\b(?:what|which|how|show|tell|is|are|does|compare|reviews?|about|see|look|details|price|note"
    r"|remember|find|search|weighs?)\b"
)
_NUMBERED_TWO: Final = re.compile(r"\b(?:numbers?|no) \d+ (?:and|&|,|plus) (?:number |no )?\d+\b")
_ONE_OF: Final = re.compile(rf"\b(?:one|1|either) of (?:the|these|those) (?:\w+ )?(?:{_MANY})\b")
_AT: Final = re.compile(r"\bthe (first|second|third|fourth|fifth)\b(?! \w+ (?:of|for)\b)")
_PLACES: Final = ("first", "second", "third", "fourth", "fifth")
_BACK: Final = re.compile(
    r"\b(?:first|last|earlier|before|previous|original|initial|former|latter|other)\b"
)
_TWO: Final = re.compile(
    r"\b(?:both|(?:one|two) of each|one each|each of (?:them|those)|the two)\b"
)
_ALL: Final = re.compile(r"\b(?:everything|all|every|each)\b")
_BEST: Final = re.compile(
    r"\b(?:\w+est|cheap|less \w+|more \w+|other|better"
    r"|(?:cheap|light|dear|pric[iy]|warm|bigg|small|bright)\w*er)\b"
)
_CHEAP: Final = re.compile(r"\bcheap(?:er|est)? one\b")
_COMES_BACK: Final = re.compile(r"\b(?:back|undo|undone|reverse that|restore)\b")
_COUNTS: Final = re.compile(rf"\d|\b(?:{'|'.join(NUMBERS)}|a|an|another)\b")
_TOO: Final = re.compile(r"\b(?:too|also|as well)\b(?!.*\?)")
_FOR_PEOPLE: Final = re.compile(rf"\bfor (\d{{1,2}}|one|{_MANY}) (?:people|persons?|of us)\b")
_THE_NEXT: Final = re.compile(r", (?:the|a|an|rather|number|one|two|i (?:will|would)) \w+")
_AND_THE: Final = re.compile(r"\band (?:the|my|that|those|these|also|all)\b")
_STAYS: Final = re.compile(
    r"\b(?:keep|leave|stays?|remains?|fine|ok|okay|good|only|just|but|not|for|with|instead|add|put"
    r"|make|set|in|from|than|like)\b"
)
_LETS_GO: Final = re.compile(r"\W*(?:(?:ok|oh|no|actually|hm+|and) )*(?:never ?mind|forget|skip)\b")
_OF_EACH: Final = re.compile(r"\b(?:another|more) of each\b")
_ALL_SO_MANY: Final = re.compile(rf"\ball (?:\d+|{_MANY})\b")
_REQUEST: Final = re.compile(
    r"\b(?:can|could|may|might|will|would|shall|pls|please|lets|want|wanna|need|take|get|have|put"
    r"|add|give|pop|throw|chuck)\b"
)
_PONDERS: Final = re.compile(
    r"\b(?:think|consider|wonder)(?:ing)? (?:about|of|if|whether) to\b|\bis (?:it |that )?possible$"
)
_BUYS: Final = re.compile(r"\b(?:order|buy|pay|check ?out|purchase|finish)\b")
_PUTS: Final = re.compile(r"\b(?:add|put|cart|too|also|both|yes|take)\b")
_ASKS_ON: Final = re.compile(
    r"^(?:(?:no+|ok(?:ay)?|hm+|right|fine|well|yeah|yes|so|great|cool|[.,!]) )*"
    r"(?:and|what about|how about)\b"
)
_ACTS: Final = re.compile(
    r"\b(?:add|put|take|want|need|buy|get|have|give|order|grab|throw|pop|stick|chuck|make|pack|send"
    rf"|cart|basket|please|pls|gimme|too|also|as well|plus|\d+|{_MANY}|pairs?)\b"
)


@dataclass(frozen=True)
class _Said:
    """One message: its words, what was read of it, and what it was said to."""

    plain: str
    intents: tuple[Intent, ...]
    scene: Scene
    prompt: Prompt

    @property
    def changes(self) -> list[Intent]:
        return [one for one in self.intents if isinstance(one, CART)]

    @property
    def last(self) -> Turn | None:
        return self.prompt.past[-1] if self.prompt.past else None

    @property
    def names(self) -> bool:
        """Tell whether it names a product."""
        return any(is_model(*pair) for pair in pairwise(self.plain.split())) or bool(
            re.search(r"\b[a-z]{2,8}-\d{2,6}\b", self.plain)
        )

    def skus(self, item: Reference | None) -> tuple[str, ...]:
        found = None if item is None else on_view(item, self.scene)
        return found.skus if isinstance(found, Found) else ()

    def told(self, turn: Turn) -> list[str]:
        """Return the products that an answer is about, but for what it lists of the cart."""
        answer = _CART_LINE.sub("", turn.answer)
        if best := _BEST_TOLD.findall(answer):
            rows = {row.number: row.sku for row in self.scene.latest}
            return [rows[int(number)] for number in best if int(number) in rows]
        known = self.scene.known.items()
        named = [sku for sku, row in known if row.name and row.name in answer]
        return list(dict.fromkeys([*_SKU.findall(answer), *named]))


_ONE_MORE: Final = re.compile(
    r"(?:and |ok |so |oh |then |also |yes )*(?:add |get |i need |i want |make it )?"
    r"(?:one|two|three|\d|a few|some) more(?: pairs?| of (?:it|them|those))?"
    r"(?: for \w+(?: \w+)?)?(?: (?:please|pls|too|thanks))*\W*"
)


def borne_out(intents: Sequence[Intent], text: str, prompt: Prompt) -> tuple[Intent, ...]:
    """Return what was read, its changes as questions where nothing in the talk bears them out.

    What this turn has changed already was looked at then.
    """
    if not any(isinstance(one, CART) for one in intents):
        return tuple(intents)
    plain = " ".join(token.text for token in tokens_of(text))
    said = _Said(plain, wished(intents, plain, text), scene_of(prompt), prompt)
    said = replace(said, intents=tuple(_as_many(one, said) for one in said.intents))
    read = _once(said)
    if any(call.tool in _TOOLS for call in prompt.turn.calls):
        return read
    said = replace(said, intents=read)
    is_asked = text.rstrip().endswith("?") and _REQUEST.search(plain) is None
    # Of nothing there can be one more, though something was offered.
    is_of_none = not said.scene.cart and _ONE_MORE.fullmatch(plain) is not None
    if (
        is_of_none
        or is_asked
        or _PONDERS.search(plain)
        or _NO_NUMBER.search(plain)
        or any(_doubts(said))
    ):
        return tuple(doubtful(one) if isinstance(one, CART) else one for one in read)
    return read


def _as_many(one: Intent, said: _Said) -> Intent:
    """Return a change of as many as are meant: of one piece, or of all that went before."""
    match one:
        case Remove(item, None) if _is_of_one_piece(item, said):
            return Remove(item, 1)
        case Add(item, 1) if _COMES_BACK.search(said.plain) and not _COUNTS.search(said.plain):
            return replace(one, quantity=_went(item, said) or 1)
        case Swap(quantity=None) if (count := _counted_alone(said.plain)) is not None:
            return replace(one, quantity=count)
        case Mention(Named() as item, None) if _goes_too(item, said):
            return Remove(item)
        case _:
            return one


def _counted_alone(plain: str) -> int | None:
    """Return the one count of pieces that is said: "two of them instead"."""
    counts = {NUMBERS.get(word) or int(word) for word in _COUNTED.findall(plain)}
    return counts.pop() if len(counts) == 1 else None


def _is_of_one_piece(item: Reference, said: _Said) -> bool:
    inside = in_cart(item, said.scene, said.prompt.now.currency)
    if not isinstance(inside, Found) or len(inside.skus) != 1:
        return False
    line = said.scene.in_cart(inside.skus[0])
    if line is None or line.quantity < _PAIR:
        return False
    kind = kind_of_item(line.name, line.sku) or ""
    nouns = {noun.split()[-1] for noun in KINDS.get(kind, ())} | {line.name.lower().split()[-1]}
    return is_one_piece(nouns, said.plain)


def _went(item: Reference, said: _Said) -> int | None:
    """Return how many of this one line there were when the last turn took it out."""
    calls = said.last.calls if said.last is not None else ()
    gone = [str(call.args.get("sku")).upper() for call in calls if call.tool == "remove_from_cart"]
    if len(gone) != 1 or (not isinstance(item, It) and said.skus(item) != (gone[0],)):
        return None
    for turn in reversed(said.prompt.past[:-1]):
        if found := re.search(rf"^- .*\({gone[0]}\) x(\d+)", turn.answer, re.MULTILINE):
            return int(found[1])
    return None


def _is_back_already(one: Add, said: _Said) -> bool:
    """Tell whether what shall come back is in the cart: it may have to go back on the shelf."""
    is_there = any(said.scene.in_cart(sku) for sku in said.skus(one.item))
    return is_there and re.search(r"\b(?:put|give|bring) .*\bback\b", said.plain) is not None


def _goes_too(item: Named, said: _Said) -> bool:
    """Tell whether what is named goes with what is taken out: "take a lamp out, the bags too"."""
    takes = said.changes and all(isinstance(one, Remove) for one in said.changes)
    inside = in_cart(item, said.scene, said.prompt.now.currency)
    return bool(takes) and _TOO.search(said.plain) is not None and isinstance(inside, Found)


def _once(said: _Said) -> tuple[Intent, ...]:
    """Leave out what is repeated beside a purchase: "I'll take it and pay" adds it once."""
    if not any(isinstance(one, Checkout) for one in said.intents):
        return said.intents
    found: list[Intent] = []
    seen: list[object] = []
    for one in said.intents:
        is_add = isinstance(one, Add) and bool(said.skus(one.item))
        meant = (said.skus(one.item), one.quantity) if is_add and isinstance(one, Add) else one
        if meant not in seen or not isinstance(one, Add | Checkout):
            found.append(one)
        seen.append(meant)
    return tuple(found)


def _doubts(said: _Said) -> Iterator[bool]:
    """Yield for each change whether something in the talk speaks against it."""
    changes = said.changes
    yield is_beside(said.plain)
    yield any(map(_keeps_one_of_many, changes)) and len(said.scene.cart) > 1
    yield _LETS_GO.match(said.plain) is not None and _drops_what_may_come(said)
    yield any(map(_keeps_one, changes)) and _ALL_SO_MANY.search(said.plain) is not None
    if len(changes) == 1:
        yield _counts_otherwise(changes[0], said.plain)
        yield _is_of_fewer(changes[0], said)
        yield _names_another_line(changes[0], said)
        yield _is_elsewhere(changes[0], said)
        yield _is_one_of_several_lines(changes[0], said)
    if not said.names:
        yield _ONE_OF.search(said.plain) is not None and not _BEST.search(said.plain)
    for one in changes:
        # What is added in the same message is not in the cart yet.
        is_there = not any(isinstance(other, Add) for other in changes)
        if len(changes) > 1 and is_there and isinstance(one, SetQuantity | Remove):
            inside = in_cart(one.item, said.scene, said.prompt.now.currency)
            yield not isinstance(inside, Found)
    adds = [one for one in changes if isinstance(one, Add)]
    if not adds or said.last is None:
        return
    yield len(adds) == len(changes) and any(_comes_instead(one, said) for one in adds)
    yield any(_is_back_already(one, said) for one in adds)
    yield _OF_EACH.search(said.plain) is not None and _is_not_of_each(adds, said)
    # The most of what was not on view is looked for first, and seen before it is bought.
    yield any(isinstance(one.item, Extreme) and not said.skus(one.item) for one in adds)
    yield len(changes) == 1 and _leaves_one_out(said)
    yield _buys(said)
    yield "everything" in said.plain.split() and any(isinstance(one.item, Every) for one in adds)
    yield _asks_on(said)
    yield not said.names and any(_is_for_others(one.item, said) for one in adds)
    yield _CHEAP.search(said.plain) is not None and any(
        _was_cheaper(sku, said) for one in adds for sku in said.skus(one.item)
    )
    if said.names:
        return
    if _TWO.search(said.plain):
        yield _are_others({sku for one in adds for sku in said.skus(one.item)}, said)
    if len(changes) == 1:
        yield _is_another(adds[0], said)


def _keeps_one(one: Intent) -> bool:
    return isinstance(one, Keep) and one.quantity is None


def _keeps_one_of_many(one: Intent) -> bool:
    """Tell whether one piece shall be kept of nobody knows which line: "keep only one"."""
    return isinstance(one, Keep) and one.quantity is not None and isinstance(one.item, It)


def _drops_what_may_come(said: _Said) -> bool:
    """Tell whether what is named beside what goes was read as going too: "never mind it, the X"."""
    changes = said.changes
    is_more = len(changes) > 1 or _THE_NEXT.search(said.plain) is not None
    return is_more and all(isinstance(one, Remove) for one in changes)


def _comes_instead(one: Add, said: _Said) -> bool:
    """Tell whether goods may come in the place of some in the cart: "I'd rather have the X"."""
    words = said.plain.split()
    if not said.scene.cart or said.last is None or one.more:
        return False
    if any(call.tool == "remove_from_cart" for call in said.last.calls):
        return False
    if "instead" in words:
        return True
    kinds = {kind_of_item(line.name, line.sku) for line in said.scene.cart}
    skus = said.skus(one.item)
    named = kind_called(one.item.words) if isinstance(one.item, Named) else None
    own = {kind_of_item(said.scene.name_of(sku), sku) for sku in skus} or {named}
    is_there = any(said.scene.in_cart(sku) for sku in skus)
    return "rather" in words and bool(own & kinds - {None}) and not is_there


def _is_not_of_each(adds: Sequence[Add], said: _Said) -> bool:
    """Tell whether more "of each" was read of some lines alone, put in by different turns."""
    assert said.last is not None
    skus = {sku for one in adds for sku in said.skus(one.item)}
    lines = {line.sku for line in said.scene.cart}
    return skus < lines and skus != _changed(said.last)


def _counts_otherwise(one: Intent, plain: str) -> bool:
    """Tell whether the one number of pieces that is said is not the change's."""
    if not isinstance(one, Add | SetQuantity) or getattr(one, "double", False):
        return False
    counts = {NUMBERS.get(word) or int(word) for word in _COUNTED.findall(plain)}
    if len(counts) != 1 or one.quantity in counts:
        return False
    return one.quantity == 1 or str(one.quantity) not in _digits(plain)


def _digits(plain: str) -> list[str]:
    """Return the words of a text, its numbers as digits."""
    return [str(NUMBERS.get(word, word)) for word in plain.split()]


def _is_of_fewer(one: Intent, said: _Said) -> bool:
    """Tell whether one line is changed where "everything", or two places, were said."""
    if isinstance(getattr(one, "item", None), Every) or isinstance(one, Swap) or said.names:
        return False
    if _TWO_PLACES.search(said.plain) or _NUMBERED_TWO.search(said.plain):
        return True
    lines = len(said.scene.cart)
    return isinstance(one, SetQuantity | Remove) and lines > 1 and bool(_ALL.search(said.plain))


def _names_another_line(one: Intent, said: _Said) -> bool:
    """Tell whether one line goes where another is named beside it: "the lamps, the fleece too"."""
    if not isinstance(one, Remove) or not (_TOO.search(said.plain) or _AND_THE.search(said.plain)):
        return False
    inside = in_cart(one.item, said.scene, said.prompt.now.currency)
    gone = {*inside.skus} if isinstance(inside, Found) else set()
    own = stems(word for line in said.scene.cart if line.sku in gone for word in _name(line.name))
    others = [stems(_name(line.name)) - own for line in said.scene.cart if line.sku not in gone]
    words = stems(said.plain.split())
    return bool(gone) and any(words & name for name in others) and not _STAYS.search(said.plain)


def _name(name: str) -> list[str]:
    return [word for word in name.lower().split() if len(word) > _PAIR]


def _is_one_of_several_lines(one: Intent, said: _Said) -> bool:
    """Tell whether one line is changed of several of the kind that is said: "bottles to three"."""
    match one:
        case Swap(gone=gone) if gone is not None and re.search(r"\banother\b", said.plain):
            item: Reference = gone
        case SetQuantity(item) | Remove(item):
            pass
        case _:
            return False
    inside = in_cart(item, said.scene, said.prompt.now.currency)
    if not isinstance(inside, Found) or len(inside.skus) != 1:
        return False
    line = said.scene.in_cart(inside.skus[0])
    assert line is not None
    if isinstance(one, Swap):
        return line.quantity > 1
    kind = kind_of_item(line.name, line.sku)
    others = [
        there.name
        for there in said.scene.cart
        if there.sku != line.sku and kind_of_item(there.name, there.sku) == kind
    ]
    words = said.plain.split()
    own = {*line.name.lower().split()} - {*" ".join(others).lower().split()}
    is_narrowed = bool(own & {*words}) or _BEST.search(said.plain) or _PLACE.search(said.plain)
    return bool(others) and kind_of(words) == kind and not is_narrowed and not said.names


def _is_elsewhere(one: Intent, said: _Said) -> bool:
    """Tell whether what is changed is not at the place that is said, in any list or the cart."""
    places = {_PLACES.index(found) for found in _AT.findall(said.plain)}
    item = getattr(one, "item", None)
    if len(places) != 1 or not isinstance(item, It | Sku) or said.names:
        return False
    skus = said.skus(item)
    (at,) = places
    lists = [[row.sku for row in rows] for rows in (*said.scene.lists, said.scene.latest)]
    if isinstance(one, Add) and one.more and any(len(rows) > at for rows in lists):
        return len(skus) == 1 and not any(skus[0] in rows[at : at + 1] for rows in lists)
    lists += [[line.sku for line in said.scene.cart], [*reversed(said.scene.recent)]]
    return len(skus) == 1 and not any(skus[0] in rows[at : at + 1] for rows in lists)


def _leaves_one_out(said: _Said) -> bool:
    """Tell whether goods are told beside the one that is put in, and only looked at, or unread."""
    others = [one for one in said.intents if not isinstance(one, CART)]
    looks = _LOOKS.search(said.plain) is not None
    if not looks and any(_is_model_in(repr(one).lower()) for one in others):
        return True
    sentences = [one for one in re.split(r" ?[.!;?] ?", said.plain) if _is_model_in(one)]
    return len(sentences) == 1 and _is_joined(sentences[0])


def _is_joined(sentence: str) -> bool:
    """Tell whether a sentence that names one product joins it to "it", or to other goods."""
    if _WITH_IT.search(sentence):
        return True
    sides = _JOINT.split(sentence)
    if len(sides) != _PAIR or sum(map(_is_model_in, sides)) != 1:
        return False
    before, after = sides
    if _is_model_in(before):
        return kind_of(after.split()) is not None or _POINTS.search(after) is not None
    goods = any(says_goods(word) for word in before.split())
    return goods or _POINTS.search(before) is not None or _IT.search(before) is not None


def _is_model_in(text: str) -> bool:
    return any(is_model(*pair) for pair in pairwise(re.findall(r"[a-z]+", text)))


def _asks_on(said: _Said) -> bool:
    """Tell whether goods without a verb may be a further question: "and the Grey Heron tent"."""
    assert said.last is not None
    if any(call.tool in _TOOLS for call in said.last.calls) or _PLACE.search(said.plain):
        return False
    return _ASKS_ON.search(said.plain) is not None and _ACTS.search(said.plain) is None


def _buys(said: _Said) -> bool:
    """Tell whether words of paying alone took one of several offers, or more than the cart."""
    if said.names or not _BUYS.search(said.plain):
        return False
    if any(isinstance(one, Checkout) for one in said.intents):
        return len(_open_offers(said.prompt)) > 1
    return bool(said.scene.cart) and not _PUTS.search(said.plain)


def _open_offers(prompt: Prompt) -> set[str]:
    """Return what was offered of late and not taken."""
    found: set[str] = set()
    for turn in prompt.past[1 - _LOOKS_BACK :]:
        if any(call.tool in _TOOLS for call in turn.calls):
            found.clear()
        found |= {offer[1] for offer in ASK_ADD.finditer(turn.answer)}
    return found


def _is_for_others(item: Reference, said: _Said) -> bool:
    """Tell whether "one for three people" was read of what is made for another number."""
    found = _FOR_PEOPLE.search(said.plain)
    skus = said.skus(item)
    if found is None or len(skus) != 1 or skus[0] not in said.scene.pages:
        return False
    made_for = re.findall(r"\d+", said.scene.pages[skus[0]].attributes.get("persons", ""))
    number = NUMBERS.get(found[1]) or int(found[1])
    return bool(made_for) and str(number) not in made_for


def _was_cheaper(sku: str, said: _Said) -> bool:
    """Tell whether another of its kind that was told of costs less."""
    row = said.scene.known.get(sku)
    kind = kind_of_item(said.scene.name_of(sku), sku)
    return row is not None and any(
        0 < other.cents < row.cents and kind_of_item(other.name, other.sku) == kind
        for other in said.scene.told
    )


def _are_others(skus: set[str], said: _Said) -> bool:
    """Tell whether "both", or "one of each", are not what was shown or named last."""
    assert said.last is not None
    shown = {*said.told(said.last), *_changed(said.last)}
    if len(skus) > _PAIR:
        return shown != skus
    asked = " ".join(turn.text for turn in said.prompt.past[-_PAIR:])
    is_named = all(_names(said.scene.name_of(sku), asked) or sku in asked for sku in skus)
    latest = {row.sku for row in said.scene.latest}
    return len(skus) == _PAIR and not (skus <= shown or latest == skus or is_named)


def _is_another(one: Add, said: _Said) -> bool:
    """Tell whether "it", a bare number or a place may stand for another product than was read."""
    assert said.last is not None
    skus = said.skus(one.item)
    comes_back = one.item == It(many=True) and "back" in said.plain.split()
    if len(skus) != 1 or comes_back or (one.more and said.scene.in_cart(skus[0])):
        return False
    (sku,) = skus
    if said.scene.faded and isinstance(one.item, It | Sku) and not _NUMBER.search(said.plain):
        return True
    told = said.told(said.last)
    if isinstance(one.item, Nth) and told and re.search(r"\blast\b", said.plain):
        return sku not in told
    if isinstance(one.item, Nth) and one.item.counted and not one.item.words:
        return _is_of_those_told(one.item.n, sku, said)
    if isinstance(one.item, Extreme | Other):
        return False
    is_back = _BACK.search(said.plain) is not None and len(said.scene.recent) > 1
    if (offered := ASK_ADD.fullmatch(question_of(said.last))) is not None:
        if offered[1] == sku:
            return is_back and isinstance(one.item, It | Sku)
        return not (_PLACE.search(said.plain) or _BEST.search(said.plain))
    if not isinstance(one.item, It | Sku) or (_PLACE.search(said.plain) and not is_back):
        return False
    return _is_not_last(sku, said, is_back=is_back and isinstance(one.item, It))


def _is_of_those_told(n: int, sku: str, said: _Said) -> bool:
    """Tell whether "the first one" may be of those that were told of by name since the list."""
    told: list[str] = []
    for turn in reversed(said.prompt.past):
        if len(said.told(turn)) != 1 or not any(is_model(*pair) for pair in _words(turn.text)):
            break
        told = [*said.told(turn), *told]
    told = list(dict.fromkeys(told))
    return len(told) > 1 and 0 < n <= len(told) and told[n - 1] != sku


def _words(text: str) -> Iterator[tuple[str, str]]:
    return pairwise(re.findall(r"[a-z]+", text.lower()))


def _is_not_last(sku: str, said: _Said, *, is_back: bool) -> bool:
    """Tell whether the last turn that was about any product was about others than this one."""
    for turn in reversed(said.prompt.past[-_LOOKS_BACK:]):
        told = said.told(turn)
        changed = _changed(turn)
        if told == [sku]:
            return is_back
        if told or changed:
            return changed != {sku} and not _names(said.scene.name_of(sku), turn.text)
    return False


def _changed(turn: Turn) -> set[str]:
    """Return what a turn put into the cart, took out or counted anew."""
    return {str(call.args.get("sku")).upper() for call in turn.calls if call.tool in _TOOLS}


def _names(name: str, text: str) -> bool:
    """Tell whether a text has the first two words of a product's name."""
    return " ".join(name.lower().split()[:2]) in text.lower()
