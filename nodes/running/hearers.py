"""Who hears a message of the thread while it is said: each kind of stream in its own words.

A model's own events go to none of them. What it writes is no message yet.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ClassVar, Protocol, cast

from langchain_core.callbacks import AsyncCallbackHandler, BaseCallbackHandler, BaseCallbackManager
from langchain_core.messages import AIMessage, AIMessageChunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, LLMResult
from langchain_core.runnables import RunnableConfig
from langchain_core.runnables.config import var_child_runnable_config
from langchain_core.tracers._streaming import _StreamingCallbackHandler
from langchain_core.tracers.event_stream import _AstreamEventsCallbackHandler
from langgraph.constants import TAG_NOSTREAM
from langgraph.pregel._messages import StreamMessagesHandler, StreamMessagesHandlerV2

_NAME = "answer"
"""Of the model's run as which events show a message."""


class Hearer(Protocol):
    """Somebody who watches a run.

    Attributes:
        sees_messages: LangGraph shows it a whole message of a node by itself.
    """

    sees_messages: ClassVar[bool]

    async def begins(self, message_id: str, said: str, config: RunnableConfig) -> None:
        """Hear that a message is begun, or gone on with.

        Args:
            said: what was said of it before, and was ended.
        """

    async def hears(self, text: str, config: RunnableConfig) -> None:
        """Hear more of it."""

    async def ends(self, whole: str) -> None:
        """Hear that for now nothing more is said of it."""


def hearers_in(config: Mapping[str, Any]) -> list[Hearer]:
    """Return who watches the run of a node, by its configuration."""
    heard = (_hearer(one) for one in _handlers(config.get("callbacks")))
    return [one for one in heard if one is not None]


@contextmanager
def unseen(*listening: AsyncCallbackHandler) -> Iterator[None]:
    """Let nobody who watches see for the length of the block what a model writes.

    Args:
        listening: who hears it all the same.
    """
    around = var_child_runnable_config.get() or RunnableConfig()
    callbacks: Any = around.get("callbacks")
    if isinstance(callbacks, BaseCallbackManager):
        callbacks = callbacks.copy()
        for one in {*callbacks.handlers, *callbacks.inheritable_handlers}:
            if isinstance(one, _StreamingCallbackHandler):
                callbacks.remove_handler(one)
        for one in listening:
            callbacks.add_handler(one)
    else:
        callbacks = [*(callbacks or ()), *listening]
    # By the context: what is bound to a model takes its configuration from there as well.
    hidden = {**around, "callbacks": callbacks, "tags": [*around.get("tags", ()), TAG_NOSTREAM]}
    token = var_child_runnable_config.set(cast(RunnableConfig, hidden))
    try:
        yield
    finally:
        var_child_runnable_config.reset(token)


def _handlers(callbacks: Any) -> Iterable[BaseCallbackHandler]:
    return callbacks.handlers if isinstance(callbacks, BaseCallbackManager) else callbacks or ()


def _hearer(handler: BaseCallbackHandler) -> Hearer | None:
    match handler:
        case StreamMessagesHandlerV2():
            return _Blocks(handler)
        case StreamMessagesHandler():
            return _Chunks(handler)
        case _AstreamEventsCallbackHandler():
            return _Events(handler)
    return None


class _Chunks(Hearer):
    """The mode `messages`: chunks, which a client puts together by their message's id."""

    sees_messages: ClassVar[bool] = True

    def __init__(self, handler: StreamMessagesHandler) -> None:
        self._handler, self._id = handler, ""

    async def begins(self, message_id: str, said: str, config: RunnableConfig) -> None:
        self._id = message_id

    async def hears(self, text: str, config: RunnableConfig) -> None:
        name = uuid.uuid4()
        self._handler.on_chat_model_start({}, [[]], run_id=name, metadata=_about(config))
        self._handler.on_llm_new_token(text, chunk=_chunk(text, self._id), run_id=name)
        self._handler.on_llm_end(LLMResult(generations=[]), run_id=name)

    async def ends(self, whole: str) -> None:
        """Nothing is left to tell: each chunk stands for itself."""


class _Events(Hearer):
    """LangChain's events: a model's run, whose chunks are put together as they come."""

    sees_messages: ClassVar[bool] = False

    def __init__(self, handler: _AstreamEventsCallbackHandler) -> None:
        self._handler, self._id, self._name = handler, "", uuid.uuid4()

    async def begins(self, message_id: str, said: str, config: RunnableConfig) -> None:
        self._id, self._name = message_id, uuid.uuid4()
        manager: Any = config.get("callbacks")
        await self._handler.on_chat_model_start(
            {},
            [[]],
            run_id=self._name,
            parent_run_id=manager.parent_run_id,
            metadata=_about(config),
            name=_NAME,
        )

    async def hears(self, text: str, config: RunnableConfig) -> None:
        await self._handler.on_llm_new_token(text, chunk=_chunk(text, self._id), run_id=self._name)

    async def ends(self, whole: str) -> None:
        said = ChatGeneration(message=AIMessage(whole, id=self._id))
        await self._handler.on_llm_end(LLMResult(generations=[[said]]), run_id=self._name)


class _Blocks(Hearer):
    """The mode `messages` of streaming protocol 3: the life of a message, told by its events.

    A server forwards nothing else of that mode.
    """

    sees_messages: ClassVar[bool] = False

    def __init__(self, handler: StreamMessagesHandlerV2) -> None:
        self._handler, self._name = handler, uuid.uuid4()

    async def begins(self, message_id: str, said: str, config: RunnableConfig) -> None:
        self._name = uuid.uuid4()
        self._handler.on_chat_model_start({}, [[]], run_id=self._name, metadata=_about(config))
        # One that was ended is told anew, as a whole: it takes the place of what was told.
        begun = {"role": "ai", "id": message_id, "message_id": message_id}
        self._tell("message-start", **begun)
        self._tell("content-block-start", index=0, content={"type": "text", "text": ""})
        if said:
            await self.hears(said, config)

    async def hears(self, text: str, config: RunnableConfig) -> None:
        self._tell("content-block-delta", index=0, delta={"type": "text-delta", "text": text})

    async def ends(self, whole: str) -> None:
        self._tell("content-block-finish", index=0, content={"type": "text", "text": whole})
        self._tell("message-finish")
        self._handler.on_llm_end(LLMResult(generations=[]), run_id=self._name)

    def _tell(self, event: str, **about: Any) -> None:
        self._handler.on_stream_event({"event": event, **about}, run_id=self._name)


def _about(config: RunnableConfig) -> dict[str, Any]:
    return dict(config["metadata"])


def _chunk(text: str, message_id: str) -> ChatGenerationChunk:
    return ChatGenerationChunk(message=AIMessageChunk(content=text, id=message_id))
