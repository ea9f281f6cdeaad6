"""The steps of intents about what is known of the person."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from daybook.demo.model.grammar import wording
from daybook.demo.model.grammar.answers.answering.forgotten import ASK_FORGET
from daybook.demo.model.grammar.desk import Desk, Do, Say, Step, Wish, refused
from daybook.demo.model.grammar.language.intents.past import AskKnown, Forget, ForgetAll, Remember
from daybook.demo.model.grammar.language.words import kind_of
from daybook.demo.model.grammar.seen.digest import Known
from daybook.demo.model.grammar.seen.facts import about, facts_before, facts_now
from daybook.demo.model.grammar.seen.prompt import Call
from daybook.demo.model.grammar.steps.goods.search import words_searched

_KEPT_BY_THE_SHOP: Final = re.compile(
    r"\b(?:cards?|visa|mastercard|cvc|cvv|pin|pass(?:word|phrase|code)s?|address(?:es)?|e-?mail|iban|account)\b"
)
_NOT_NOTED: Final = "I do not note cards, passwords or addresses, so I noted nothing of it."
_NOTHING: Final = (
    "I know nothing about you so far. Tell me what matters, such as “my shoe size is 43”, “I am "
    "allergic to down” or “my budget is 300 dollars”."
)
_HOW_TO_FORGET: Final = (
    "I have forgotten nothing yet, and your cart is as it was. You can say “forget everything you "
    "know about me” or “clear the cart”."
)
_AS_SAID: Final = "yes"
_TAKEN_OUT: Final = "[forgotten]"
_HEADS: Final = {"fact": "", "preference": "preference", "constraint": "limit"}


def remember(intent: Remember, desk: Desk) -> Step:
    """Note what the person states about themselves."""
    if _KEPT_BY_THE_SHOP.search(f"{intent.subject} {intent.value}".lower()):
        return Say(_NOT_NOTED)
    call = desk.take("remember", subject=intent.subject)
    if call is None:
        return desk.ask_for(
            "remember", subject=intent.subject, value=intent.value, kind=intent.kind
        )
    # Whom it is for was told, and not yet what: nothing else would come of it.
    is_open = desk.alone and not desk.now.cart and kind_of(words_searched(desk)) is None
    question = wording.KINDS_SOLD if intent.subject == "occasion" and is_open else ""
    return Say(_told(call, "Noted"), question=question)


def forget(intent: Forget, desk: Desk) -> Step:
    """Forget what is known on a subject; the machine says what it knows where it is not known."""
    words = re.sub(r"['\u2019]s\b", "", intent.subject).split()
    done = [call for call in desk.prompt.turn.calls if call.tool == "forget"]
    meant = about(words, facts_before(desk.prompt))
    if done and (_TAKEN_OUT in desk.prompt.turn.text or (desk.alone and not meant)):
        # What was forgotten is gone from what is known, and from the very text that asked for it.
        return Say("\n".join(_told(call, "Forgotten") for call in done))
    return _forget([known.subject for known in meant] or [intent.subject], desk)


def forget_all(intent: ForgetAll, desk: Desk) -> Step:
    """Forget all that is known; ask first where the cart may be meant as well."""
    if intent.vague:
        return Say(_HOW_TO_FORGET, question=ASK_FORGET)
    known = list(facts_before(desk.prompt))
    return _forget(known, desk) if known else Say(_NOTHING)


def ask_known(intent: AskKnown, desk: Desk) -> Say:
    """Say what is known of the person, or of what has to do with some words."""
    facts = facts_now(desk.prompt)
    if not facts:
        return Say(_NOTHING)
    known: Sequence[Known] = about(intent.words, facts) if intent.words else list(facts.values())
    if intent.kinds:
        known = [one for one in known if one.kind in intent.kinds]
    if not known:
        what = wording.one_line(" ".join(intent.words)) or "that"
        return Say(f"You have told me nothing about “{what}”. {_all(facts.values())}")
    if intent.words and len(known) == 1:
        return Say(f"You told me: {_line(known[0])}.")
    return Say(_all(known))


def _forget(subjects: Sequence[str], desk: Desk) -> Step:
    wishes: list[Wish] = []
    said: list[str] = []
    for subject in subjects:
        call = desk.take("forget", subject=subject)
        if call is not None:
            said.append(_told(call, "Forgotten"))
            continue
        step = desk.ask_for("forget", subject=subject)
        if isinstance(step, Do):
            wishes += step.wishes
        else:
            said.append(step.text)
    return Do(tuple(wishes)) if wishes else Say("\n".join(dict.fromkeys(said)))


def _told(call: Call, done: str) -> str:
    sentence = refused(call)
    if sentence:
        return wording.passed_on(call.tool, sentence)
    line = call.result.partition("memory: ")[2].removeprefix("forgot ")
    return f"{done}: {wording.one_line(line.removesuffix(f': {_AS_SAID}'), 300)}."


def _all(known: Iterable[Known]) -> str:
    lines = [f"- {_line(one)}" for one in known]
    return "\n".join(["This is what I know about you:", *lines])


def _line(known: Known) -> str:
    head = _HEADS.get(known.kind or "", "")
    value = "" if known.value == _AS_SAID else f": {known.value}"
    return wording.one_line(f"{known.subject}{value}", 300) + (f" ({head})" if head else "")
