"""The stand-in for a model in tests: in this process, and in conversations on a real graph."""

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    convert_to_messages,
    convert_to_openai_messages,
)
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.utils.function_calling import convert_to_openai_tool
from langgraph.types import StateSnapshot
from pydantic import Field

from daybook.checkpoints.postgres import Postgres
from daybook.demo.model.commands import Command
from daybook.demo.model.reply import reply
from daybook.demo.model.wire import Request
from daybook.state.ledger.recovery import Event
from tests.conversation import Conversation

Asked = tuple[list[BaseMessage], list[dict[str, Any]]]
"""A prompt as the product compiled it, and the tools that it offered."""


def answered(messages: Sequence[BaseMessage], tools: Sequence[Mapping[str, Any]] = ()) -> AIMessage:
    """Return the reply to a prompt."""
    asked = {"messages": convert_to_openai_messages(messages), "tools": tools}
    (answer,) = convert_to_messages([reply(Request.model_validate(asked))])
    assert isinstance(answer, AIMessage)
    return answer


def answered_instead(asked: Asked, said: str) -> AIMessage:
    """Return the reply to a prompt in which the user's last message is another one."""
    messages, tools = list(asked[0]), asked[1]
    last = max(at for at, one in enumerate(messages) if isinstance(one, HumanMessage))
    messages[last] = HumanMessage(said)
    return answered(messages, tools)


class StandIn(BaseChatModel):
    """The stand-in in this process; it keeps the prompts that it was asked."""

    tools: list[dict[str, Any]] = Field(default_factory=list)
    asked: list[Any] = Field(default_factory=list)

    @property
    def _llm_type(self) -> str:
        return "stand-in"

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Any:
        bound = StandIn(tools=[convert_to_openai_tool(one) for one in tools])
        bound.asked = self.asked
        return bound

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        self.asked.append((messages, self.tools))
        return ChatResult(generations=[ChatGeneration(message=answered(messages, self.tools))])


async def approving(talk: Conversation, text: str) -> StateSnapshot:
    """Say something, and approve what is asked."""
    done = await talk.say(text)
    while done.interrupts:
        done = await talk.approve()
    return done


async def played(talk: Conversation, postgres: Postgres, row: Command) -> tuple[str, ...]:
    """Play a row of a table of commands; return what its example called, in order."""
    for text in row.after:
        await approving(talk, text)
    before = len(await postgres.ledger.entries(talk.thread_id))
    await approving(talk, row.example)
    entries = (await postgres.ledger.entries(talk.thread_id))[before:]
    decided = [one.payload or {} for one in entries if one.event is Event.DECIDED]
    return tuple(call["name"] for payload in decided for call in payload.get("calls", ()))
