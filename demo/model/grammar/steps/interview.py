"""The steps of the interview: how it begins, what is noted, and what is asked next."""

from collections.abc import Iterator
from typing import Any, Final

from daybook.demo.model.grammar import wording
from daybook.demo.model.grammar.answers.asked.interview import (
    ASK_CATEGORY,
    ASK_GOAL,
    ASK_OTHERS_SIZE,
    ASK_PRICE,
    ASK_SIZE,
)
from daybook.demo.model.grammar.desk import Desk, Say, Step, refused
from daybook.demo.model.grammar.language.chat.bounds.limits import price_bounds
from daybook.demo.model.grammar.language.intents.goods import NewGoal, Search
from daybook.demo.model.grammar.language.intents.past import Advise, GoOn, NoteBrief
from daybook.demo.model.grammar.language.words import KINDS, plain_noun
from daybook.demo.model.grammar.seen.brief import NO_GOAL, Brief, read_brief
from daybook.demo.model.grammar.seen.facts import budget, facts_now, size_for
from daybook.demo.model.grammar.seen.prompt import question_of
from daybook.demo.model.grammar.steps.goods.search import search

SIZED: Final = frozenset({"hiking-boots", "socks", "jackets"})
"""Categories in which the size matters."""

_MOST_ASKED: Final = 2
"""Times that one question is asked."""

_BEGUN: Final = "Let us find out what you need. You can say “just show me something” at any time."
_HANDED_OVER: Final = "That is all I need to know."


def advise(intent: Advise, desk: Desk) -> Step:
    """Begin the interview."""
    call = desk.take("start_interview")
    if call is None:
        return desk.ask_for("start_interview", goal=intent.goal or NO_GOAL)
    sentence = refused(call)
    return Say(wording.passed_on("start_interview", sentence) if sentence else _BEGUN)


def new_goal(intent: NewGoal, desk: Desk) -> Step:
    """Begin the interview anew where there was one; else it is a search."""
    if desk.now.brief and "start_interview" in desk.offered:
        return advise(Advise(intent.goal), desk)
    return search(intent.search, desk)


def note(intent: NoteBrief, desk: Desk) -> Step:
    """Note what was answered."""
    call = desk.take("note_brief")
    if call is None:
        slots: dict[str, Any] = {
            "goal": intent.goal,
            "category": intent.category,
            "max_price": intent.max_price,
            "size": intent.size,
            "for_whom": intent.for_whom,
            "must_have": list(intent.must_have) or None,
        }
        return desk.ask_for("note_brief", **slots)
    sentence = refused(call)
    return Say(wording.passed_on("note_brief", sentence) if sentence else "")


def go_on(intent: GoOn, desk: Desk) -> Step:
    """Note what is known already, ask the next question, or hand over."""
    brief = read_brief(desk.now.brief)
    call = desk.take("hand_over")
    if call is not None:
        sentence = refused(call)
        return Say(wording.passed_on("hand_over", sentence) if sentence else _HANDED_OVER)
    known = dict(_known(brief, desk))
    if known and not any(refused(call) for call in desk.prompt.turn.calls):
        return desk.ask_for("note_brief", **known)
    question = "" if intent.declined or intent.wish else _next_question(intent, brief, desk)
    if question:
        return Say(_lead(question, desk), question=question)
    declined = intent.declined or not (intent.wish or (brief.goal and brief.category))
    return desk.ask_for("hand_over", declined=declined or None, wish=intent.wish or None)


def by_brief(brief: Brief) -> Search:
    """Return the search that a brief asks for."""
    words = (*brief.must_have, *plain_noun(brief.category).split())
    return Search(" ".join(dict.fromkeys(words)), brief.category, brief.max_price)


def _known(brief: Brief, desk: Desk) -> Iterator[tuple[str, Any]]:
    """Yield the slots that need not be asked for: the goal or the memory tells them."""
    facts = facts_now(desk.prompt)
    category = brief.category or brief.named_category
    if category and not brief.category:
        yield "category", category
    limit = budget(facts) or price_bounds(brief.goal.lower())[1]
    if limit and brief.max_price is None:
        yield "max_price", limit
    other = brief.for_whom or brief.named_person
    if other and not brief.for_whom:
        yield "for_whom", other
    size = size_for(category.split("-"), facts) if category in SIZED and not other else ""
    if size and not brief.size:
        yield "size", size


def _next_question(intent: GoOn, brief: Brief, desk: Desk) -> str:
    """Return the first question whose slot is empty and was not left open, or ""."""
    asked = [question_of(turn) for turn in desk.prompt.past]
    needed = (
        (ASK_GOAL, brief.goal in ("", NO_GOAL)),
        (ASK_CATEGORY, not brief.category),
        (ASK_PRICE, brief.max_price is None),
        (
            ASK_OTHERS_SIZE if brief.for_whom else ASK_SIZE,
            brief.category in SIZED and not brief.size,
        ),
    )
    for question, is_empty in needed:
        times, is_last = asked.count(question), asked[-1:] == [question]
        left_open = times >= _MOST_ASKED or (times > 0 and (intent.skipped or not is_last))
        if is_empty and not left_open:
            return question
    return ""


def _lead(question: str, desk: Desk) -> str:
    if question == ASK_CATEGORY:
        return f"There are {', '.join(plain_noun(kind) for kind in KINDS)}."
    begins = not desk.prompt.turn.text and not desk.prompt.past
    return _BEGUN if begins else ""
