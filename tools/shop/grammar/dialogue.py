"""Decide: which calls a turn needs next, or what its answer is. Pure: prompt in, reply out."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from tools.shop.grammar import steps_buy as buy
from tools.shop.grammar import steps_cart as carts
from tools.shop.grammar import steps_product as products
from tools.shop.grammar import steps_search as searches
from tools.shop.grammar import wording
from tools.shop.grammar.context import ASK_CHECKOUT, in_context
from tools.shop.grammar.desk import Desk, Say, Step, Wish
from tools.shop.grammar.intents import (
    Add,
    Agree,
    AskPrice,
    AskProperty,
    CancelOrder,
    Checkout,
    ChooseAgain,
    ClearCart,
    Details,
    Extreme,
    Finished,
    Intent,
    It,
    Mail,
    Mention,
    Named,
    NotUnderstood,
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
    World,
)
from tools.shop.grammar.prompt import Prompt
from tools.shop.grammar.reading import understand
from tools.shop.grammar.scene import scene_of
from tools.shop.grammar.steps_suggest import suggest

MOST_DECISIONS: Final = 6
"""Model calls in one turn; the last of them answers, whatever is still open."""

MOST_INTENTS: Final = 12
"""Wishes that are followed in one message."""

_ACTS: Final = ("checkout", "cancel_order", "send_email")
_SMALL_TALK: Final = ("greeting", "thanks", "bye")


@dataclass(frozen=True)
class Reply:
    """A decision: calls to make, or without any the answer."""

    text: str
    wishes: tuple[Wish, ...] = ()


def decide(prompt: Prompt, offered: Collection[str]) -> Reply:
    """Take the next decision of the turn; only tools that are offered are called."""
    intents = in_context(understand(prompt.turn.text), prompt)
    intents = _without_small_talk(intents)
    if not intents:
        return Reply(wording.NOTHING_SAID)
    held = _held_back(intents)
    said, followed = _sorted_out(intents, held)
    desk = Desk(prompt, scene_of(prompt), offered, alone=len(intents) == 1)
    wishes = _follow(followed[:MOST_INTENTS], desk, said)
    if wishes and prompt.turn.decisions < MOST_DECISIONS - 1:
        return Reply("", tuple(wishes))
    if wishes:
        said.append(Say(wording.TOO_MUCH))
    if len(followed) > MOST_INTENTS:
        said.append(Say(wording.TOO_MANY))
    return Reply(_answer(said, desk))


def _follow(intents: Sequence[Intent], desk: Desk, said: list[Say]) -> list[Wish]:
    """Take the next step of each intent: return the calls to make, and note what there is to say.

    What acts on the world waits for all before it and goes alone. Once it was done, nothing that
    stood before it is done any more: the cart that it meant may be gone.
    """
    wishes: list[Wish] = []
    done = [call.tool for call in desk.prompt.turn.calls if call.tool in _ACTS]
    acts_done, failed = len(done), False
    for intent in intents:
        if wishes and _waits(intent):
            break
        if isinstance(intent, Checkout) and failed and "checkout" not in done:
            said.append(Say(wording.NOT_CHECKED_OUT))
            continue
        step = step_of(intent, desk)
        over = acts_done > 0
        acts_done -= isinstance(intent, World)
        if isinstance(step, Say):
            said.append(step)
            failed = failed or (isinstance(intent, Add | Remove | SetQuantity) and not step.changed)
        elif isinstance(intent, World):
            return [*wishes, *step.wishes]
        elif not over:
            wishes += step.wishes
    return wishes


def _waits(intent: Intent) -> bool:
    """Tell whether an intent must see what became of those before it.

    What acts on the world waits for all of them; "add the third one and make it two" can change
    the cart's line only when it is there.
    """
    if isinstance(intent, SetQuantity | Remove):
        return isinstance(intent.item, It)
    return isinstance(intent, World | Suggest)


def step_of(intent: Intent, desk: Desk) -> Step:
    """Return what an intent needs next, or what there is to say of it."""
    match intent:
        case Search():
            return searches.search(intent, desk)
        case ShowList():
            return searches.show_list(desk)
        case Pick(item) | Mention(Extreme() as item):
            return products.picked(intent, item, desk)
        case Mention(Named(words) as item) if not products.is_known(item, desk):
            return Say(_outside([" ".join(words)]))
        case Mention() | Details():
            return products.details(intent, desk)
        case Reviews():
            return products.opinions(intent, desk)
        case AskProperty():
            return products.asked(intent, desk)
        case AskPrice():
            return products.price(intent, desk)
        case Suggest():
            return suggest(intent, desk)
        case Add():
            return carts.add(intent, desk)
        case Remove():
            return carts.remove(intent, desk)
        case SetQuantity():
            return carts.set_quantity(intent, desk)
        case ClearCart():
            return carts.clear(intent, desk)
        case Checkout():
            return buy.checkout(intent, desk)
        case CancelOrder():
            return buy.cancel(intent, desk)
        case ShowOrders():
            return buy.show_orders(desk)
        case OrderStatus():
            return buy.order_status(intent, desk)
        case Mail():
            return buy.mail(intent, desk)
        case ShowProfile():
            return buy.show_profile(desk)
        case ChooseAgain():
            return buy.choose_again(desk)
        case ShowCart():
            return Say("", cart=True)
        case _:
            return _talk(intent, desk)


def _talk(intent: Talk | Agree | Refuse | Finished | NotUnderstood, desk: Desk) -> Say:
    match intent:
        case Talk("greeting"):
            return Say(wording.GREETING)
        case Talk("thanks"):
            return Say("You are welcome.")
        case Talk("bye"):
            return Say("Goodbye. Your cart stays as it is.")
        case Talk("help"):
            return Say(wording.HELP)
        case Talk("identity"):
            return Say(wording.IDENTITY)
        case Talk(name=name):
            user = f" You are signed in as {desk.now.user}." if desk.now.user else ""
            return Say(f"Hello, {wording.one_line(name)}.{user} I keep no other name.")
        case Agree():
            waiting = f" Waiting: {desk.now.pending}." if desk.now.pending else ""
            return Say(f"I have no question open that a yes would answer.{waiting}")
        case Refuse():
            return Say("All right, I leave it. Tell me what you want instead.")
        case Finished() if desk.now.cart:
            question = ASK_CHECKOUT if "checkout" in desk.offered else ""
            return Say("", question=question, cart=True)
        case Finished():
            return Say("All right. Your cart is empty, so nothing is left to do.")
        case NotUnderstood(text):
            return Say(_outside([text]))


def _without_small_talk(intents: Sequence[Intent]) -> tuple[Intent, ...]:
    rest = tuple(i for i in intents if not (isinstance(i, Talk) and i.about in _SMALL_TALK))
    done = tuple(i for i in rest if not isinstance(i, Finished))
    # "I'm done, place the order" says twice that it is time to buy.
    return done or rest or tuple(intents[:1])


def _held_back(intents: Sequence[Intent]) -> tuple[type, ...]:
    """Return the kinds of intents that a clause which was not understood puts in doubt."""
    unknown = [intent for intent in intents if isinstance(intent, NotUnderstood)]
    if any(intent.hedged for intent in unknown):
        return (Add, Remove, SetQuantity, ClearCart, Checkout, CancelOrder, Mail)
    return (Checkout, CancelOrder, Mail) if unknown else ()


def _sorted_out(
    intents: Sequence[Intent], held: tuple[type, ...]
) -> tuple[list[Say], list[Intent]]:
    """Part what is said of clauses that were not understood from what is followed."""
    unknown = [intent.text for intent in intents if isinstance(intent, NotUnderstood)]
    followed = [i for i in intents if not isinstance(i, (NotUnderstood, *held))]
    doubtful = [intent for intent in intents if isinstance(intent, held)]
    if doubtful:
        done = " or ".join(dict.fromkeys(_DONE[type(intent)] for intent in doubtful))
        return [Say(wording.held_back(unknown, done))], followed
    if unknown and followed:
        return [Say(wording.not_understood(unknown))], followed
    return [], followed or [NotUnderstood(", ".join(unknown))]


_DONE: Final[dict[type, str]] = {
    Add: "added anything",
    Remove: "removed anything",
    SetQuantity: "changed the cart",
    ClearCart: "cleared the cart",
    Checkout: "checked out",
    CancelOrder: "cancelled anything",
    Mail: "mailed anything",
}


def _outside(texts: Sequence[str]) -> str:
    return f"{wording.not_understood(texts)} {wording.UNDERSTOOD}"


def _answer(said: Sequence[Say], desk: Desk) -> str:
    """Put the answer together: what was done, the cart once, one question at the end."""
    asking = next((say for say in said if say.question), Say(""))
    texts = [say.text for say in said if say is not asking]
    told_empty = any(text.startswith(wording.EMPTY_CART) for text in texts)
    if any(say.cart for say in said) and not told_empty:
        texts.append(wording.cart(desk.now))
    texts += [asking.text, asking.question]
    return "\n\n".join(text for text in dict.fromkeys(texts) if text)
