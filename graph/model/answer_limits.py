"""Limits of one answer of a model: its tokens and its time. Text that was streamed stands."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping
from contextlib import aclosing, contextmanager
from contextvars import ContextVar
from typing import Any

from langchain_core.messages import AIMessageChunk
from langchain_core.outputs import ChatGenerationChunk

from daybook.state.clock import SYSTEM
from daybook.state.errors import ModelUnavailable

TOKENS = "DAYBOOK_MAX_TOKENS"
SECONDS = "DAYBOOK_ANSWER_SECONDS"

CUT_OFF = "cut_off"
"""Key in `response_metadata` of the last chunk of an answer that met a limit: the setting."""

TOO_LONG = (
    f"The model's answer reached its length limit before it was finished. Raise {TOKENS}, or the "
    "context length of the model's server, or ask for less at once."
)

_LENGTH = frozenset({"length", "max_output_tokens"})
"""End of an answer that met the token limit: of a chat completion, and of a response."""

_DEADLINE: ContextVar[float | None] = ContextVar("deadline of the answer", default=None)
"""A moment of `Clock.monotonic`. One answer may take several requests."""


@contextmanager
def one_answer(seconds: float) -> Iterator[None]:
    """Let all streams that are read in this block share one deadline.

    Args:
        seconds: from now.
    """
    token = _DEADLINE.set(SYSTEM.monotonic() + seconds)
    try:
        yield
    finally:
        _DEADLINE.reset(token)


async def limited(
    stream: AsyncGenerator[ChatGenerationChunk, None], seconds: float
) -> AsyncIterator[ChatGenerationChunk]:
    """Yield a stream until its end or its deadline.

    Where it met a limit after some text, a last chunk says so and names the setting; its tool calls
    are not to be carried out.

    Args:
        seconds: from now, where the stream is not read within `one_answer`.

    Raises:
        ModelUnavailable: the time was over before any text.
    """
    deadline = _DEADLINE.get()
    if deadline is None:
        deadline = SYSTEM.monotonic() + seconds
    has_text = has_calls = is_late = False
    end, message_id = "", None
    async with aclosing(stream):  # closed early, it ends the request
        while True:
            limit = SYSTEM.timeout(max(0.0, deadline - SYSTEM.monotonic()))
            try:
                async with limit:
                    chunk = await anext(stream, None)
            except TimeoutError:
                if not limit.expired():
                    raise
                is_late = not end  # after the end only the closing of the stream is missing
                break
            if chunk is None:
                break
            message = chunk.message
            has_text = has_text or bool(message.text.strip())
            has_calls = has_calls or bool(getattr(message, "tool_call_chunks", ()))
            about = {**(chunk.generation_info or {}), **message.response_metadata}
            end, message_id = end_of(about) or end, message.id or message_id
            yield chunk
    if is_late and not has_text:
        raise ModelUnavailable(
            f"The model gave no answer within {seconds:g} s. Ask for less at once, or allow more "
            f"with {SECONDS}."
        )
    if has_text and (is_late or end in _LENGTH):
        line = _line(f"after {seconds:g} s ({SECONDS})" if is_late else f"({TOKENS})", has_calls)
        yield ChatGenerationChunk(
            message=AIMessageChunk(
                content=line,
                id=message_id,
                response_metadata={CUT_OFF: SECONDS if is_late else TOKENS},
            )
        )


def end_of(about: Mapping[str, Any]) -> str:
    """Return how the provider said that the answer ended; empty where it does not say.

    Args:
        about: what one chunk says of the answer (`response_metadata`).
    """
    incomplete = about.get("incomplete_details") or {}
    return about.get("finish_reason") or incomplete.get("reason") or about.get("status") or ""


def _line(where: str, has_calls: bool) -> str:
    dropped = " No tool call in it was carried out." if has_calls else ""
    return f"\n\n[The answer was cut off at its limit {where}.{dropped}]"
