"""A model behind OpenAI's API: what counts as an answer, and the errors if it gives none.

Imported where a provider is set and nowhere else: the import takes a quarter of a start.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from contextvars import ContextVar
from typing import Any, cast

import openai
from langchain_core.exceptions import ContextOverflowError
from langchain_core.language_models import LanguageModelInput
from langchain_core.messages import AIMessage, AIMessageChunk
from langchain_core.messages.tool import invalid_tool_call, tool_call
from langchain_core.outputs import ChatGenerationChunk
from langchain_core.runnables import Runnable, RunnableConfig
from langchain_openai import ChatOpenAI

from daybook.graph.model.request import (
    HINTS,
    caching_of_chat,
    caching_of_responses,
    plain_messages,
    with_breakpoints,
)
from daybook.graph.settings.environment import ModelApi
from daybook.nodes.running.work import Caching
from daybook.state.clock import SYSTEM
from daybook.state.errors import NOTHING_DONE, ModelUnavailable

RETRIES = 2
"""How often an unanswered request is sent again, and how often an interrupted one."""

_SENDABLE = re.compile(r"[a-zA-Z0-9_-]{1,64}")
"""A function's name; the provider refuses a prompt with any other."""

_CHUNKS: ContextVar[list[AIMessageChunk]] = ContextVar("chunks of the stream that is read now")

_TOKENS = "DAYBOOK_MAX_TOKENS"

_FINISHED = frozenset({"stop", "tool_calls", "completed"})
"""How a finished answer ends: a chat completion, one with calls, a response."""

_LENGTH = frozenset({"length", "max_output_tokens"})
"""End of an answer that met the token limit: of a chat completion, and of a response."""

_TOO_LONG = (
    f"The model's answer reached its length limit before it was finished. Raise {_TOKENS}, or the "
    "context length of the model's server, or ask for less at once."
)
_WITHHELD = "The provider withheld the model's answer (content filter). Rephrase the message."
_BROKEN_OFF = "The model's answer was interrupted at every attempt. Try again later."
_MAY_LACK = "Where the server lacks a part of OpenAI's API, set DAYBOOK_MODEL_API=plain."

_UNFINISHED = {**dict.fromkeys(_LENGTH, _TOO_LONG), "content_filter": _WITHHELD}

_NO_TOOLS = re.compile(r"--enable-auto-tool-choice|--tool-call-parser|--jinja", re.IGNORECASE)
"""In the error of a server that was started without support for tool calls."""

_LIMIT = re.compile(r"""\bmax_(?:completion_|output_)?tokens\b(?!["']\s*:)|in the completion\b""")
"""Named by a refusal of the limit; not followed by a colon, as in a request that it repeats."""

_NEWER = re.compile(r"max_completion_tokens\W{0,2} instead")


class Provider(ChatOpenAI):
    """Ask a provider; an answer counts only when the provider said that it is finished.

    Otherwise a stream that is cut within `{"quantity": 12}` would be a decision for one:
    langchain completes the JSON of half a call. Text that met the limit of length stands, without
    its calls.

    Attributes:
        answer_seconds: what one answer may take, with all requests that are made for it.
        api: which parts of OpenAI's API a request uses.
    """

    max_retries: int | None = RETRIES
    stream_usage: bool | None = True
    answer_seconds: float = 180
    api: ModelApi = ModelApi.OPENAI

    @property
    def caching(self) -> Caching:
        """Return how the API that is asked caches prompts."""
        if self.api is ModelApi.PLAIN:
            return Caching()
        responses = self._use_responses_api({})
        return caching_of_responses() if responses else caching_of_chat()

    def bind_tools(
        self, tools: Sequence[Any], **options: Any
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """Offer tools, in OpenAI's function format; arguments that may be left out stay so.

        The responses API wants to be told whether it is to be strict.
        """
        if self.api is not ModelApi.PLAIN:
            tools = [{**tool, "function": {**tool["function"], "strict": False}} for tool in tools]
        return super().bind_tools(tools, **options)

    async def ainvoke(
        self,
        input: LanguageModelInput,
        config: RunnableConfig | None = None,
        *,
        stop: list[str] | None = None,
        **options: Any,
    ) -> AIMessage:
        """Ask, and ask again where the answer broke off.

        Raises:
            ModelUnavailable: there is no finished answer. Neither message nor cause holds the
                provider's own words, which may quote the key or the prompt.
        """
        limit = SYSTEM.timeout(self.answer_seconds)
        try:
            async with limit:
                return await self._ask_until_finished(input, config, stop, options)
        except TimeoutError:
            pass
        # Outside the handler: an error that is raised within it carries the provider's along.
        raise ModelUnavailable(
            f"The model did not finish its answer within {self.answer_seconds:g} s. Ask for less "
            f"in one message, or raise DAYBOOK_ANSWER_SECONDS. {NOTHING_DONE}"
        )

    async def _ask_until_finished(
        self,
        input: LanguageModelInput,
        config: RunnableConfig | None,
        stop: list[str] | None,
        options: dict[str, Any],
    ) -> AIMessage:
        if self.api is ModelApi.PLAIN:
            options = {name: value for name, value in options.items() if name not in HINTS}
        elif isinstance(input, list):
            input = with_breakpoints(self._convert_input(input).to_messages())
        fault = ""
        for _ in range(RETRIES + 1):
            chunks: list[AIMessageChunk] = []
            token = _CHUNKS.set(chunks)
            try:
                # Through langchain, which tells clients of each chunk in the way that they chose.
                answer = await super().ainvoke(input, config, stop=stop, **options)
                whole = chunks[0] + chunks[1:]
            except Exception as error:
                fault = self._told(error, began=bool(chunks))
                # What fails before it began was sent again by the client already, with backoff.
                if isinstance(error, openai.APIStatusError | ModelUnavailable) or (
                    isinstance(error, openai.APIConnectionError | TimeoutError) and not chunks
                ):
                    break
                continue
            finally:
                _CHUNKS.reset(token)
            ended = _ended(chunks)
            if ended in _LENGTH and whole.text.strip():
                return AIMessage(str(whole.text), id=answer.id, usage_metadata=whole.usage_metadata)
            if ended in _FINISHED and (whole.tool_call_chunks or ended != "tool_calls"):
                return _answer(whole, answer.id)
            fault = _UNFINISHED.get(ended, _BROKEN_OFF)
            if ended in _UNFINISHED:
                break
        raise ModelUnavailable(f"{fault} {NOTHING_DONE}")

    async def _astream(self, *args: Any, **options: Any) -> AsyncIterator[ChatGenerationChunk]:
        """Read the provider's stream; text that met the limit of length says so at its end."""
        chunks = _CHUNKS.get([])
        stream = cast(AsyncGenerator[ChatGenerationChunk, None], super()._astream(*args, **options))
        async with aclosing(stream):  # closed early, it ends the request
            async for chunk in stream:
                message = cast(AIMessageChunk, chunk.message)
                # The responses API names only the first chunk: langchain gives all of them one id.
                message.id = None
                about = chunk.generation_info or {}
                message.response_metadata = {**about, **message.response_metadata}
                chunks.append(message)
                yield chunk
        if _ended(chunks) in _LENGTH and any(chunk.text.strip() for chunk in chunks):
            has_calls = any(chunk.tool_call_chunks for chunk in chunks)
            dropped = " No tool call in it was carried out." if has_calls else ""
            line = f"\n\n[The answer was cut off at its limit ({_TOKENS}).{dropped}]"
            chunks.append(AIMessageChunk(content=line))
            yield ChatGenerationChunk(message=chunks[-1])

    def _get_request_payload(
        self, input_: LanguageModelInput, *, stop: list[str] | None = None, **options: Any
    ) -> dict[str, Any]:
        """Write the request as the server takes it."""
        payload = super()._get_request_payload(input_, stop=stop, **options)
        if "messages" not in payload:
            return payload
        if self.api is not ModelApi.OPENAI and "max_completion_tokens" in payload:
            # Many servers ignore the newer name, and then no limit holds.
            payload["max_tokens"] = payload.pop("max_completion_tokens")
        if self.api is ModelApi.PLAIN:
            payload["messages"] = plain_messages(payload["messages"])
        return payload

    def _told(self, error: Exception, *, began: bool) -> str:
        """Tell people what went wrong and what to do, in our words alone."""
        status = f" (HTTP {error.status_code})" if isinstance(error, openai.APIStatusError) else ""
        match error:
            case ModelUnavailable():
                return str(error)
            case openai.APIStatusError() if _NEWER.search(str(error)):
                return (
                    f"The model's provider does not accept `max_tokens`{status}, only its newer "
                    "name. Set DAYBOOK_MODEL_API=openai."
                )
            case openai.APIStatusError() if _LIMIT.search(str(error)):
                return (
                    f"The model's provider did not accept {self.max_tokens} as `max_tokens`"
                    f"{status}. Lower {_TOKENS}, or raise the context length of the model's server."
                )
            case ContextOverflowError():
                return "The conversation is too long for the model. Start a new thread."
            case openai.AuthenticationError() | openai.PermissionDeniedError():
                return f"The model's provider refused the key{status}. Check OPENAI_API_KEY."
            case openai.NotFoundError():
                return (
                    f"The provider does not know the model {self.model_name}{status}. Check "
                    "OPENAI_MODEL, and OPENAI_BASE_URL if it is set."
                )
            case openai.RateLimitError():
                return (
                    f"The model's provider refuses requests for now{status}: they came too fast, "
                    "or the account's quota is used up. Try again later, or check the account."
                )
            case openai.APIStatusError() if _NO_TOOLS.search(str(error)):
                return (
                    f"The model's server does not let models call tools{status}. Start it so that "
                    "it does: vLLM with --enable-auto-tool-choice and --tool-call-parser, "
                    "llama.cpp with --jinja."
                )
            # llama.cpp fails (500) over what a chat template does not take.
            case openai.APIStatusError() if error.status_code >= 500:
                return f"The model's provider failed{status}. Try again later. {_MAY_LACK}"
            case openai.APIStatusError():
                return (
                    f"The model's provider did not accept the request{status}. Check that "
                    f"OPENAI_MODEL and OPENAI_BASE_URL belong together. {_MAY_LACK}"
                )
            case TimeoutError() | openai.APITimeoutError():
                return (
                    f"The model's provider was silent for {self.stream_chunk_timeout:g} s. Wait a "
                    "little, or allow more with DAYBOOK_MODEL_SECONDS."
                )
            case _ if began:
                return _BROKEN_OFF
            case openai.APIConnectionError():
                return (
                    "The model's provider cannot be reached. Check OPENAI_BASE_URL and the network."
                )
            case _:
                return (
                    f"The provider's answer cannot be understood ({type(error).__name__}). Check "
                    "that OPENAI_BASE_URL is the URL of an API like OpenAI's."
                )


def _ended(chunks: Sequence[AIMessageChunk]) -> str:
    """Return how the provider said that the answer ended; empty where it did not say.

    Read from the chunks: merged, a reason that is said twice becomes "stopstop".
    """
    ended = ""
    for chunk in chunks:
        about = chunk.response_metadata
        incomplete = about.get("incomplete_details") or {}
        said = about.get("finish_reason") or incomplete.get("reason") or about.get("status")
        ended = said or ended
    return ended


def _answer(whole: AIMessageChunk, message_id: str | None) -> AIMessage:
    """Make the answer of a finished stream, each call read as the JSON that was sent."""
    calls, invalid = [], []
    for chunk in whole.tool_call_chunks:
        name = chunk["name"] or ""
        name = name if _SENDABLE.fullmatch(name) else "unknown"
        args = _object(chunk["args"])
        if args is None:
            invalid.append(
                invalid_tool_call(name=name, args=chunk["args"], id=chunk["id"], error=None)
            )
        else:
            calls.append(tool_call(name=name, args=args, id=chunk["id"]))
    return AIMessage(
        str(whole.text),
        id=message_id,
        tool_calls=calls,
        invalid_tool_calls=invalid,
        usage_metadata=whole.usage_metadata,
    )


def _object(arguments: str | None) -> dict[str, Any] | None:
    """Read a call's arguments, a JSON object or nothing at all; None if it is neither."""
    if not arguments:
        return {}
    try:
        read = json.loads(arguments, strict=False)
    except (ValueError, RecursionError):
        return None
    return read if isinstance(read, dict) else None
