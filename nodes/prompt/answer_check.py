"""Check the model's text against the ledger, and turn findings into corrections."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, SystemMessage

from daybook.nodes.prompt.compiler import Prompt
from daybook.state.effects.keys import canonical
from daybook.state.ledger.plan import Plan
from daybook.state.people.privacy import redacted
from daybook.tools.domain import Domain
from daybook.tools.receipts.check import Finding, Known
from daybook.tools.receipts.claims import KINDS, EffectKind, kinds_of
from daybook.tools.receipts.lines import receipt_lines

_ASK_AGAIN = (
    "[not shown to the user: your answer contradicts the ledger]\n{corrections}\n"
    "Write the answer once more so that it agrees with this. Do not mention this note."
)


def known_from(
    messages: Iterable[BaseMessage], plans: Sequence[Plan], turn_id: str, domain: Domain
) -> Known:
    """Gather what the model was shown, and what became of the effects of plans.

    Args:
        plans: of the thread, whether or not the prompt tells of them.
        turn_id: the turn that the text belongs to.
    """
    texts: list[str] = []
    for message in messages:
        texts.append(str(message.text))
        if isinstance(message, AIMessage):
            texts += [canonical(call["args"]) for call in message.tool_calls]
    for plan in plans:
        texts += [canonical(dict(step.args)) for step in plan.steps]
        texts += [canonical(dict(step.result)) for step in plan.steps if step.result]
    current = receipt_lines(plan for plan in plans if plan.turn_id == turn_id)
    return Known(
        texts=tuple(texts),
        effects=tuple(receipt_lines(plans)),
        current=tuple(current),
        kinds=effect_kinds(domain),
    )


def effect_kinds(domain: Domain) -> tuple[EffectKind, ...]:
    """Return the kinds of effect that a domain's tools can have."""
    table = (*domain.effect_kinds, *KINDS)
    found = [kind for tool in domain.registry.effects for kind in kinds_of(tool, table)]
    return tuple(kind for kind in table if kind in found)


def asked_again(prompt: Prompt, text: str, findings: Sequence[Finding]) -> list[BaseMessage]:
    """Write what the model is asked where nobody has read its answer yet."""
    return [*prompt.messages, AIMessage(text), note_for(findings)]


def note_for(findings: Sequence[Finding]) -> SystemMessage:
    """Write the note that asks a model for its answer once more."""
    corrections = "\n".join(f"- “{one.quote}”: {one.correction}" for one in findings)
    return SystemMessage(_ASK_AGAIN.format(corrections=corrections))


def findings_payload(findings: Sequence[Finding]) -> list[dict[str, Any]]:
    """Write findings as the ledger holds them, for grades and traces."""
    return [
        {
            "kind": one.kind,
            "about": one.about,
            "quote": redacted(one.quote),
            "correction": redacted(one.correction),
        }
        for one in findings
    ]
