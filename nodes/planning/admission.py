"""Let a call pass or refuse it in words, by the rules that operators make for tools.

What is sent by a claim is not judged here but in the claim's own transaction
(`daybook.nodes.sending.claim`).
"""

from __future__ import annotations

from daybook.nodes.running.work import Work
from daybook.state.errors import ToolBarred
from daybook.state.people.rules import Barred, Rules


def refuse_if_off(rules: Rules, tool: str) -> None:
    """Refuse a call of a tool that is switched off.

    Raises:
        ToolBarred: it is.
    """
    if tool in rules:
        _refuse(rules[tool].off)


async def admit(work: Work, rules: Rules, tool: str) -> None:
    """Let one call pass and take its token, before anything of the tool is run.

    Raises:
        ToolBarred: the tool is switched off, or was called too often.
    """
    refuse_if_off(rules, tool)
    if tool in rules and rules[tool].bucket is not None:
        _refuse(await work.rules.take(tool))


def _refuse(barred: Barred | None) -> None:
    if barred is not None:
        raise ToolBarred(f"{barred.why}.")
