"""What each intent needs next: one entry for every kind of intent."""

from daybook.demo.model.grammar import wording
from daybook.demo.model.grammar.answers.asked.questions import ASK_CHECKOUT
from daybook.demo.model.grammar.desk import Desk, Say, Step
from daybook.demo.model.grammar.language.intents.cart import (
    Add,
    ClearCart,
    Doubtful,
    Keep,
    Offer,
    Remove,
    SetQuantity,
    ShowCart,
    Swap,
)
from daybook.demo.model.grammar.language.intents.goods import (
    AskKinds,
    AskPrice,
    AskProperty,
    CompareReviews,
    Details,
    Differ,
    Mention,
    NewGoal,
    Pick,
    Reviews,
    Search,
    ShowList,
    Suggest,
    Those,
    Times,
)
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.orders import (
    AskPolicy,
    CancelOrder,
    Checkout,
    ChooseAgain,
    Mail,
    OrderNews,
    OrderStatus,
    SameAgain,
    ShowOrders,
    ShowProfile,
)
from daybook.demo.model.grammar.language.intents.past import (
    Advise,
    AskedAgain,
    AskKnown,
    AskPast,
    Forget,
    ForgetAll,
    GoOn,
    NoMatter,
    NoteBrief,
    OverBudget,
    PastIntent,
    Remember,
    Reopen,
)
from daybook.demo.model.grammar.language.intents.references import Every, Extreme, Named
from daybook.demo.model.grammar.language.intents.talk import (
    Agree,
    Finished,
    NotUnderstood,
    Refuse,
    Talk,
)
from daybook.demo.model.grammar.steps import buy
from daybook.demo.model.grammar.steps import cancel as cancels
from daybook.demo.model.grammar.steps import interview as interviews
from daybook.demo.model.grammar.steps import memory as memories
from daybook.demo.model.grammar.steps import past as pasts
from daybook.demo.model.grammar.steps.cart import changing as carts
from daybook.demo.model.grammar.steps.cart.spending import show
from daybook.demo.model.grammar.steps.chat import corrections
from daybook.demo.model.grammar.steps.chat import policy as policies
from daybook.demo.model.grammar.steps.chat.doubts import doubt
from daybook.demo.model.grammar.steps.chat.news import news
from daybook.demo.model.grammar.steps.chat.talk import outside, small_talk, unsure
from daybook.demo.model.grammar.steps.goods import product as products
from daybook.demo.model.grammar.steps.goods import search as searches
from daybook.demo.model.grammar.steps.goods.differing import differ
from daybook.demo.model.grammar.steps.goods.reviews import compare
from daybook.demo.model.grammar.steps.goods.such import those
from daybook.demo.model.grammar.steps.goods.suggest import suggest
from daybook.demo.model.grammar.steps.recall import reopen

_Small = Talk | Agree | Refuse | Finished | NotUnderstood | NoMatter


def step_of(intent: Intent, desk: Desk) -> Step:
    """Return what an intent needs next, or what there is to say of it."""
    match intent:
        case Search():
            return searches.search(intent, desk)
        case Those():
            return those(intent, desk)
        case AskKinds():
            return Say(wording.KINDS_SOLD)
        case ShowList():
            return searches.show_list(desk)
        case Pick(item) | Mention(Extreme() as item):
            return products.picked(intent, item, desk)
        case Mention(Every() as item):
            return products.offer_all(item, desk)
        case Mention(Named(words) as item) if not products.may_be_known(item, desk):
            return outside(" ".join(words), desk)
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
            return cancels.cancel(intent, desk)
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
            return show(desk)
        case CompareReviews():
            return compare(intent, desk)
        case Differ():
            return differ(intent, desk)
        case (
            Keep()
            | Swap()
            | Doubtful()
            | Offer()
            | Times()
            | SameAgain()
            | OrderNews()
            | AskPolicy()
        ):
            return _corrected(intent, desk)
        case NewGoal():
            return interviews.new_goal(intent, desk)
        case _:
            return _past_step(intent, desk)


def _past_step(intent: PastIntent | _Small, desk: Desk) -> Step:
    match intent:
        case Remember():
            return memories.remember(intent, desk)
        case Forget():
            return memories.forget(intent, desk)
        case ForgetAll():
            return memories.forget_all(intent, desk)
        case AskKnown():
            return memories.ask_known(intent, desk)
        case Reopen():
            return reopen(intent, desk)
        case AskPast():
            return pasts.ask_past(intent, desk)
        case Advise():
            return interviews.advise(intent, desk)
        case NoteBrief():
            return interviews.note(intent, desk)
        case GoOn():
            return interviews.go_on(intent, desk)
        case OverBudget(limit):
            return buy.over_budget(limit, desk)
        case AskedAgain(question):
            return Say("", question=question)
        case _:
            return _talk(intent, desk)


def _corrected(
    intent: Keep | Swap | Doubtful | Offer | Times | SameAgain | OrderNews | AskPolicy, desk: Desk
) -> Step:
    match intent:
        case Keep():
            return corrections.keep(intent, desk)
        case Swap():
            return corrections.swap(intent, desk)
        case Doubtful():
            return doubt(intent, desk)
        case Offer(places):
            return products.offer_places(places, desk)
        case Times():
            return corrections.times(intent, desk)
        case SameAgain():
            return policies.same_again(desk)
        case OrderNews():
            return news(intent, desk)
        case AskPolicy():
            return policies.policy(intent, desk)


def _talk(intent: _Small, desk: Desk) -> Say:
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
        case Talk("name", name):
            user = f" You are signed in as {desk.now.user}." if desk.now.user else ""
            return Say(f"Hello, {wording.one_line(name)}.{user} I keep no other name.")
        case Talk("unsure", said):
            return unsure(said)
        case Talk(about):
            return small_talk(about, desk)
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
        case NotUnderstood(text) | NoMatter(text):
            return outside(text, desk)
