"""Hold an answer of the model against its prompt, and against what became of the plans."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolCall,
    ToolMessage,
)

from daybook.nodes.prompt.compiler import Prompt, said_in
from daybook.state.effects.keys import canonical
from daybook.state.errors import ToolRefused
from daybook.state.ledger.plan import Plan
from daybook.state.people.privacy.redaction import redacted
from daybook.tools.domain import Domain
from daybook.tools.said.check import Hearing, Untrue, corrected, untrue_in
from daybook.tools.said.grammar.kinds import Kind, kinds_of
from daybook.tools.said.known import Effect, Known, effects_of, known

_SAY_AGAIN = (
    "[not shown to the person: what you wrote is not so]\n"
    "{complaints}\n"
    "Write your answer once more, in words that agree with this. Say nothing of this note."
)
_ABOUT_NOW = 'What is so now stands under "# Now".'

_LAST_WORDS = 120
"""Characters of what was read already by which its end is found."""

_GO_ON = (
    " The person has read its beginning already, as far as “{last}”: write only what goes on from "
    "there."
)


def known_in(prompt: Prompt, plans: Iterable[Plan], turn_id: str, domain: Domain) -> Known:
    """Gather what is known when an answer is given: what its prompt showed, and the plans."""
    instructions, *rest = prompt.messages
    plans = [*plans]
    results = [str(one.text) for one in rest if not isinstance(one, HumanMessage | AIMessage)]
    results += [canonical(dict(step.args)) for plan in plans for step in plan.steps]
    words = [one.text for one in rest if isinstance(one, HumanMessage)]
    # What was said before was held against what is known then.
    before = [one.text for one in rest if isinstance(one, AIMessage)]
    # What was looked for: "up to 28.94 USD".
    asked = [canonical(call["args"]) for one in rest for call in _read_calls(one, domain)]
    return known(
        results,
        words,
        effects=outcomes_in(plans, turn_id, domain),
        kinds=kinds_in(domain),
        beside=[instructions.text, *before, *asked],
        lines=_lines(rest, domain),
    )


def _read_calls(message: BaseMessage, domain: Domain) -> list[ToolCall]:
    calls = message.tool_calls if isinstance(message, AIMessage) else []
    return [call for call in calls if _reads(call["name"], domain)]


def _lines(messages: Sequence[BaseMessage], domain: Domain) -> Iterator[str]:
    """Yield what the machine told of calls: what came of those that act, and why some were refused.

    What a read returned is others' words.
    """
    tools = {
        call["id"]: call["name"]
        for one in messages
        if isinstance(one, AIMessage)
        for call in one.tool_calls
    }
    for one in messages:
        if isinstance(one, ToolMessage):
            tool = tools.get(one.tool_call_id, "")
            if one.text.startswith(f"{tool} refused") or not _reads(tool, domain):
                yield from one.text.split("\n")


def _reads(tool: str, domain: Domain) -> bool:
    try:
        return domain.registry.offered(tool).kind == "read"
    except ToolRefused:
        return True


def kinds_in(domain: Domain) -> tuple[Kind, ...]:
    """Return the kinds of effect that a domain can have."""
    kinds = [kind for tool in domain.registry.effects for kind in kinds_of(tool)]
    return tuple({kind.name: kind for kind in kinds}.values())


def outcomes_in(plans: Sequence[Plan], turn_id: str, domain: Domain) -> Iterator[Effect]:
    """Yield what became of the effects of plans, with what the machine says of each."""
    over = [plan for plan in plans if plan.over and plan.actions]
    told = {plan.plan_id: " ".join(_told(plan, domain)) for plan in over}
    return effects_of(plans, turn_id, told)


def _told(plan: Plan, domain: Domain) -> list[str]:
    return [f"{domain.outcome_line(action).rstrip('.')}." for action in plan.actions]


def acts(decided: Mapping[str, Any], domain: Domain) -> bool:
    """Tell whether a decision calls anything but reads."""
    return any(not _reads(call["name"], domain) for call in decided["calls"])


def untrue(
    text: str, known_: Known, domain: Domain, state: Mapping[str, Any], read: int = 0
) -> list[Untrue]:
    """Find what of an answer contradicts what is known.

    Args:
        read: characters of its beginning that somebody has read already, and held then.
    """
    found = untrue_in(text, known_, partial(domain.denied, state))
    return [replace(one, start=max(one.start, read)) for one in found if one.end > read]


def hearing(known_: Known, domain: Domain, state: Mapping[str, Any]) -> Hearing:
    """Make what holds an answer against what is known while it comes."""
    return Hearing(known_, partial(domain.denied, state))


def would_be_read(decided: Mapping[str, Any], domain: Domain, state: Mapping[str, Any]) -> str:
    """Return what a person would read of a decision: nothing of one that calls."""
    if decided["calls"] or not decided["text"].strip():
        return ""
    words = said_in(state).get(state["turn"]["turn_id"], "")
    return "\n\n".join(domain.answered(state, words, decided["text"]))


def once_more(
    prompt: Prompt, text: str, found: Sequence[Untrue], read: str = ""
) -> list[BaseMessage]:
    """Write what the model is asked when its answer contradicts what is known.

    Args:
        read: the beginning of the answer that the person has read already.
    """
    note = f"{noted(found)} {_ABOUT_NOW}"
    note += _GO_ON.format(last=read[-_LAST_WORDS:].strip()) if read else ""
    return [*prompt.messages, AIMessage(text), SystemMessage(note)]


def noted(found: Sequence[Untrue]) -> str:
    """Write the note that asks the model for its answer once more, with what is so."""
    complaints = "\n".join(f"- “{one.text.strip()}”: {one.so}" for one in found)
    return _SAY_AGAIN.format(complaints=complaints)


def set_right(
    decided: Mapping[str, Any], text: str, found: Sequence[Untrue], read: int = 0
) -> dict[str, Any]:
    """Return a decision whose answer says first what is so, without what contradicts it.

    Args:
        read: characters of its beginning that somebody has read already; they stand before that.
    """
    found = [replace(one, start=one.start - read, end=one.end - read) for one in found]
    right = corrected(text[read:], found)
    return {**decided, "text": redacted("\n\n".join(filter(None, (text[:read], right))))}


def refused_words(text: str, found: Sequence[Untrue]) -> dict[str, Any]:
    """Write down what was not let through, and why, for the ledger."""
    # What is so is told in the words of what was read.
    return {"text": text, "why": [redacted(one.so) for one in found]}
