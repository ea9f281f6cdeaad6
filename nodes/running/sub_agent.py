"""A sub-agent's own model call: what it reads never enters the main prompt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from pydantic import BaseModel, ValidationError

from daybook.nodes.running.model_errors import model_errors
from daybook.nodes.running.stream import hidden_call
from daybook.nodes.running.tracing import inner_span
from daybook.nodes.running.usage import model_name, usage_of
from daybook.nodes.running.work import Work
from daybook.state.errors import ToolRefused
from daybook.state.misfits import faults_of
from daybook.state.prompt.tokens import estimated
from daybook.state.trace_ids import SpanKind
from daybook.tools.boundary import ours
from daybook.tools.signature import schema_of

A = TypeVar("A", bound=BaseModel)


_TIMES = 2
"""How often a sub-agent is asked: an answer that cannot be used is asked for once more."""


@dataclass(frozen=True)
class OwnScope:
    """Ask a model, with nothing but what a tool gives it."""

    work: Work

    async def ask(
        self,
        system: str,
        text: str,
        answer: type[A],
        accepted: Callable[[A], A] = lambda given: given,
    ) -> tuple[A, int]:
        """Ask the model; it answers by calling the one function that it is offered.

        Where it does not, or its answer cannot be used, it is told why and asked once more.

        Args:
            answer: the typed answer; its name and docstring are the function's.
            accepted: returns the answer as it is taken; raises ToolRefused where it cannot be.

        Returns:
            The answer, and the estimated tokens of questions and answer.

        Raises:
            ToolRefused: the model gave no such answer; it says why.
            ModelUnavailable: it gave none at all. The run ends, and can be continued.
        """
        name = answer.__name__.lower()
        asked: list[BaseMessage] = [SystemMessage(system), HumanMessage(text)]
        tokens, why = 0, ""
        for time in range(1, _TIMES + 1):
            tokens += sum(estimated(message.text) for message in asked)
            reply = await self._reply(asked, answer, name, is_again=time > 1)
            given, why = _taken(reply, answer, name, accepted)
            if given is not None:
                return given, tokens + estimated(given.model_dump_json())
            asked = [*asked[:2], HumanMessage(_again(name, why))]
        raise ToolRefused(
            f"The sub-agent gave no {name} that can be used, and was asked {_TIMES} times: {why}. "
            "Go on without it."
        )

    async def _reply(
        self, asked: Sequence[BaseMessage], answer: type[A], name: str, *, is_again: bool
    ) -> AIMessage:
        schema = schema_of(name, answer.__doc__ or "", answer)
        model = self.work.resources.model
        again = True if is_again else None
        with inner_span(
            self.work.engine, SpanKind.MODEL, model_name(model), asks=name, again=again
        ) as traced:
            # `ours`: the model's failure is none of the tool that asks, and ends the run.
            with ours(), model_errors():
                reply = await model.bind_tools([schema]).ainvoke(list(asked), hidden_call())
            assert isinstance(reply, AIMessage)
            traced.tell(**usage_of(reply))
        return reply


def _again(name: str, why: str) -> str:
    """Ask once more: what was wrong, and what is to be done. Nothing of the answer is repeated."""
    return f"Your answer could not be used: {why}. Call `{name}` once, and write nothing else."


def _taken(
    reply: AIMessage, answer: type[A], name: str, accepted: Callable[[A], A]
) -> tuple[A | None, str]:
    """Return the answer as it is taken, or why it cannot be.

    Why is said in words of our own: the sub-agent's may be those of strangers whom it read.
    """
    calls = [call for call in reply.tool_calls if call["name"] == name]
    if not calls:
        how = (
            "called something else"
            if reply.tool_calls or reply.invalid_tool_calls
            else "only spoke"
        )
        return None, f"it {how} instead of calling {name}"
    try:
        return accepted(answer.model_validate(calls[0]["args"])), ""
    except ValidationError as error:
        return None, f"its {name} does not fit: {faults_of(error, name)}"
    except ToolRefused as error:
        return None, str(error).rstrip(".")
