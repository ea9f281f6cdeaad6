"""Let those who watch a thread's messages read an answer while it comes."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.callbacks import AsyncCallbackHandler
from langchain_core.messages import AIMessage, BaseMessage
from langgraph.config import get_config

from daybook.nodes.prompt.aloud import Aloud
from daybook.nodes.running.hearers import Hearer, hearers_in
from daybook.state.agent import Turn, answer_id, answers_among

Opening = Callable[[str], Sequence[str]]


@dataclass
class Said:
    """What a run has said of a message.

    Attributes:
        after: what messages of earlier runs said of the same answer.
        hearers: who heard it begin, while it is not ended.
    """

    after: str = ""
    text: str = ""
    hearers: list[Hearer] = field(default_factory=list)


class Voice:
    """Say the answer of a turn bit by bit to those who watch its run."""

    def __init__(self, message_id: str, after: str, said: dict[str, Said]) -> None:
        """Begin, or go on in another node of the same run.

        Args:
            after: what messages of earlier runs said of the answer.
            said: what was said of each message in this run; kept there.
        """
        self._id, self._after, self._said = message_id, after, said
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

    def message(self, answer: str) -> AIMessage | None:
        """Return what is to be stored of an answer; None where earlier messages hold all of it.

        Args:
            answer: all of it so far.
        """
        text = answer.removeprefix(self._after).lstrip("\n")
        return AIMessage(text, id=self._id) if text else None

    async def say(self, answer: str) -> None:
        """Say what is new of an answer.

        Args:
            answer: all of it so far.
        """
        message = answer.removeprefix(self._after).lstrip("\n")
        said = self._said.get(self._id) or Said(self._after)
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


def voice_of(turn: Turn, known: Container[str | None], said: dict[str, Said]) -> Voice:
    """Return what says the answer of a turn.

    What an earlier run began to say is a message of its own: clients gather what streams run by
    run, and would show it twice.

    Args:
        known: ids of the thread's messages.
        said: what was said in this run, by message; kept there.
    """
    turn_id = turn["turn_id"]
    there = answers_among(known, turn_id)
    last = there[-1] if there else answer_id(turn_id)
    if last in said:
        return Voice(last, said[last].after, said)
    if there and "said" in turn:
        return Voice(answer_id(turn_id, len(there)), turn["said"], said)
    return Voice(last, "", said)


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
            before: what was said already, earlier in the turn.
            opening: what the machine says first, given the beginning of the answer.
        """
        self._made, self._voice, self._before, self._opening = aloud, voice, before, opening
        self._aloud: Aloud | None = None
        self._opened: Sequence[str] = ()
        self.answer = ""

    @property
    def said(self) -> str:
        """Return what was said of the turn's answer."""
        return joined(self._before, *self._opened, self.answer)

    def whole(self, answer: str) -> str:
        """Return the turn's answer: what was said, and behind it what is left of this answer."""
        if not answer.startswith(self.answer):
            # It was given anew, in other words.
            answer = joined(self.answer, answer)
        return joined(self._before, *self._opened, answer)

    async def pauses(self) -> None:
        """Say no more for now: the answer called something."""
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
        await self._voice.say(self.said)


def joined(*parts: str) -> str:
    """Put paragraphs together."""
    return "\n\n".join(part for part in parts if part)
