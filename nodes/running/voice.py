"""Let those who watch a thread's messages read an answer while it comes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.callbacks import AsyncCallbackHandler
from langchain_core.messages import BaseMessage
from langgraph.config import get_config

from daybook.nodes.prompt.aloud import Aloud
from daybook.nodes.running.hearers import Hearer, hearers_in

Opening = Callable[[str], Sequence[str]]


@dataclass
class Said:
    """What a run has said of a message.

    Attributes:
        hearers: who heard it begin, while it is not ended.
    """

    text: str = ""
    hearers: list[Hearer] = field(default_factory=list)


class Voice:
    """Say a message of a thread bit by bit to those who watch its run."""

    def __init__(self, message_id: str, said: dict[str, Said]) -> None:
        """Begin, or go on in another node of the same run.

        Args:
            said: what was said of each message in this run; kept there.
        """
        self._id, self._said = message_id, said
        self._config = get_config()
        self._hearers = hearers_in(self._config)

    @property
    def is_heard(self) -> bool:
        """Tell whether anybody watches."""
        return bool(self._hearers)

    @property
    def is_needed(self) -> bool:
        """Tell whether somebody who watches reads a message only where it is said."""
        return any(not one.sees_messages for one in self._hearers)

    @property
    def has_begun(self) -> bool:
        """Tell whether something of the message was said in this run."""
        return self._id in self._said

    async def say(self, message: str) -> None:
        """Say what is new of a message.

        Args:
            message: all of it so far.
        """
        said = self._said.get(self._id) or Said()
        if not self.is_heard or len(message) <= len(said.text):
            return
        self._said[self._id] = said
        if not said.hearers:
            said.hearers = self._hearers
            for one in said.hearers:
                await one.begins(self._id, said.text, self._config)
        new, said.text = message[len(said.text) :], message
        for one in said.hearers:
            await one.hears(new, self._config)

    async def end(self) -> None:
        """Say that nothing more is said of the message for now."""
        if said := self._said.get(self._id):
            hearers, said.hearers = said.hearers, []
            for one in hearers:
                await one.ends(said.text)


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

    async def pauses(self) -> None:
        """Say no more of the message for now: the answer called something."""
        await self._voice.end()

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
        await self._voice.say(self.message)


def joined(*parts: str) -> str:
    """Put paragraphs together."""
    return "\n\n".join(part for part in parts if part)
