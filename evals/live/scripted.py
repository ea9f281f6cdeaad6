"""A model that replies with the decisions beside each conversation, to test the harness."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from evals.live.judging import Conversation, Decision
from evals.model_server import Message, Unanswerable, calls_of, text_of

_ORDER = re.compile(r"\bDB-\d+\b")


class Scripted:
    """Reply as is written; the conversation is recognised by its first user message."""

    def __init__(self, known: Sequence[Conversation]) -> None:
        self._known = known

    def reply(self, request: Mapping[str, Any]) -> Message:
        """Answer one request (a model of `evals.model_server`).

        Raises:
            Unanswerable: no decision is written for it.
        """
        messages = request["messages"]
        texts = [text_of(one) for one in messages]
        first = next(t for m, t in zip(messages, texts, strict=True) if m["role"] == "user")
        # For a server without system messages, their text is appended to it.
        one = next((one for one in self._known if first.startswith(one.lines[0].said)), None)
        if one is None:
            raise Unanswerable(f"no conversation begins with {first}")
        decided = self.decided(one, _decided_in(messages, one.decides))
        return message_of(decided, texts)

    def decided(self, one: Conversation, at: int) -> Decision:
        """Return a decision by its number.

        Raises:
            Unanswerable: there are not so many.
        """
        if at >= len(one.decides):
            raise Unanswerable(f"{one.name} has {len(one.decides)} decisions, and not one more")
        return one.decides[at]


def _decided_in(messages: Sequence[Mapping[str, Any]], decides: Sequence[Decision]) -> int:
    """Count the decisions in a prompt; calls in a message each are one decision still."""
    shown = [len(m.get("tool_calls") or ()) for m in messages if m["role"] == "assistant"]
    at = 0
    while shown:
        calls = decides[at] if at < len(decides) else ""
        is_split = not isinstance(calls, str) and shown[0] == 1
        del shown[: len(calls) if is_split else 1]
        at += 1
    return at


def message_of(decided: Decision, texts: Sequence[str]) -> Message:
    """Return a decision as a message of the OpenAI API.

    Args:
        texts: of the prompt; its order ids replace `{order}` (the last) and `{first order}`.
    """
    orders = list(dict.fromkeys(_ORDER.findall("\n".join(texts))))
    written = json.dumps(decided, ensure_ascii=False)
    if orders:
        written = written.replace("{order}", orders[-1]).replace("{first order}", orders[0])
    said = json.loads(written)
    if isinstance(said, str):
        return {"role": "assistant", "content": said}
    return calls_of(said)
