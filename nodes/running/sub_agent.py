"""A sub-agent's own model call: what it reads never enters the main prompt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_core.runnables import RunnableConfig
from langgraph.constants import TAG_NOSTREAM
from pydantic import BaseModel, ValidationError

from daybook.nodes.running.tracing import inner_span
from daybook.nodes.running.usage import model_name, usage_of
from daybook.nodes.running.work import Work
from daybook.state.errors import ToolRefused
from daybook.state.misfits import faults_of
from daybook.state.prompt.tokens import estimated
from daybook.state.telemetry.spans import SpanKind
from daybook.tools.signature import schema_of

A = TypeVar("A", bound=BaseModel)


@dataclass(frozen=True)
class OwnScope:
    """Ask a model once, with nothing but what a tool gives it."""

    work: Work

    async def ask(self, system: str, text: str, answer: type[A]) -> tuple[A, int]:
        """Ask the model; it answers by calling the one function that it is offered.

        Args:
            answer: the typed answer; its name and docstring are the function's.

        Returns:
            The answer, and the estimated tokens of question and answer.

        Raises:
            ToolRefused: the model gave no such answer.
            ModelUnavailable: it gave none at all.
        """
        name = answer.__name__.lower()
        schema = schema_of(name, answer.__doc__ or "", answer)
        asked = [SystemMessage(system), HumanMessage(text)]
        unseen: RunnableConfig = {"tags": [TAG_NOSTREAM]}
        model = self.work.resources.model
        with inner_span(self.work, SpanKind.MODEL, model_name(model), asks=name) as traced:
            reply = await model.bind_tools([schema]).ainvoke(asked, unseen)
            assert isinstance(reply, AIMessage)
            traced.tell(**usage_of(reply))
        calls = [call for call in reply.tool_calls if call["name"] == name]
        if not calls:
            raise ToolRefused(f"The sub-agent gave no {name}. Go on without it.")
        try:
            given = answer.model_validate(calls[0]["args"])
        except ValidationError as error:
            raise ToolRefused(
                f"The sub-agent's {name} cannot be used: {faults_of(error, name)}. Go on without."
            ) from error
        tokens = estimated(system) + estimated(text) + estimated(given.model_dump_json())
        return given, tokens
