"""What a text means after what the model asked before: yes, "the second one", "the mastercard".

The questions are fixed sentences and stand last in an answer, so they are recognised in the
history. Text of strangers is never on a line of its own, so it cannot pass for a question.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from tools.shop.grammar_intents import (
    Add,
    Agree,
    Checkout,
    Choice,
    ChooseAgain,
    Details,
    Every,
    Extreme,
    Intent,
    It,
    Mention,
    Named,
    NotUnderstood,
    Nth,
    Refuse,
    Remove,
    Reviews,
    Search,
    SetQuantity,
    Sku,
    World,
)
from tools.shop.grammar_prompt import Prompt, Turn
from tools.shop.grammar_results import (
    Option,
    Options,
    options_needed,
    options_of_profile,
)
from tools.shop.grammar_tokens import tokenise
from tools.shop.grammar_words import kind_of

ASK_CHECKOUT: Final = "Shall I check out?"
ASK_CARD: Final = "Which card shall be charged?"
ASK_ADDRESS: Final = "Where shall it be delivered?"
ASK_BOTH: Final = "Which card shall be charged, and where shall it be delivered?"
NO_SUCH_CHOICE: Final = "I do not find that among the choices:"
_CHOICES: Final = frozenset({ASK_CARD, ASK_ADDRESS, ASK_BOTH})
_LONGEST_CHOICE: Final = 16
_ASK_ADD: Final = re.compile(r"Shall I put ([A-Z]+-\d+) into your cart\?")
_ASK_WHICH: Final = re.compile(r"Which one (.+?)(?: \(quantity (\d{1,6})\))?\?")


def ask_add(sku: str) -> str:
    """Ask whether a product shall go into the cart."""
    return f"Shall I put {sku} into your cart?"


def ask_which(intent: Intent) -> str:
    """Ask which product an intent is about."""
    match intent:
        case Add(quantity=quantity):
            return f"Which one shall I add{_times(quantity if quantity > 1 else None)}?"
        case Remove(quantity=fewer):
            return f"Which one shall I remove{_times(fewer)}?"
        case SetQuantity(double=True):
            return "Which one shall I double?"
        case SetQuantity(quantity=quantity):
            return f"Which one shall I change{_times(quantity)}?"
        case Reviews():
            return "Which one do you want reviews of?"
        case _:
            return "Which one do you mean?"


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
    numbered = bool(prompt.past) and _question(prompt.past[-1]) in _CHOICES
    for turn in reversed(prompt.past[-5:]):
        calls = [call for call in turn.calls if call.tool == "checkout"]
        if calls:
            options = options_needed(calls[-1].result)
            card, address = (str(calls[-1].args.get(k) or "") for k in ("card_id", "address_id"))
            return Pending(options, card, address, numbered) if options else None
        if _question(turn) in _CHOICES and NO_SUCH_CHOICE not in turn.answer:
            options = _asked_options(_question(turn), known_options(prompt))
            return Pending(options, numbered=numbered) if options else None
    return None


def known_options(prompt: Prompt) -> Options:
    """Return the cards and addresses that any result has named, the latest profile first."""
    calls = [call for turn in (*prompt.past, prompt.turn) for call in turn.calls]
    for call in reversed(calls):
        if call.tool == "fetch_user_profile" and (found := options_of_profile(call.result)):
            return found
    return Options()


def in_context(intents: Sequence[Intent], prompt: Prompt) -> tuple[Intent, ...]:
    """Read the intents of this turn as answers to the last question, where they are."""
    question = _question(prompt.past[-1]) if prompt.past else ""
    pending = pending_choice(prompt)
    if pending is not None and intents:
        chosen = _chosen(intents, pending, prompt.turn.text)
        if chosen is not None:
            return (chosen,)
        if pending.numbered and all(_can_mean_nothing_else(intent) for intent in intents):
            return (ChooseAgain(),)
    meant = [_agreed(intent, question) for intent in _taken_back(intents)]
    others = [intent for intent in meant if not isinstance(intent, Agree | Refuse)]
    if not others:
        return tuple(meant[:1])
    return tuple(_answered(intent, question) for intent in _once(others, intents))


def choose(options: Options, choice: Choice, *, cards: bool) -> str | None:
    """Return the id of the one card (or address) that a choice names, or None."""
    among = options.cards if cards else options.addresses
    named = _by_words(among, choice.words)
    if named is None and choice.n is not None:
        return _by_number(among, choice.n)
    return named


def _chosen(intents: Sequence[Intent], pending: Pending, text: str) -> Checkout | None:
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
        case Search(bare=bare):
            return bare
        case Mention(item):
            return pending.numbered or isinstance(item, Named)
        case Agree():
            return True
        case _:
            return False


def _can_mean_nothing_else(intent: Intent) -> bool:
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


def _times(quantity: int | None) -> str:
    return "" if quantity is None else f" (quantity {quantity})"


def _choice_of(id: str) -> Choice | None:
    return Choice((id,)) if id else None


def _asked_options(question: str, options: Options) -> Options:
    if question == ASK_CARD:
        return Options(cards=options.cards)
    return Options(addresses=options.addresses) if question == ASK_ADDRESS else options


def _question(turn: Turn) -> str:
    lines = turn.answer.strip().split("\n")
    return lines[-1].strip()


def _agreed(intent: Intent, question: str) -> Intent:
    added = _ASK_ADD.fullmatch(question)
    if isinstance(intent, Agree) and question == ASK_CHECKOUT:
        return Checkout()
    return Add(Sku(added[1])) if isinstance(intent, Agree) and added else intent


def _taken_back(intents: Sequence[Intent]) -> list[Intent]:
    """Read a no after a wish that acts on the world as doubt about it: "check out. No"."""
    read: list[Intent] = []
    for intent in intents:
        doubt = isinstance(intent, Refuse) and any(isinstance(i, World) for i in read)
        read.append(NotUnderstood("no", hedged=True) if doubt else intent)
    return read


def _once(meant: Sequence[Intent], said: Sequence[Intent]) -> list[Intent]:
    """Drop what a yes stands for where the user says it too: "yes, add it" adds once."""
    kinds = {type(intent) for intent in said}
    return [intent for intent in meant if intent in said or type(intent) not in kinds]


def _answered(intent: Intent, question: str) -> Intent:
    """Complete an intent that only names a product by the question that it answers."""
    match intent:
        case Search(bare=True, min_price=None, max_price=None, query=query) if query:
            item: Mention = Mention(Named(tuple(query.split()), definite=True))
        case Mention():
            item = intent
        case _:
            return intent
    which, added = _ASK_WHICH.fullmatch(question), _ASK_ADD.fullmatch(question)
    quantity = item.quantity or (int(which[2]) if which and which[2] else None)
    if added and isinstance(intent, Mention):
        meant = Sku(added[1]) if isinstance(item.item, It) else item.item
        return Add(meant, quantity or 1)
    match which[1] if which else "":
        case "shall I add":
            return Add(item.item, quantity or 1)
        case "shall I remove":
            return Remove(item.item, quantity)
        case "shall I double":
            return SetQuantity(item.item, double=True)
        case "shall I change":
            return SetQuantity(item.item, quantity or 1)
        case "do you want reviews of":
            return Reviews(item.item)
        case "do you mean":
            return Details(item.item)
        case _:
            # "Two of them" without a question is a wish to have them.
            return intent if item.quantity is None else Add(item.item, item.quantity)
