"""What is wished so far, and how one more thing that is named is taken into it."""

from dataclasses import dataclass, field

from daybook.demo.model.grammar.language.chat.frames.kinds import Thing
from daybook.demo.model.grammar.language.chat.names import has_model
from daybook.demo.model.grammar.language.intents.references import (
    Every,
    It,
    Named,
    Nth,
    Other,
    Reference,
    Sku,
)


@dataclass
class Wish:
    """One product that is wanted: `mood` says that something says so, `praised` that it is told.

    `sure` is false where any one of a name is: "a swift river".
    """

    item: Reference
    count: int | None = None
    more: bool = False
    mood: bool = False
    praised: bool = False
    shares: int = 0
    sure: bool = True


@dataclass
class Reading:
    """What was read so far, clause by clause: wishes, and what must agree with them."""

    wishes: list[Wish] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    parts: int = 0
    kinds: list[str] = field(default_factory=list)
    shows: bool = False
    rights: bool = False


def is_it(thing: Thing) -> bool:
    """Tell whether a thing is only pointed at: "it", "them"."""
    return isinstance(thing.item, It)


def takes_thing(thing: Thing, read: Reading, *, mood: bool) -> bool:
    """Add what is wanted, or say of what was named before that it is."""
    match thing.item:
        case It(many=many):
            open_ones = [one for one in read.wishes if not one.mood]
            for one in open_ones if many else open_ones[-1:]:
                one.mood = mood
                one.count = one.count or thing.quantity
            if read.wishes and not open_ones:
                return thing.quantity is None or thing.quantity == read.wishes[-1].count
            if not read.wishes:
                read.wishes.append(Wish(thing.item, thing.quantity, thing.more, mood))
            return True
        case Every() if read.wishes:
            is_all = thing.item.most in (None, len(read.wishes)) and not thing.item.words
            for one in read.wishes:
                one.mood = mood
            return is_all and len(read.wishes) > 1
        case Named(words) if not has_model(words):
            return False
        case Named() | Sku() | Nth() | Every(words=()) | Other():
            wish = Wish(thing.item, thing.quantity, thing.more, mood, sure=thing.sure)
            read.wishes.append(wish)
            return True
        case _:
            return False
