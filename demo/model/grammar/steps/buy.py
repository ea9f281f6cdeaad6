"""The steps of intents that act on the outside world, and of those about orders and profile."""

import re
from dataclasses import dataclass
from typing import Final

from daybook.demo.model.grammar import wording
from daybook.demo.model.grammar.answers.asked.choice import (
    ASK_ADDRESS,
    ASK_BOTH,
    ASK_CARD,
    NO_SUCH_CHOICE,
    choose,
    known_options,
    pending_choice,
)
from daybook.demo.model.grammar.answers.asked.questions import ask_add, ask_mail, is_of_mail
from daybook.demo.model.grammar.desk import Desk, Say, Step, ended, refused
from daybook.demo.model.grammar.language.intents.orders import (
    Checkout,
    Mail,
    MailTopic,
    OrderStatus,
)
from daybook.demo.model.grammar.language.intents.references import Choice
from daybook.demo.model.grammar.seen.prompt import question_of
from daybook.demo.model.grammar.seen.results import (
    Option,
    Options,
    options_needed,
    options_of_profile,
    orders,
    profile,
)
from daybook.demo.model.grammar.steps.cancel import latest, order_spoken_of, orders_listed


@dataclass(frozen=True)
class _Settled:
    """Which card and address a checkout gets, and whether one that was named is not known."""

    card_id: str | None
    address_id: str | None
    card_unknown: bool = False
    address_unknown: bool = False


def checkout(intent: Checkout, desk: Desk) -> Step:
    """Check out with what was chosen; ask for what the machine needs to know."""
    call = desk.take("checkout")
    if call is None:
        return _begin_checkout(intent, desk)
    needs = options_needed(call.result)
    return _ask_for_choice(needs) if needs else Say(wording.ended("checkout", ended(call)))


def over_budget(limit: int, desk: Desk) -> Say:
    """Say that the cart is above the limit that was named."""
    most = wording.money(limit, desk.now.currency)
    return Say(
        f"Your cart comes to {desk.now.total}, which is above {most}. {wording.NOT_CHECKED_OUT}",
        cart=True,
    )


def choose_again(desk: Desk) -> Say:
    """Ask the open choice of card or address once more."""
    pending = pending_choice(desk.prompt)
    assert pending is not None, "only an open choice is asked again"
    asked = _ask_for_choice(pending.options)
    return Say(f"{NO_SUCH_CHOICE}\n\n{asked.text}", asked.question)


def _ask_for_choice(options: Options) -> Say:
    """Ask one question with everything that can be chosen as one numbered list."""
    both = options.cards and options.addresses
    question = ASK_BOTH if both else ASK_CARD if options.cards else ASK_ADDRESS
    return Say(wording.choices(options.cards, options.addresses), question=question)


def _begin_checkout(intent: Checkout, desk: Desk) -> Step:
    if not desk.now.cart:
        told = desk.scene.focus
        last = desk.prompt.past[-1].answer if desk.prompt.past else ""
        offers = told is not None and told in last and told not in desk.now.removed
        return Say(
            f"{wording.EMPTY_CART}: there is nothing to check out.",
            question=ask_add(told) if told is not None and offers else "",
        )
    options = known_options(desk.prompt)
    named = _settle(intent, options, desk)
    if named.card_unknown or named.address_unknown:
        if desk.take("fetch_user_profile") is None:
            return desk.ask_for("fetch_user_profile")
        asked = Options(
            options.cards if named.card_unknown else (),
            options.addresses if named.address_unknown else (),
        )
        if not asked:
            return Say("I do not find the card or address that you named on file.")
        step = _ask_for_choice(asked)
        return Say(f"I do not find what you named; there is:\n\n{step.text}", step.question)
    return desk.ask_for("checkout", card_id=named.card_id, address_id=named.address_id)


def _settle(intent: Checkout, options: Options, desk: Desk) -> _Settled:
    """Find the ids of what was named now, keeping what was settled by the questions before."""
    pending = pending_choice(desk.prompt)
    card = _id(intent.card, options, pending.options if pending else Options(), cards=True)
    address = _id(intent.address, options, pending.options if pending else Options(), cards=False)
    return _Settled(
        card or (pending.card_id if pending else "") or None,
        address or (pending.address_id if pending else "") or None,
        card_unknown=intent.card is not None and card is None,
        address_unknown=intent.address is not None and address is None,
    )


def _id(choice: Choice | None, known: Options, asked: Options, *, cards: bool) -> str | None:
    if choice is None:
        return None
    found = choose(asked, choice, cards=cards) or choose(known, choice, cards=cards)
    # An id that no list has named yet is passed on as it was typed: the machine judges it.
    typed = choice.words[0] if choice.words else ""
    return found or (typed if typed.startswith(("card_", "addr_")) else None)


def show_orders(desk: Desk) -> Step:
    """List all orders."""
    call = desk.take("list_orders")
    if call is None:
        known = [(order.order_id, order.status, order.total) for order in desk.now.orders]
        if "list_orders" not in desk.offered and known:
            return Say(f"Your orders:\n\n{wording.orders(known)}")
        return desk.ask_for("list_orders")
    sentence = refused(call)
    if sentence:
        return Say(wording.passed_on("list_orders", sentence))
    found = orders(call.result)
    return Say(
        f"Your orders:\n\n{wording.orders(found)}" if found else "You have no orders so far."
    )


def order_status(intent: OrderStatus, desk: Desk) -> Step:
    """Say how an order stands."""
    order_id = intent.order_id or order_spoken_of(desk) or latest(desk)
    if order_id is None:
        listed = orders_listed(desk)
        if not isinstance(listed, list):
            return listed
        if not listed:
            return Say("You have no orders so far.")
        order_id = listed[-1].order_id
    call = desk.take("get_order", order_id=order_id)
    if call is None:
        return desk.ask_for("get_order", order_id=order_id)
    sentence = refused(call)
    found = orders(call.result)
    if sentence or not found:
        return Say(wording.passed_on("get_order", sentence or call.result))
    return Say(f"Here is how it stands:\n\n{wording.orders(found)}")


def mail(intent: Mail, desk: Desk) -> Step:
    """Mail what was asked for, as it stands under "# Now"."""
    call = desk.take("send_email")
    if call is not None:
        return Say(wording.ended("send_email", ended(call)))
    listed = desk.scene.lists[-1] if desk.scene.lists else ()
    told = _told_last(desk)
    points = told and intent.topic == "summary" and _POINTS.search(desk.prompt.turn.text.lower())
    topic: MailTopic = "said" if points else intent.topic
    subject, body = wording.summary(desk.now, topic, listed, told)
    if not body:
        return Say("There is no list on view that I could mail.")
    if intent.to:
        only = "I can mail you alone, at the address on file, and nobody else."
        return Say(only, question=ask_mail(topic, wording.one_line(intent.to, 60)))
    return desk.ask_for("send_email", subject=subject, body=body)


def _told_last(desk: Desk) -> str:
    """Return what was told of goods last, without the question behind it; "" where it was not."""
    past = [turn for turn in desk.prompt.past if not is_of_mail(question_of(turn))]
    answer = past[-1].answer.strip() if past else ""
    if not _OF_GOODS.search(answer) or "Your cart" in answer:
        return ""
    question = question_of(past[-1])
    return answer.removesuffix(question).strip() if question.endswith("?") else answer


_OF_GOODS: Final = re.compile(r"\*\*|[A-Z]{4}-\d{3}")
_POINTS: Final = re.compile(r"\b(?:it|that|this|these|those|them|comparison|answer|details)\b")


def show_profile(desk: Desk) -> Step:
    """Say who the user is, and which cards and addresses are on file."""
    call = desk.take("fetch_user_profile")
    if call is None:
        return desk.ask_for("fetch_user_profile")
    sentence = refused(call)
    if sentence:
        return Say(wording.passed_on("fetch_user_profile", sentence))
    options, lines = options_of_profile(call.result), profile(call.result)
    said = [
        f"You are {wording.one_line(lines.get('name', desk.now.user))}.",
        f"Cards: {_labels(options.cards, lines.get('default card', ''))}",
        f"Addresses: {_labels(options.addresses, lines.get('default address', ''))}",
    ]
    if _WHOLE_NUMBER.search(desk.prompt.turn.text.lower()):
        said.append("Of a card I know only its last four digits, and nothing else of it.")
    return Say("\n".join(said))


_WHOLE_NUMBER: Final = re.compile(
    r"\b(?:whole|full|complete|entire|all (?:the )?digits|cvc|cvv|pin|security code|expir\w+)\b"
)


def _labels(options: tuple[Option, ...], default: str) -> str:
    parts = [
        f"{wording.one_line(o.label)}{' (default)' if o.id == default else ''}" for o in options
    ]
    return "; ".join(parts) or "none"
