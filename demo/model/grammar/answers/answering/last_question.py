"""What this turn says as an answer to the last question, where it is one."""

import re
from collections.abc import Sequence
from typing import Final

from daybook.demo.model.grammar.answers.answering.bought import (
    bought_as_offered,
    had_and_bought,
    of_no_card,
)
from daybook.demo.model.grammar.answers.answering.budget import within_budget
from daybook.demo.model.grammar.answers.answering.called import of_that_name
from daybook.demo.model.grammar.answers.answering.cancelled import of_an_order
from daybook.demo.model.grammar.answers.answering.counted import counted_again, counted_once
from daybook.demo.model.grammar.answers.answering.forgotten import (
    ASK_FORGET,
    has_forgotten,
    to_forget,
)
from daybook.demo.model.grammar.answers.answering.promised import of_returning
from daybook.demo.model.grammar.answers.answering.regretted import regretted, taken_back
from daybook.demo.model.grammar.answers.asked.asked_too import as_before, not_sent, of_both
from daybook.demo.model.grammar.answers.asked.bumped import answered
from daybook.demo.model.grammar.answers.asked.choice import (
    can_mean_nothing_else,
    chosen,
    pending_choice,
)
from daybook.demo.model.grammar.answers.asked.completing import completed, names_another
from daybook.demo.model.grammar.answers.asked.consenting import (
    consented_to,
    counts_for_each,
    only_takes_note,
)
from daybook.demo.model.grammar.answers.asked.interview import INTERVIEWER, answers, of_one
from daybook.demo.model.grammar.answers.asked.offered import (
    LISTS,
    asked_of_it,
    fewer_of_one,
    forgetting,
    only_that,
    pointing,
    wanted_as_offered,
    wanted_politely,
)
from daybook.demo.model.grammar.answers.asked.questions import ASK_ADD, agreed
from daybook.demo.model.grammar.answers.briefly import briefly
from daybook.demo.model.grammar.answers.looking.told_limits import below_what_was_told
from daybook.demo.model.grammar.language.intents.goods import Mention
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.orders import (
    AskPolicy,
    CancelOrder,
    ChooseAgain,
    OrderNews,
    ShowOrders,
)
from daybook.demo.model.grammar.language.intents.past import NoMatter
from daybook.demo.model.grammar.language.intents.references import Extreme
from daybook.demo.model.grammar.language.intents.talk import Agree, NotUnderstood, Refuse, Talk
from daybook.demo.model.grammar.language.reading import strictly, understand
from daybook.demo.model.grammar.language.tokens import tokenise
from daybook.demo.model.grammar.language.words import HEDGES
from daybook.demo.model.grammar.seen.listed import ASK_AGAIN, opened_last
from daybook.demo.model.grammar.seen.ordered import asked_among, order_named
from daybook.demo.model.grammar.seen.prompt import Prompt, question_of
from daybook.demo.model.grammar.seen.scene import scene_of

_LEAVES: Final = re.compile(r"\W*(?:no|nah|nope)\b")
_SKIPS: Final = re.compile(r"(?:skip|pass on|drop) (?:it|that|this|them)(?: then)?", re.IGNORECASE)
_ASKS_TO_ADD: Final = "Which one shall I add"


def to_last_question(text: str, prompt: Prompt) -> tuple[Intent, ...]:
    """Read what this turn says as an answer to the last question, where it is one.

    An answer is read by the rules alone; what is none may be read loosely.
    """
    intents: Sequence[Intent] = strictly(text)
    if prompt.now.owner == INTERVIEWER:
        loose = understand(text)
        if any(isinstance(one, AskPolicy | OrderNews | ShowOrders) or of_one(one) for one in loose):
            # What is asked of the shop, or of one of its goods, is no answer to the interviewer.
            intents = loose
        return answers(intents, prompt)
    to_machine = answered(intents, prompt)
    if to_machine is not None:
        return to_machine
    question = question_of(prompt.past[-1]) if prompt.past else ""
    among = asked_among(prompt.past[-1]) if prompt.past else []
    if among:
        named = order_named(intents, among, CancelOrder(some=True), prompt.turn.text)
        if named is not None:
            return named
    pending = pending_choice(prompt)
    if pending is not None and intents:
        plain = [_plain(intent) for intent in intents]
        choice = chosen(plain, pending, prompt.turn.text)
        if choice is not None:
            return (choice,)
        if pending.numbered and all(can_mean_nothing_else(intent) for intent in plain):
            return (ChooseAgain(),)
    brief = briefly(text, prompt)
    if brief is not None:
        return brief
    intents = understand(text)
    is_offer = ASK_ADD.fullmatch(question) or question.startswith(_ASKS_TO_ADD)
    is_talk = any(isinstance(one, Talk) for one in intents)
    names = all(isinstance(one, Mention) for one in strictly(text))
    if question and not (is_offer or is_talk) and names:
        # A please beside what is named makes no other wish of the answer to another question.
        intents = strictly(text)
    intents = [asked_of_it(_plain(intent), prompt) for intent in intents]
    intents = [wanted_as_offered(intent, question, prompt) for intent in intents]
    intents = [forgetting(only_that(intent, prompt), prompt) for intent in intents]
    intents = [fewer_of_one(intent, prompt) for intent in intents]
    if len(intents) == 1:
        intents = [wanted_politely(intents[0], prompt)]
    if question == ASK_FORGET or has_forgotten(intents, prompt):
        intents = [meant for intent in intents for meant in to_forget(intent, prompt.turn.text)]
    intents = [of_an_order(intent, prompt) for intent in intents]
    if question == ASK_AGAIN and any(isinstance(intent, Agree) for intent in intents):
        again = opened_last(prompt)
        intents = [again if isinstance(i, Agree) and again is not None else i for i in intents]
    intents = [one for intent in intents for one in as_before(intent, prompt)]
    intents = [of_returning(intent, prompt) for intent in intents]
    intents = [of_both(intent, text, prompt) for intent in intents]
    if pending is None:
        intents = [of_no_card(not_sent(intent, text), text) for intent in intents]
    intents = [counted_again(intent, prompt, question) for intent in intents]
    if question.startswith("Which one"):
        intents = [pointing(intent, prompt) for intent in intents]
    intents = had_and_bought(intents, prompt)
    intents = [one for intent in intents for one in bought_as_offered(intent, prompt, question)]
    intents = [regretted(intent, prompt, question) for intent in intents]
    intents = within_budget(intents, prompt)
    intents = [below_what_was_told(intent, prompt) for intent in intents]
    if only_takes_note(intents, prompt.turn.text):
        return (Talk("leave"),)
    asked = consented_to(question, intents, prompt.turn.text)
    meant = [one for intent in taken_back(intents) for one in _agreed(intent, asked)]
    others = [intent for intent in meant if not isinstance(intent, Agree | Refuse)]
    if not others:
        return tuple(meant[:1])
    left = _LEAVES.match(prompt.turn.text.lower()) is not None
    lists = not left or (bool(prompt.past) and LISTS.search(prompt.past[-1].answer) is not None)
    if prompt.turn.text.rstrip().endswith("?"):
        # What is asked is no answer to an offer: "the cheapest of the 3?"
        asked_of = [isinstance(one, Mention) and isinstance(one.item, Extreme) for one in others]
        question = "" if ASK_ADD.fullmatch(question) and any(asked_of) else question
    question = "" if counts_for_each(question, prompt.turn.text) else question
    scene = scene_of(prompt)
    counted = counted_once(_once(others, intents), question)
    wishes = [of_that_name(intent, question, prompt) for intent in counted]
    return tuple(
        intent
        if names_another(intent, question, scene)
        else completed(intent, question, scene, lists=lists)
        for intent in wishes
    )


def _plain(intent: Intent) -> Intent:
    """Take "I don't care" for what it is where nothing was asked: it may mean anything."""
    if not isinstance(intent, NoMatter):
        return intent
    if _SKIPS.fullmatch(intent.text):
        return Talk("leave")
    words = {token.text for token in tokenise(intent.text)}
    return NotUnderstood(intent.text, hedged=bool(words & HEDGES))


def _agreed(intent: Intent, question: str) -> tuple[Intent, ...]:
    """Return what a yes means after a question; what is no yes stands."""
    return (agreed(question) if isinstance(intent, Agree) else ()) or (intent,)


def _once(meant: Sequence[Intent], said: Sequence[Intent]) -> list[Intent]:
    """Drop what a yes stands for where the user says it too: "yes, add it" adds once."""
    kinds = {type(intent) for intent in said}
    return [intent for intent in meant if intent in said or type(intent) not in kinds]
