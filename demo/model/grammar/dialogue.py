"""Decide: which calls a turn needs next, or what its answer is. Pure: prompt in, reply out."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from types import UnionType
from typing import Final

from daybook.demo.model.grammar import wording
from daybook.demo.model.grammar.answers.asked.interview import INTERVIEWER
from daybook.demo.model.grammar.answers.asked.questions import ASK_ADD, agreed, is_of_cart
from daybook.demo.model.grammar.answers.context import in_context
from daybook.demo.model.grammar.desk import Desk, Say, Wish
from daybook.demo.model.grammar.language.chat.joining.idle import names_nothing
from daybook.demo.model.grammar.language.chat.talking import mood_of
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
    AskPrice,
    AskProperty,
    CompareReviews,
    Mention,
    NewGoal,
    Pick,
    Search,
    Suggest,
)
from daybook.demo.model.grammar.language.intents.intent import Intent, World
from daybook.demo.model.grammar.language.intents.orders import (
    AskPolicy,
    CancelOrder,
    Checkout,
    Mail,
    OrderNews,
)
from daybook.demo.model.grammar.language.intents.past import Advise, GoOn, Reopen
from daybook.demo.model.grammar.language.intents.references import Every, Extreme, It, Named, Nth
from daybook.demo.model.grammar.language.intents.talk import Finished, NotUnderstood, Talk
from daybook.demo.model.grammar.language.plain import tokens_of
from daybook.demo.model.grammar.language.words import kind_of
from daybook.demo.model.grammar.seen import listed
from daybook.demo.model.grammar.seen.brief import read_brief
from daybook.demo.model.grammar.seen.foreseen import total_after
from daybook.demo.model.grammar.seen.prompt import Prompt, question_of
from daybook.demo.model.grammar.seen.scene import scene_of
from daybook.demo.model.grammar.steps.every import step_of
from daybook.demo.model.grammar.steps.interview import by_brief
from daybook.demo.model.grammar.steps.recall import seen_otherwise

MOST_DECISIONS: Final = 6
"""Model calls in one turn; the last of them answers, whatever is still open."""

MOST_INTENTS: Final = 12
"""Wishes that are followed in one message."""

_ACTS: Final = ("checkout", "cancel_order", "send_email")
_PLEASE: Final = re.compile(r"\b(?:please|pls|plz|plse)\b")
_SEVERAL: Final = 2
_LONGEST_CHATTER: Final = 6
"""Words of a clause that needs no answer beside what was understood: "my bad"."""
_SMALL_TALK: Final = ("greeting", "thanks", "bye")


@dataclass(frozen=True)
class Reply:
    """A decision: calls to make, or without any the answer."""

    text: str
    wishes: tuple[Wish, ...] = ()


def decide(prompt: Prompt, offered: Collection[str]) -> Reply:
    """Take the next decision of the turn; only tools that are offered are called."""
    intents = in_context(prompt.turn.text, prompt)
    if not prompt.turn.text and prompt.now.owner != INTERVIEWER:
        intents = _handed_over(prompt)
    intents = _as_begun(_without_small_talk(intents), prompt)
    if not intents:
        return Reply(wording.NOTHING_SAID)
    intents = _offered_together(intents, prompt)
    held = _held_back(intents)
    said, followed = _sorted_out(intents, held)
    # After an interview has begun, nobody reads the rest of this text any more.
    followed.sort(key=lambda intent: isinstance(intent, Advise | NewGoal))
    desk = Desk(prompt, scene_of(prompt), offered, alone=len(intents) == 1)
    if (again := _list_seen_otherwise(followed, desk)) is not None:
        return Reply(_answer([again], desk))
    wishes = _list_out_of_view(followed, desk) or _follow(followed[:MOST_INTENTS], desk, said)
    if wishes and prompt.turn.decisions < MOST_DECISIONS - 1:
        return Reply("", tuple(wishes))
    if wishes:
        said.append(Say(wording.TOO_MUCH))
    if len(followed) > MOST_INTENTS:
        said.append(Say(wording.TOO_MANY))
    asks = any(say.question for say in said)
    return Reply(_answer(said if asks else [*said, _still_asked(followed, desk)], desk))


def _as_begun(intents: Sequence[Intent], prompt: Prompt) -> tuple[Intent, ...]:
    """Keep to the purchase that was made by these words: the cart that they meant is gone."""
    bought = any(call.tool == "checkout" for call in prompt.turn.calls)
    if not bought or any(isinstance(one, Checkout) for one in intents):
        return tuple(intents)
    return (*(one for one in intents if not isinstance(one, Add | Doubtful | Mention)), Checkout())


def _still_asked(followed: Sequence[Intent], desk: Desk) -> Say:
    """Ask a question of the cart again where the turn after it only looked at what there is."""
    question = question_of(desk.prompt.past[-1]) if desk.prompt.past else ""
    looks = bool(followed) and all(
        isinstance(one, _LOOKS) or _is_of(question, one, desk) or _says_nothing(one)
        for one in followed
    )
    acted = any(call.tool in _ACTS for call in desk.prompt.turn.calls)
    if looks and not acted and question.startswith("Which one shall I add"):
        return Say("", question)
    if not looks or acted or not is_of_cart(question):
        return Say("")
    offered = ASK_ADD.fullmatch(question)
    row = desk.scene.fresh(offered[1]) if offered else None
    is_new = row is not None and desk.scene.in_cart(row.sku) is None
    told = [f"Not in your cart yet: {wording.row(row)}."] if row is not None and is_new else []
    total = total_after(agreed(question), desk.scene)
    told += [] if not total else [f"After a yes your cart would come to {_money(total, desk)}."]
    return Say(" ".join(told), question)


def _says_nothing(intent: Intent) -> bool:
    """Tell whether an intent is of no goods, or of buying what is not there yet."""
    match intent:
        case Add(Named() as item) | Mention(Named() as item):
            return names_nothing(Mention(item))
        case Doubtful("buy") | Talk("pleased" | "sorry" | "told"):
            return True
        case _:
            return False


def _money(amount: int, desk: Desk) -> str:
    return wording.money(amount, desk.now.currency)


def _is_of(question: str, intent: Intent, desk: Desk) -> bool:
    """Tell whether what is asked is asked of the very product that was offered."""
    offered = ASK_ADD.fullmatch(question)
    asks = isinstance(intent, AskPrice | AskProperty)
    return offered is not None and asks and desk.scene.focus == offered[1]


_LOOKS: Final = ShowCart | Checkout | OrderNews | AskPolicy


def _offered_together(intents: Sequence[Intent], prompt: Prompt) -> tuple[Intent, ...]:
    """Read places that are named with nothing said of them as one wish: "1 and 3 please"."""
    places = [i.item for i in intents if isinstance(i, Mention) and isinstance(i.item, Nth)]
    named = all(not place.words or kind_of(place.words) for place in places)
    if len(places) < _SEVERAL or len(places) < len(intents) or not named:
        return tuple(intents)
    rows = scene_of(prompt).latest
    numbers = tuple(place.n for place in places)
    if rows and _PLEASE.search(prompt.turn.text.lower()):
        return tuple(Add(place) for place in places)
    return (Offer(numbers),) if rows else tuple(intents)


def _list_out_of_view(intents: Sequence[Intent], desk: Desk) -> list[Wish]:
    """Open the latest list again where an intent points at one and the prompt holds none."""
    points = any(_points(i, Nth | Every | Extreme) and not _of_cart(i) for i in intents)
    opened = any(call.tool == "recall" for call in desk.prompt.turn.calls)
    if not points or desk.scene.lists or opened or "recall" not in desk.offered:
        return []
    last = listed.listed_last(desk.prompt)
    return [] if last is None else [Wish("recall", {"handle": last.handle})]


def _list_seen_otherwise(intents: Sequence[Intent], desk: Desk) -> Say | None:
    """Show a list again that was opened for a place in it, where the person saw another one.

    What was left out of it, or put in another order, was not kept: the same place may be another
    product by now, so which one is meant is asked.
    """
    if any(isinstance(one, Reopen) for one in intents):
        return None
    points = any(_points(i, Nth | Every | Extreme) and not _of_cart(i) for i in intents)
    opened = [call for call in desk.prompt.turn.calls if call.tool == "recall"]
    return seen_otherwise(opened[0].result, desk) if points and opened else None


def _of_cart(intent: Intent) -> bool:
    return isinstance(intent, Remove | SetQuantity)


def _handed_over(prompt: Prompt) -> tuple[Intent, ...]:
    """Return what the brief asks for, where nothing was said since it was handed over."""
    brief = read_brief(prompt.now.brief)
    if brief.wish:
        return in_context(brief.wish, prompt)
    if brief.category:
        return (by_brief(brief),)
    return (Suggest(),) if brief.goal else ()


def _follow(intents: Sequence[Intent], desk: Desk, said: list[Say]) -> list[Wish]:
    """Take the next step of each intent: return the calls to make, and note what there is to say.

    What acts on the world waits for all before it and goes alone. Once it was done, nothing that
    stood before it is done any more: the cart that it meant may be gone.
    """
    wishes: list[Wish] = []
    done = [call.tool for call in desk.prompt.turn.calls if call.tool in _ACTS]
    acts_done, failed = len(done), False
    for intent in intents:
        points = _points(intent) and not _is_of_a_kind(intent)
        if wishes and (_waits(intent) or (points and _lists(wishes))):
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
    return isinstance(intent, World | Suggest | Advise | NewGoal | GoOn)


def _points(intent: Intent, by: type | UnionType = Nth | Every | Extreme | It) -> bool:
    """Tell whether an intent points at a list: it means the one that is about to be shown."""
    items = intent.items if isinstance(intent, CompareReviews) else (getattr(intent, "item", None),)
    return any(isinstance(item, by) for item in items)


def _is_of_a_kind(intent: Intent) -> bool:
    """Tell whether the most of a kind is meant, which no list that was shown need hold."""
    match intent:
        case Pick(Extreme(_, words)) | Mention(Extreme(_, words)):
            return kind_of(words) is not None
        case _:
            return False


def _lists(wishes: Sequence[Wish]) -> bool:
    return any(wish.tool in ("search_products", "recall") for wish in wishes)


def _without_small_talk(intents: Sequence[Intent]) -> tuple[Intent, ...]:
    rest = tuple(i for i in intents if not (isinstance(i, Talk) and i.about in _SMALL_TALK))
    if any(not isinstance(i, Talk | NotUnderstood) for i in rest):
        # What is only told beside a wish needs no answer of its own.
        rest = tuple(i for i in rest if not (isinstance(i, Talk) and i.about == "told"))
    if any(isinstance(i, Search) for i in rest):
        # Who has said what to look for, with no idea where to begin, has begun.
        rest = tuple(i for i in rest if i != Advise())
    if all(isinstance(i, NotUnderstood) and not i.hedged for i in rest) and len(rest) < len(
        intents
    ):
        rest = ()
    done = tuple(i for i in rest if not isinstance(i, Finished))
    # "I'm done, place the order" says twice that it is time to buy.
    talk = tuple(i for i in intents if isinstance(i, Talk))
    return done or rest or talk[:1] or tuple(intents[:1])


def _held_back(intents: Sequence[Intent]) -> tuple[type, ...]:
    """Return the kinds of intents that a clause which was not understood puts in doubt."""
    unknown = [intent for intent in intents if isinstance(intent, NotUnderstood)]
    if any(intent.hedged for intent in unknown):
        return (Add, Remove, SetQuantity, ClearCart, Keep, Swap, Checkout, CancelOrder, Mail)
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
    if not any(isinstance(i, GoOn) for i in followed):
        unknown = [text for text in unknown if not _is_chatter(text)]
    if unknown and followed and not all(isinstance(i, Talk) for i in followed):
        return [Say(wording.not_understood(unknown))], followed
    first: list[Intent] = [i for i in intents if isinstance(i, NotUnderstood)]
    return [], followed or first[:1]


def _is_chatter(text: str) -> bool:
    return len(text.split()) <= _LONGEST_CHATTER or mood_of(tokens_of(text)) is not None


_DONE: Final[dict[type, str]] = {
    Add: "added anything",
    Remove: "removed anything",
    SetQuantity: "changed the cart",
    Keep: "removed anything",
    Swap: "changed the cart",
    ClearCart: "cleared the cart",
    Checkout: "checked out",
    CancelOrder: "cancelled anything",
    Mail: "mailed anything",
}


def _answer(said: Sequence[Say], desk: Desk) -> str:
    """Put the answer together: what was done, the cart once, one question at the end."""
    asking = next((say for say in said if say.question), Say(""))
    texts = [text for say in said if say is not asking for text in (say.text, say.question)]
    told_empty = any(text.startswith(wording.EMPTY_CART) for text in texts)
    if any(say.cart for say in said) and not told_empty:
        texts.append(wording.cart(desk.now))
    texts += [asking.text, asking.question]
    return "\n\n".join(text for text in dict.fromkeys(texts) if text)
