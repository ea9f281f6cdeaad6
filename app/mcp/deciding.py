"""A model that decides what an MCP client has called, and nothing else: the client's is the model.

So a call meets all that a model's call meets here: positions, rules, the ledger, approvals.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult

_OVER = "That is all."
"""Said when the call was made; what came of it the client reads from the machine."""


@dataclass
class Wanted:
    """A call that a client makes.

    Attributes:
        is_made: it was decided.
        told: what a model would read of what came of it; "" where it has not come to that.
    """

    tool: str
    args: Mapping[str, Any]
    is_made: bool = False
    told: str = ""


_wanted: ContextVar[Wanted | None] = ContextVar("what an MCP client calls", default=None)


@contextmanager
def deciding(wanted: Wanted) -> Iterator[None]:
    """Let the runs in this block decide a call, once."""
    token = _wanted.set(wanted)
    try:
        yield
    finally:
        _wanted.reset(token)


class ClientsModel(BaseChatModel):
    """Decide what a client has called; where nobody has, decide nothing."""

    @property
    def _llm_type(self) -> str:
        return "mcp client"

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Any:
        """Take any tools: who calls was told of them already."""
        return self

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=_decided(messages))])

    async def _agenerate(
        self, messages: list[BaseMessage], *args: Any, **kwargs: Any
    ) -> ChatResult:
        # Here and not in a thread: what is wanted is known to this task.
        return self._generate(messages)


def _decided(messages: Sequence[BaseMessage]) -> AIMessage:
    wanted = _wanted.get()
    if wanted is None:
        return AIMessage(_OVER)
    if not wanted.is_made:
        wanted.is_made = True
        call = {"name": wanted.tool, "args": dict(wanted.args), "id": uuid.uuid4().hex}
        return AIMessage("", tool_calls=[call])
    told = [one.text for one in messages if isinstance(one, ToolMessage)]
    wanted.told = wanted.told or (told[-1] if told else "")
    return AIMessage(_OVER)
