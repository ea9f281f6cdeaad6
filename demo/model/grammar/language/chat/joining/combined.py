"""What was read of the parts of a text, joined where it belongs together. Pure."""

from collections.abc import Sequence
from dataclasses import replace

from daybook.demo.model.grammar.language.chat.joining.narrowing import narrowing
from daybook.demo.model.grammar.language.chat.joining.of_one import (
    as_one_search,
    had_too,
    is_chatter,
    is_of_all_asked,
    is_one_wish,
    is_said_twice,
    most_of,
    named_by,
    named_by_both,
    of_that_kind,
    only_narrows,
    said_of_goods,
    says_how_it_is,
    says_how_many,
    says_which,
)
from daybook.demo.model.grammar.language.chat.names import has_model
from daybook.demo.model.grammar.language.intents.cart import Add, Remove
from daybook.demo.model.grammar.language.intents.goods import (
    AskPrice,
    AskProperty,
    Details,
    Mention,
    Reviews,
    Search,
)
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.references import It, Named


def combined(found: Sequence[Intent]) -> tuple[Intent, ...]:
    """Join what belongs together.

    "The Pine Ledge tent, is it heavy?" asks about the tent, and "add a stove, the Moss Bridge one"
    adds one stove.
    """
    joined: list[Intent] = []
    if any(isinstance(one, Search) and one.query for one in found):
        # What was told before a search is no product: "my feet get cold easily, thick socks?"
        found = [one for one in found if not (isinstance(one, Mention) and is_chatter(one))]
    for one in map(narrowing, found):
        before = joined[-1] if joined else None
        one = of_that_kind(before, one)
        named = named_by(before)
        if (
            named is not None
            and isinstance(one, AskProperty | AskPrice | Reviews | Details | Add | Remove)
            and isinstance(one.item, It)
        ):
            joined[-1] = replace(one, item=named)
        elif isinstance(before, Add | Mention) and says_how_it_is(one):
            continue
        elif isinstance(before, Add) and says_how_many(before, one):
            assert isinstance(one, Add), "it is of that form"
            joined[-1] = replace(before, quantity=one.quantity)
        elif isinstance(before, Add) and isinstance(one, Add | Mention) and says_which(before, one):
            joined[-1] = replace(before, item=named_by_both(before.item, one.item))
        elif isinstance(before, Search) and isinstance(one, Mention) and only_narrows(one):
            assert isinstance(one.item, Named), "what narrows is named"
            if before.narrows and has_model(one.item.words):
                # "The blue one was nicer. So, Arrow Pass": the name says which.
                joined[-1] = one
                continue
            joined[-1] = replace(before, query=" ".join((*one.item.words, before.query)))
        elif (most := most_of(before, one)) is not None:
            joined[-1] = most
        elif isinstance(before, Search) and (said := said_of_goods(one)):
            joined[-1] = replace(before, query=f"{before.query} {said}")
        elif isinstance(before, Search) and isinstance(one, Search) and is_one_wish(before, one):
            joined[-1] = as_one_search(before, one)
        elif isinstance(before, Add) and (more := had_too(one)) is not None:
            joined.append(more)
        elif is_said_twice(before, one) or is_of_all_asked(before, one):
            continue
        elif isinstance(before, Mention) and isinstance(one, Add) and isinstance(before.item, It):
            joined[-1:] = [Add(before.item), one]
        else:
            joined.append(one)
    for at in reversed(range(len(joined) - 1)):
        # "The X and the Y stove": the kind that stands last is of both.
        joined[at] = of_that_kind(joined[at + 1], joined[at])
    return tuple(joined)
