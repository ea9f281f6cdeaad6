"""A summariser that is no model: it tells what people said, and never what it was not given."""

from __future__ import annotations

import re
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from pydantic import Field

from evals.context.counting import tokens


class Extract(BaseChatModel):
    """Keep the summary before, and the first sentence of each message of the person.

    Where that is more than the limit, the oldest sentences go.

    Attributes:
        limit: tokens of a summary.
        read: tokens of the prompts that it was given so far.
    """

    limit: int = 400
    read: list[int] = Field(default_factory=list)

    @property
    def _llm_type(self) -> str:
        return "extract"

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        (prompt,) = (message.text for message in messages)
        self.read.append(tokens(prompt))
        message = AIMessage(_extract(prompt, self.limit))
        return ChatResult(generations=[ChatGeneration(message=message)])


_HUMAN = re.compile(r'<message type="human">(.*?)</message>', re.DOTALL)
_SUMMARY = "Here is a summary of the conversation to date:"


def _extract(prompt: str, limit: int) -> str:
    sentences: list[str] = []
    for said in _HUMAN.findall(prompt):
        before, is_summary, summary = said.partition(_SUMMARY)
        if is_summary:
            sentences += [line[2:] for line in summary.strip().splitlines() if line[:2] == "- "]
        else:
            sentences.append(re.split(r"(?<=[.?!])\s", before.strip(), maxsplit=1)[0])
    kept: list[str] = []
    for sentence in reversed(sentences):
        line = f"- {sentence}"
        if tokens("\n".join([line, *kept])) > limit:
            break
        kept.insert(0, line)
    return "\n".join(kept) or "- nothing was said"
