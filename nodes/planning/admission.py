"""Let a call pass or refuse it in words, by the rules that operators make for tools.

What is sent by a claim is not judged here but in the claim's own transaction
(`daybook.nodes.effects.claim`).
"""

from __future__ import annotations

from daybook.nodes.effects.draft import refuse_if_off
from daybook.nodes.running.work import Work
from daybook.state.errors import ToolBarred
from daybook.state.people.rules import Rules


async def admit(work: Work, rules: Rules, tool: str) -> None:
    """Let one call pass and take its token, before anything of the tool is run.

    Raises:
        ToolBarred: the tool is switched off, or was called too often.
    """
    refuse_if_off(rules, tool)
    if tool in rules and rules[tool].bucket is not None:
        barred = await work.rules.take(tool)
        if barred is not None:
            raise ToolBarred(f"{barred.why}.")
