"""The choice of card and address: whether one is open, and what a user picks of it.

The questions are fixed sentences and stand last in an answer, so they are recognised in the
history. Text of strangers is never on a line of its own, so it cannot pass for a question.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from daybook.demo.model.grammar.language.intents.goods import Mention
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.orders import Checkout
from daybook.demo.model.grammar.language.intents.references import (
    Choice,
    Every,
    Extreme,
    Named,
    Nth,
)
from daybook.demo.model.grammar.language.intents.talk import Agree, NotUnderstood
from daybook.demo.model.grammar.language.tokens import tokenise
from daybook.demo.model.grammar.language.words import kind_of
from daybook.demo.model.grammar.seen.prompt import Prompt, question_of
from daybook.demo.model.grammar.seen.results import (
    Option,
    Options,
    options_needed,
    options_of_profile,
)

ASK_CARD: Final = "Which card shall be charged?"
ASK_ADDRESS: Final = "Where shall it be delivered?"
ASK_BOTH: Final = "Which card shall be charged, and where shall it be delivered?"
NO_SUCH_CHOICE: Final = "I do not find that among the choices:"
_QUESTIONS: Final = frozenset({ASK_CARD, ASK_ADDRESS, ASK_BOTH})
_LONGEST_CHOICE: Final = 16


@dataclass(frozen=True)
class Pending:
    """A choice of card or address that is open, and what of it was settled before.

    `numbered` is true while the list was shown last, so that its numbers can be used.
    """

    options: Options
    card_id: str = ""
    address_id: str = ""
    numbered: bool = False


def pending_choice(prompt: Prompt) -> Pending | None:
    """Find the choice that a checkout waits for: asked last, or a few turns ago."""
    numbered = bool(prompt.past) and question_of(prompt.past[-1]) in _QUESTIONS
    for turn in reversed(prompt.past[-5:]):
        calls = [call for call in turn.calls if call.tool == "checkout"]
        if calls:
            options = options_needed(calls[-1].result)
            card, address = (str(calls[-1].args.get(k) or "") for k in ("card_id", "address_id"))
            return Pending(options, card, address, numbered) if options else None
        if question_of(turn) in _QUESTIONS and NO_SUCH_CHOICE not in turn.answer:
            options = _asked_options(question_of(turn), known_options(prompt))
            return Pending(options, numbered=numbered) if options else None
    return None


def known_options(prompt: Prompt) -> Options:
    """Return the cards and addresses on file, as the latest profile that was read names them."""
    calls = [call for turn in (*prompt.past, prompt.turn) for call in turn.calls]
    for call in reversed(calls):
        if call.tool == "fetch_user_profile" and (found := options_of_profile(call.result)):
            return found
    return Options()


def choose(options: Options, choice: Choice, *, cards: bool) -> str | None:
    """Return the id of the one card (or address) that a choice names, or None."""
    among = options.cards if cards else options.addresses
    named = _by_words(among, choice.words)
    if named is None and choice.n is not None:
        return _by_number(among, choice.n)
    return named


def chosen(intents: Sequence[Intent], pending: Pending, text: str) -> Checkout | None:
    """Read a whole text as the choice that is pending, or None where it is something else."""
    words = [token.text for token in tokenise(text)]
    if len(words) > _LONGEST_CHOICE or not all(_may_choose(i, pending) for i in intents):
        return None
    card = _by_words(pending.options.cards, words)
    address = _by_words(pending.options.addresses, words)
    if pending.numbered:
        for n, about in _numbers(intents):
            card, address = _take_number(n, about, card, address, pending.options)
    if card is None and address is None:
        return None
    return Checkout(_choice_of(card or pending.card_id), _choice_of(address or pending.address_id))


def _may_choose(intent: Intent, pending: Pending) -> bool:
    match intent:
        case Checkout(card, address):
            return card is not None or address is not None
        case NotUnderstood(hedged=hedged):
            return not hedged
        case Mention(item):
            return pending.numbered or isinstance(item, Named)
        case Agree():
            return True
        case _:
            return False


def can_mean_nothing_else(intent: Intent) -> bool:
    """Tell whether an intent, said to an open choice, can only have been meant for it."""
    match intent:
        case NotUnderstood(hedged=hedged):
            return not hedged
        case Mention(Named(words)):
            return kind_of(words) is None
        case Mention(item):
            return isinstance(item, Nth | Every | Extreme)
        case _:
            return isinstance(intent, Agree)


def _numbers(intents: Iterable[Intent]) -> list[tuple[int, tuple[str, ...]]]:
    numbers: list[tuple[int, tuple[str, ...]]] = []
    for intent in intents:
        if isinstance(intent, Mention) and isinstance(intent.item, Nth):
            numbers.append((intent.item.n, intent.item.words))
        if isinstance(intent, Checkout):
            for choice, about in ((intent.card, "card"), (intent.address, "address")):
                if choice is not None and choice.n is not None:
                    numbers.append((choice.n, (about,)))
    return numbers


def _take_number(
    n: int, about: tuple[str, ...], card: str | None, address: str | None, options: Options
) -> tuple[str | None, str | None]:
    """Settle a number of the list: cards come first in it, addresses count on from there."""
    cards, addresses = options.cards, options.addresses
    if "card" in about:
        return card or _by_number(cards, n), address
    if "address" in about:
        later = _by_number(addresses, n - len(cards)) if n > len(addresses) else None
        return card, address or later or _by_number(addresses, n)
    found = _by_number((*cards, *addresses), n)
    if found is None:
        return card, address
    if found in {option.id for option in cards}:
        # "the second and the first": once a card is named, a low number counts addresses.
        return (found, address) if card is None else (card, address or _by_number(addresses, n))
    return card, address or found


def _by_number(options: Sequence[Option], n: int) -> str | None:
    if n == -1 and options:
        return options[-1].id
    return options[n - 1].id if 1 <= n <= len(options) else None


def _by_words(options: Sequence[Option], words: Iterable[str]) -> str | None:
    """Return the id of the option that more of the words fit than any other, or None."""
    said = set(words)
    scores = [len(said & {o.id.lower(), *o.label.lower().split()}) for o in options]
    best = max(scores, default=0)
    return options[scores.index(best)].id if best and scores.count(best) == 1 else None


def _choice_of(id: str) -> Choice | None:
    return Choice((id,)) if id else None


def _asked_options(question: str, options: Options) -> Options:
    if question == ASK_CARD:
        return Options(cards=options.cards)
    return Options(addresses=options.addresses) if question == ASK_ADDRESS else options
