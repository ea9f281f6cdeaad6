"""Let those who watch a thread's messages read an answer while it comes."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from typing import Any

from langchain_core.callbacks import AsyncCallbackHandler
from langchain_core.messages import AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGenerationChunk, LLMResult
from langgraph.config import get_config
from langgraph.pregel._messages import StreamMessagesHandler, StreamMessagesHandlerV2

from daybook.nodes.prompt.aloud import Aloud

Opening = Callable[[str], Sequence[str]]


class Voice:
    """Say a message of a thread bit by bit to those who watch its run in the mode `messages`."""

    def __init__(self, message_id: str, said: dict[str, str]) -> None:
        """Begin, or go on in another node of the same run.

        Args:
            said: what was said of each message in this run; kept there.
        """
        self._id, self._said = message_id, said
        self._config = get_config()
        manager: Any = self._config.get("callbacks")
        self._watchers = [
            one
            for one in getattr(manager, "handlers", ())
            # The other one takes a model's own events alone, and whole messages.
            if isinstance(one, StreamMessagesHandler)
            and not isinstance(one, StreamMessagesHandlerV2)
        ]

    @property
    def is_heard(self) -> bool:
        """Tell whether anybody watches."""
        return bool(self._watchers)

    @property
    def has_begun(self) -> bool:
        """Tell whether something of the message was said in this run."""
        return self._id in self._said

    def say(self, message: str) -> None:
        """Say what is new of a message.

        Args:
            message: all of it so far.
        """
        before = self._said.get(self._id, "")
        if not self.is_heard or len(message) <= len(before):
            return
        self._said[self._id] = message
        told = AIMessageChunk(content=message[len(before) :], id=self._id)
        chunk, name = ChatGenerationChunk(message=told), uuid.uuid4()
        about = dict(self._config["metadata"])
        for one in self._watchers:
            one.on_chat_model_start({}, [[]], run_id=name, metadata=about)
            one.on_llm_new_token(told.text, chunk=chunk, run_id=name)
            one.on_llm_end(LLMResult(generations=[]), run_id=name)


class Speech(AsyncCallbackHandler):
    """Hear a model's answer while it comes, and say of it what may be said.

    Attributes:
        answer: what was said of this answer up to now; "" before anything was.
    """

    def __init__(
        self, aloud: Callable[[], Aloud], voice: Voice, before: str, opening: Opening
    ) -> None:
        """Begin.

        Args:
            aloud: makes what hears one try of the provider.
            before: what was said of the message already, earlier in the turn.
            opening: what the machine says first, given the beginning of the answer.
        """
        self._made, self._voice, self._before, self._opening = aloud, voice, before, opening
        self._aloud: Aloud | None = None
        self._opened: Sequence[str] = ()
        self.answer = ""

    @property
    def message(self) -> str:
        """Return what was said of the message in this turn."""
        return joined(self._before, *self._opened, self.answer)

    def whole(self, answer: str) -> str:
        """Return the whole message: what was said, and behind it what is left of the answer."""
        if not answer.startswith(self.answer):
            # It was given anew, in other words.
            answer = joined(self.answer, answer)
        return joined(self._before, *self._opened, answer)

    async def on_chat_model_start(
        self, serialized: dict[str, Any], messages: list[list[BaseMessage]], **options: Any
    ) -> None:
        """Hear another try: the one before broke off. What was said of that is not gone on with."""
        self._aloud = None if self.answer else self._made()

    async def on_llm_new_token(self, token: Any, *, chunk: Any = None, **options: Any) -> None:
        """Take a bit of the answer."""
        text = str(token if chunk is None else chunk.message.text)
        if self._aloud is None or not self._aloud.feed(text):
            return
        if not self.answer:
            self._opened = self._opening(self._aloud.said)
        self.answer = self._aloud.said
        self._voice.say(self.message)


def joined(*parts: str) -> str:
    """Put paragraphs together."""
    return "\n\n".join(part for part in parts if part)
