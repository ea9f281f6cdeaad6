"""What a text decides by itself, where nothing else is open that it may answer."""

import re
from typing import Final

from daybook.demo.model.grammar.answers.asked.bumped import answered
from daybook.demo.model.grammar.answers.asked.choice import pending_choice
from daybook.demo.model.grammar.answers.asked.interview import INTERVIEWER
from daybook.demo.model.grammar.answers.asked.questions import ASK_ADD, agreed
from daybook.demo.model.grammar.answers.deciding.altering.altered import altered
from daybook.demo.model.grammar.answers.deciding.altering.recounted import (
    count_that_was_right,
    recounted_lines,
)
from daybook.demo.model.grammar.answers.deciding.buying import bought_at_last, cancelled_at_last
from daybook.demo.model.grammar.answers.deciding.decided import decided
from daybook.demo.model.grammar.answers.deciding.size import size_gone, size_now
from daybook.demo.model.grammar.answers.deciding.summed import as_summed
from daybook.demo.model.grammar.answers.looking.comparing import compared
from daybook.demo.model.grammar.answers.looking.those import of_those
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.plain import tokens_of
from daybook.demo.model.grammar.language.reading import strictly
from daybook.demo.model.grammar.seen.ordered import asked_among
from daybook.demo.model.grammar.seen.prompt import Prompt, question_of


def decided_at_once(text: str, prompt: Prompt) -> tuple[Intent, ...] | None:
    """Return a decision, where nothing else is open that the text may answer."""
    if prompt.now.owner == INTERVIEWER or answered(strictly(text), prompt) is not None:
        return None
    if _TAKES_BACK.search(text.lower()):
        return None
    pending = pending_choice(prompt)
    is_open = pending is not None and pending.numbered
    among = asked_among(prompt.past[-1]) if prompt.past else []
    if is_open or among:
        return None
    if (size := size_now(text, prompt) or size_gone(text, prompt)) is not None:
        return (size,)
    if (those := of_those(text, prompt)) is not None:
        return (those,)
    counts = count_that_was_right(text, prompt) or recounted_lines(text, prompt)
    if counts is not None:
        return counts
    if _KEEPS.match(text.lower()) and (kept := altered(text, prompt)) is not None:
        return kept
    if (differ := compared(text, prompt)) is not None:
        return differ
    offered = question_of(prompt.past[-1]) if prompt.past else ""
    plain = " ".join(token.text for token in tokens_of(text))
    if ASK_ADD.fullmatch(offered) and _DOES.fullmatch(plain):
        return agreed(offered)
    if _DOES.fullmatch(plain) or _ALL_IN.fullmatch(plain):
        summed = as_summed(prompt, several=_ALL_IN.fullmatch(plain) is not None)
        if summed:
            return summed
    acts = bought_at_last(text, prompt) or cancelled_at_last(text, prompt)
    return acts or altered(text, prompt) or decided(text, prompt)


_KEEPS: Final = re.compile(
    r"\W*(?:(?:ok|okay|then|well|so|no|actually|hm+|right|sorry|please|now)\b\W*)*"
    r"(?:only|just|keep|leave)\b"
)
_ALL_IN: Final = re.compile(
    r"(?:(?:yes|yeah|yep|ok|okay|sure|right|alright|fine|good|great|deal|sold|perfect"
    r"|do (?:it|that)|so|and|then|please|let us do (?:it|that)|[,.!]) )*"
    r"(?:(?:(?:i|we) (?:will|would like to) )?"
    r"(?:put|add|take|get|have|want|order|throw|pop)(?: me)? )?"
    r"(?:(?:it|them|that|those|these|everything|the (?:lot|whole lot)) all"
    r"|all(?: of (?:it|them|that|those|these))?|everything|the (?:lot|whole lot)|them|those)"
    r"(?: (?:please|then|now|in(?:to)?(?: (?:my|the) (?:cart|basket))?"
    r"|to (?:my|the) (?:cart|basket)|[.!]))*"
)
"""What is a wish for all of what was summed up: "deal. All in the cart"."""
_DOES: Final = re.compile(
    r"(?:(?:yes|yeah|yep|ok|okay|sure|right|alright|fine|good|great|well|oh|ah|haha|lol|so|and|then"
    r"|please|go on|cool|perfect|lovely|just|you know what|[.,!]) )*"
    r"(?:do (?:it|that|this|so)|let us do (?:it|that|this)|go ahead(?: with (?:it|that|this))?"
    r"|go for it|please do|make it so|make it happen|in with it|in (?:it|they) goe?s?|treat myself"
    r"|(?:that is )?good enough(?: for me)?|why not)"
    r"(?: (?:please|then|thanks|thank you|for me|now|mate|[.!]))*"
)
"""What is a yes to an offer, though it says neither yes nor what."""
_TAKES_BACK: Final = re.compile(
    r"\w[\s.,;!?-]+(?:(?:no|oh|wait|ah|actually|sorry|nah|hm+|i am|i'?m|ok|just)\b[\s,.]*)*"
    r"(?:do ?n'?t|do not|kidding|joking|jk|never ?mind|nvm|scratch that|forget (?:it|that)"
    r"|leave it)"
    r"(?: (?:do )?(?:that|it))?\W*$"
)
"""What takes back at its end what a message began with: "add the second. Actually don't"."""
