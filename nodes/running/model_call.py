"""Model calls outside the main prompt: one error for all, and calls of sub-agents.

What a sub-agent reads never enters the main prompt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from langchain_core.callbacks import BaseCallbackManager
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_core.runnables.config import merge_configs
from langgraph.config import get_config
from langgraph.constants import TAG_NOSTREAM
from pydantic import BaseModel, ValidationError

from daybook.nodes.running.budgets import call_of, model_name, standings, stopped_by, usage_of
from daybook.nodes.running.tracing import inner_span
from daybook.nodes.running.work import Work
from daybook.state.errors import NOTHING_DONE, ModelUnavailable, ToolRefused
from daybook.state.misfits import faults_of
from daybook.state.prompt.tokens import estimated
from daybook.state.trace_ids import SpanKind
from daybook.tools.boundary import ours
from daybook.tools.signature import schema_of

A = TypeVar("A", bound=BaseModel)


@contextmanager
def model_errors() -> Iterator[None]:
    """Raise what the client of a model raises in this block as ModelUnavailable.

    Raises:
        ModelUnavailable: names the type of the error and nothing of its text, which may quote the
            key or the prompt.
    """
    try:
        yield
    except ModelUnavailable:
        raise
    except Exception as error:
        raise ModelUnavailable(
            f"The model gave no usable answer ({type(error).__name__}). {NOTHING_DONE}"
        ) from error


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

        Args:
            answer: the typed answer; its name and docstring are the function's.
            accepted: returns the answer as it is taken; raises ToolRefused where it cannot be.

        Returns:
            The answer, and the estimated tokens of question and answer.

        Raises:
            ToolRefused: a budget is used up, or the model gave no such answer; it says why in words
                of our own: the sub-agent's may be those of strangers whom it read.
            ModelUnavailable: it gave none at all. The run ends, and can be continued.
        """
        name = answer.__name__.lower()
        reply = await self._reply([SystemMessage(system), HumanMessage(text)], answer, name)
        call = next((call for call in reply.tool_calls if call["name"] == name), None)
        try:
            if call is None:
                raise ToolRefused(f"it did not call {name}")
            given = accepted(answer.model_validate(call["args"]))
        except ValidationError as error:
            raise _unusable(name, f"it does not fit: {faults_of(error, name)}") from error
        except ToolRefused as error:
            raise _unusable(name, str(error).rstrip(".")) from error
        return given, sum(map(estimated, (system, text, given.model_dump_json())))

    async def _reply(
        self, asked: list[SystemMessage | HumanMessage], answer: type[A], name: str
    ) -> AIMessage:
        schema = schema_of(name, answer.__doc__ or "", answer)
        model = self.work.resources.model
        named = model_name(model)
        if stop := stopped_by(await standings(self.work, named)):
            raise ToolRefused(stop)
        # Its text is no message of the thread.
        hidden = merge_configs(get_config(), {"tags": [TAG_NOSTREAM]})
        with inner_span(self.work.engine, SpanKind.MODEL, named, asks=name) as traced:
            # `ours`: the model's failure is none of the tool that asks, and ends the run.
            with ours(), model_errors():
                reply = await model.bind_tools([schema]).ainvoke([*asked], hidden)
            assert isinstance(reply, AIMessage)
            traced.tell(**usage_of(reply))
        used = call_of(reply, named, lambda: sum(estimated(one.text) for one in asked))
        await self.work.resources.postgres.usage.keep(self.work.session, [used])
        return reply


def _unusable(name: str, why: str) -> ToolRefused:
    return ToolRefused(f"The sub-agent returned no valid {name}: {why}. Continue without it.")


def is_streamed() -> bool:
    """Tell whether a client reads the text of model calls of this run while it comes.

    Each of LangGraph's and LangChain's streams of messages is a callback handler that taps output.
    """
    callbacks = get_config().get("callbacks") or []
    handlers = callbacks.handlers if isinstance(callbacks, BaseCallbackManager) else callbacks
    return any(hasattr(handler, "tap_output_aiter") for handler in handlers)
