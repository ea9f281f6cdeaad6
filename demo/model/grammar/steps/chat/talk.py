"""What is said to small talk, to what is asked of a person, and to what no rule understands."""

import re
from collections.abc import Mapping
from typing import Final

from daybook.demo.model.grammar import wording
from daybook.demo.model.grammar.desk import Desk, Say
from daybook.demo.model.grammar.language.chat.talking import mood_of
from daybook.demo.model.grammar.language.tokens import tokenise
from daybook.demo.model.grammar.seen.prompt import Turn

_SAID: Final[Mapping[str, str]] = {
    "human": (
        "I cannot put you through to a human: I am the stand-in for a model, and no person reads "
        "this chat. What needs a person's decision is put to one by Daybook itself."
    ),
    "language": "Sorry, I speak English only. Tell me in English what you are looking for.",
    "off topic": (
        "I cannot help with that: this shop sells gear for hiking and camping, and I know of "
        "nothing else."
    ),
    "looking": "Take your time. I am here when you want to see something.",
    "leave": "All right, I leave everything as it is and do nothing.",
    "advice": (
        "That is yours to decide, and I do nothing until you say so. I can show its reviews, or "
        "compare it with others."
    ),
    "how to buy": (
        "Say “check out”: I ask which card and address, and nothing is charged before you approve "
        "it."
    ),
    "how to add": "Say “add the second one”, “make it two”, or “remove the socks”.",
    "how to cancel": "Say “cancel my last order”; you are asked to approve it first.",
    "how to change": (
        "An order that was placed cannot be changed: say “cancel my last order”, and order anew. "
        "Before you check out, say “make it two” or “ship it to work”."
    ),
    "pleased": "Glad to hear it.",
    "sorry": "I am sorry to hear that. I have changed nothing.",
    "told": "All right. I see nothing in that for me to do, and have changed nothing.",
    "receipt": "Say “mail me my orders”, and I mail you what you ordered.",
    "premises": (
        "I know of no store to visit, of no opening hours and of no telephone: you order here, at"
        " any"
        " hour."
    ),
    "privacy": (
        "The shop tells me no rule on that. What I note of you is what you tell me: ask “what do"
        " you"
        " know about me”, or say “forget everything you know about me”. Of a card I know its last"
        " four digits alone."
    ),
    "why": "Because those are the rules that I follow. I can do no more than I said.",
}


def small_talk(about: str, desk: Desk) -> Say:
    """Answer what needs no tool and changes nothing."""
    if about == "trouble":
        first, second = examples(desk)
        return Say(
            f"I am sorry that I am not of more help. I understand plain sentences best, such as"
            f" “{first}” or “{second}”."
        )
    if about == "as many":
        return Say("I need the number.", question="How many shall I add?")
    return Say(_SAID[about])


def unsure(said: str) -> Say:
    """Ask what is meant by words that take themselves back, or depend on something."""
    what = f"You say “{wording.echo(said, _LONGEST)}”: what" if said else "What"
    return Say(
        "I am not sure what you want, so I have changed nothing.",
        question=f"{what} shall I do, in one plain sentence?",
    )


_LONGEST: Final = 80


def outside(text: str, desk: Desk) -> Say:
    """Ask of what a question is; else say that it was not understood, with two examples."""
    if _ASKS.search(desk.prompt.turn.text) and len(text.split()) >= _SEVERAL:
        what = "of a product, of your cart, of an order, or of what the shop promises"
        return Say("", question=f"You ask “{wording.echo(text, _LONGEST)}”: {what}?")
    if mood_of(tokenise(text)) is not None:
        return Say(_SAID["told"])
    first, second = examples(desk)
    return Say(f"{wording.not_understood([text])} Try “{first}” or “{second}”.")


_SEVERAL: Final = 2
_ASKS: Final = re.compile(
    r"\?|\bis (?:it|that) not\W*$|\b(?:isn?'?t it|aren'?t they|right)\W*$"
    r"|^\W*(?:how|what|which|where|why|who|is|are|do|does|did|will)\b",
    re.IGNORECASE,
)


def examples(desk: Desk) -> tuple[str, str]:
    """Return two sentences that would be understood now."""
    last = desk.prompt.past[-1] if desk.prompt.past else Turn("")
    if desk.now.cart and desk.scene.lists and not last.answer.startswith(wording.EMPTY_CART):
        return "add the second one", "check out"
    if desk.now.cart:
        return "what's in my cart", "check out"
    if desk.scene.lists:
        return "tell me more about the first one", "add the second one"
    if desk.now.orders:
        return "show my orders", "I need hiking boots under 150"
    return "I need waterproof hiking boots under 150", "show me wool socks"
