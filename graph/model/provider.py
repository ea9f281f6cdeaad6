"""A model behind OpenAI's API: what counts as its answer, and what is told where it gives none.

Imported where a provider is set and nowhere else: the import takes a quarter of a start.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextvars import ContextVar
from typing import Any, Self, TypeAlias, cast

import openai
from langchain_core.exceptions import ContextOverflowError
from langchain_core.language_models import LanguageModelInput
from langchain_core.messages import AIMessage, AIMessageChunk
from langchain_core.messages.tool import invalid_tool_call, tool_call
from langchain_core.outputs import ChatGenerationChunk
from langchain_core.runnables import Runnable, RunnableConfig
from langchain_openai import ChatOpenAI
from openai._streaming import ServerSentEvent, SSEDecoder
from pydantic import PrivateAttr, model_validator

from daybook.graph.model.answer_limits import (
    CUT_OFF,
    TOKENS,
    TOO_LONG,
    end_of,
    limited,
    one_answer,
)
from daybook.graph.model.caching import (
    HINTS,
    caching_of_chat,
    caching_of_responses,
    with_breakpoints,
)
from daybook.graph.model.plainer import NO_TOOLS, Part, mended, named_in, without
from daybook.nodes.running.work import Caching
from daybook.state.errors import NOTHING_DONE, ModelUnavailable

_Stream: TypeAlias = AsyncGenerator[ChatGenerationChunk, None]

RETRIES = 2
"""How often a request that was not answered is sent again, and how often one that broke off is."""

_SENDABLE = re.compile(r"[a-zA-Z0-9_-]{1,64}")
"""A function's name; a prompt with any other is refused by the provider, for ever."""


_LAST_WORDS: ContextVar[list[str]] = ContextVar("last words of the stream that is read now")

_CHUNKS: ContextVar[list[AIMessageChunk]] = ContextVar("chunks of the stream that is read now")

_LEFT_OUT: ContextVar[frozenset[Part]] = ContextVar("parts of a request", default=frozenset())
"""What the request that is sent now does without."""

_LAST = re.compile(r'^\[DONE\]|"type":\s*"response\.completed"')
"""Of a chat completion, and of a response; within text the quotes would have backslashes."""


class _Decoder(SSEDecoder):
    """Note the last word of a stream, which neither client nor langchain passes on.

    Calls that are written otherwise than OpenAI does are passed on as OpenAI writes them.
    """

    def decode(self, line: str) -> ServerSentEvent | None:
        event = super().decode(line)
        if event is None:
            return None
        if _LAST.search(event.data):
            _LAST_WORDS.get().append(_DONE)
        whole = mended(event.data)
        if whole is event.data:
            return event
        return ServerSentEvent(event=event.event, data=whole, id=event.id, retry=event.retry)


class Provider(ChatOpenAI):
    """Ask a provider; an answer counts only when the provider said that it is finished.

    Otherwise a stream that is cut within `{"quantity": 12}` would be a decision for one:
    langchain completes the JSON of half a call. Some servers give no reason for the end, and end
    with `[DONE]` all the same. Text that met a limit of length or time stands, without its calls.

    Attributes:
        answer_seconds: what one answer may take, with all requests that are made for it.
    """

    answer_seconds: float = 180
    _left_out: frozenset[Part] = PrivateAttr(default=frozenset())

    @property
    def caching(self) -> Caching:
        """Return how the API that is asked caches prompts."""
        responses = self._use_responses_api({})
        return caching_of_responses() if responses else caching_of_chat()

    @model_validator(mode="after")
    def _watch_last_words(self) -> Self:
        self.root_async_client._make_sse_decoder = _Decoder
        return self

    def bind_tools(
        self, tools: Sequence[Any], **options: Any
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """Offer tools, in OpenAI's function format; arguments that may be left out stay so.

        The responses API wants to be told whether it is to be strict.
        """
        told = [{**tool, "function": {**tool["function"], "strict": False}} for tool in tools]
        return super().bind_tools(told, **options)

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
        with one_answer(self.answer_seconds):
            return await self._ask_until_finished(input, config, stop, options)

    async def _ask_until_finished(
        self,
        input: LanguageModelInput,
        config: RunnableConfig | None,
        stop: list[str] | None,
        options: dict[str, Any],
    ) -> AIMessage:
        fault, left_out = "", self._left_out
        begun = 0
        while begun <= RETRIES:
            hinted, options = _hinted(self, input, options, left_out)
            chunks: list[AIMessageChunk] = []
            last_words: list[str] = []
            _LAST_WORDS.set(last_words)
            _LEFT_OUT.set(left_out)
            _CHUNKS.set(chunks)
            try:
                # Through langchain, which tells clients of each chunk in the way that they chose.
                answer = await super().ainvoke(hinted, config, stop=stop, **options)
                whole = chunks[0] + chunks[1:]
            except Exception as error:
                fault = self._told(error, began=bool(chunks))
                if more := self._unknown_to_it(error, left_out):
                    # Asked at once without them, which is another request and no second try.
                    left_out |= more
                    continue
                begun += 1
                # What fails before it began was sent again by the client already, with backoff.
                if isinstance(error, openai.APIStatusError | ModelUnavailable) or (
                    isinstance(error, openai.APIConnectionError | TimeoutError) and not chunks
                ):
                    break
                continue
            begun += 1
            # It takes requests without these: it is not asked with them again.
            self._left_out |= left_out
            if any(CUT_OFF in chunk.response_metadata for chunk in chunks):
                return AIMessage(str(whole.text), id=answer.id, usage_metadata=whole.usage_metadata)
            ended = _ended(chunks) or "".join(last_words)
            if ended in _FINISHED and (whole.tool_call_chunks or ended != "tool_calls"):
                return _answer(whole, answer.id)
            fault = _UNFINISHED.get(ended, _BROKEN_OFF)
            if ended in _UNFINISHED:
                break
        # Outside the handler: an error that is raised within it carries the provider's along.
        raise ModelUnavailable(f"{fault} {NOTHING_DONE}")

    async def _astream(self, *args: Any, **options: Any) -> AsyncIterator[ChatGenerationChunk]:
        """Read the provider's stream, up to the end of the answer's time."""
        stream = cast(_Stream, super()._astream(*args, **options))
        chunks = _CHUNKS.get(None)
        async for chunk in limited(stream, self.answer_seconds):
            message = cast(AIMessageChunk, chunk.message)
            # The responses API names only the first chunk: langchain gives all of them one id.
            message.id = None
            message.response_metadata = {
                **(chunk.generation_info or {}),
                **message.response_metadata,
            }
            if chunks is not None:
                chunks.append(message)
            yield chunk

    def _get_request_payload(
        self, input_: LanguageModelInput, *, stop: list[str] | None = None, **options: Any
    ) -> dict[str, Any]:
        """Write the request, without what this provider does not know."""
        payload = super()._get_request_payload(input_, stop=stop, **options)
        if "messages" not in payload:
            return payload
        if not self._is_openais and "max_completion_tokens" in payload:
            # Many servers ignore the newer name, and then no limit holds.
            payload["max_tokens"] = payload.pop("max_completion_tokens")
        return without(payload, _LEFT_OUT.get())

    @property
    def _is_openais(self) -> bool:
        return str(self.openai_api_base).startswith(_OPENAIS)

    def _unknown_to_it(self, error: Exception, left_out: frozenset[Part]) -> frozenset[Part]:
        """Return the parts of a request for which it may have been refused.

        Those that the server names; one that names none may lack any, but OpenAI's own lacks none.

        Args:
            left_out: what the request did without already.
        """
        if isinstance(error, ContextOverflowError) or not isinstance(error, openai.APIStatusError):
            return frozenset()
        is_refused = error.status_code in _REFUSED
        if (not is_refused and error.status_code not in _FAILED) or NO_TOOLS.search(str(error)):
            return frozenset()
        named = named_in(str(error)) - left_out
        if self._use_responses_api({}):
            return named & {Part.HINTS}
        if named or not is_refused or self._is_openais or _SETTING.search(str(error)):
            return named
        return frozenset(Part) - {Part.LIMIT} - left_out

    def _told(self, error: Exception, *, began: bool) -> str:
        """Tell people what went wrong and what to do, in our words alone."""
        status = f" (HTTP {error.status_code})" if isinstance(error, openai.APIStatusError) else ""
        match error:
            case ModelUnavailable():
                return str(error)
            case openai.APIStatusError() if _LIMIT.search(str(error)):
                return (
                    f"The model's provider did not accept {self.max_tokens} as `max_tokens`"
                    f"{status}. Lower {TOKENS}, or raise the context length of the model's server."
                )
            case ContextOverflowError():
                return "The conversation is too long for the model. Begin a new thread."
            case openai.AuthenticationError() | openai.PermissionDeniedError():
                return f"The model's provider refused the key{status}. See OPENAI_API_KEY."
            case openai.NotFoundError():
                return (
                    f"The provider does not know the model {self.model_name}{status}. See "
                    "OPENAI_MODEL, and OPENAI_BASE_URL if it is set."
                )
            case openai.RateLimitError():
                return (
                    f"The model's provider takes no more requests for now{status}: they came too "
                    "fast, or the account's quota is used up. Wait a little, or see the account."
                )
            case openai.APIStatusError() if NO_TOOLS.search(str(error)):
                return (
                    f"The model's server does not let models call tools{status}. Start it so that "
                    "it does: vLLM with --enable-auto-tool-choice and --tool-call-parser, "
                    "llama.cpp with --jinja."
                )
            case openai.APIStatusError() if _CHOICE.search(str(error)):
                return (
                    f"The model's provider did not accept `tool_choice`{status}: it forces no tool "
                    "call. Daybook sends none for a conversation; the model chooses."
                )
            case openai.APIStatusError() if error.status_code >= 500:
                return f"The model's provider failed{status}. Wait a little."
            case openai.APIStatusError():
                return (
                    f"The model's provider did not accept the request{status}. See that "
                    "OPENAI_MODEL and OPENAI_BASE_URL fit together."
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
                    "The model's provider cannot be reached. See OPENAI_BASE_URL and the network."
                )
            case _:
                return (
                    f"The provider's answer cannot be understood ({type(error).__name__}). See "
                    "that OPENAI_BASE_URL names an API like OpenAI's."
                )


_DONE = "done"
_FINISHED = frozenset({"stop", "tool_calls", "completed", _DONE})
"""How a finished answer ends: a chat completion, one with calls, a response, one without reason."""

_BROKEN_OFF = "The model's answer broke off each time before it was finished. Wait a little."

_WITHHELD = "The provider withheld the model's answer (content filter). Say it in another way."

_UNFINISHED = {"length": TOO_LONG, "max_output_tokens": TOO_LONG, "content_filter": _WITHHELD}


_REFUSED = frozenset({400, 422})
"""How a request is refused for what it holds."""

_FAILED = frozenset({500, 501})
"""How some servers refuse what they do not know, llama.cpp what a chat template raises."""

_NO_KEY = r"""\b(?!["']\s*:)"""
"""Not followed by a colon, as in a request that a refusal repeats."""

_LIMIT = re.compile(rf"\bmax_(?:completion_|output_)?tokens{_NO_KEY}|in the completion\b")
_CHOICE = re.compile(rf"\btool_choice{_NO_KEY}")
_SETTING = re.compile(f"{_LIMIT.pattern}|{_CHOICE.pattern}")
"""Named in a refusal: what a setting or the caller decides, so no plainer request helps."""

_OPENAIS = "https://api.openai.com"


def _hinted(
    model: ChatOpenAI,
    input: LanguageModelInput,
    options: dict[str, Any],
    left_out: frozenset[Part],
) -> tuple[LanguageModelInput, dict[str, Any]]:
    """Say where the cache may end, unless this provider does not take such words."""
    if Part.HINTS in left_out:
        return input, {n: v for n, v in options.items() if n not in HINTS}
    if not isinstance(input, list):
        return input, options
    return with_breakpoints(model._convert_input(input).to_messages()), options


def _ended(chunks: Sequence[AIMessageChunk]) -> str:
    """Return how the provider said that the answer ended; empty where it did not say.

    Read from the chunks: merged, a reason that is said twice becomes "stopstop".
    """
    ended = ""
    for chunk in chunks:
        ended = end_of(chunk.response_metadata) or ended
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
    """Read a call's arguments, a JSON object or nothing at all; None where it is neither."""
    if not arguments:
        return {}
    try:
        read = json.loads(arguments, strict=False)
    except (ValueError, RecursionError):
        return None
    return read if isinstance(read, dict) else None
