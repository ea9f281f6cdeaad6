"""Put a step in doubt to a reviewer, with the evidence: did this happen?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from langgraph.types import Command

from daybook.nodes.effects.resolve import in_question, question, resolve
from daybook.nodes.questions import answer_to, put
from daybook.nodes.running.work import Work
from daybook.state.people.questions.message import asked_as

Exit = Literal["execute", "doubt"]


async def doubt(state: Mapping[str, Any], work: Work) -> Command[Exit]:
    """Ask a reviewer, and record the answer; it counts only while the step is in doubt."""
    engine = work.engine
    at = await engine.read(state["plan_id"])
    located = in_question(at.plan, at.action)
    if located is None:
        return Command(goto="execute")
    ask = question(engine, at.plan, located, state.get("note", ""))
    work.resources.ended.add(work.session.thread_id)
    answer = answer_to(ask)
    resolved = await resolve(engine, at.plan, located, answer)
    if isinstance(resolved, str):
        # An answer that came first may have changed what is asked.
        now = await engine.read(at.plan.plan_id)
        if in_question(now.plan, now.action) is None:
            return Command(goto="execute")
        return put(now.plan, now.action, state, {"note": resolved}, work)
    # Why an answer could not be taken is of no use behind one that was.
    text = question(engine, at.plan, located).text
    shown = asked_as(text, ask.id, state.get("messages") or ()) if state.get("note") else []
    return Command(update={"note": "", **({"messages": shown} if shown else {})}, goto="execute")
