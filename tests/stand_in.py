"""The stand-in's reply in this process: for what is about its grammar and about no wire."""

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    convert_to_messages,
    convert_to_openai_messages,
)

from daybook.demo.model.reply import reply
from daybook.demo.model.wire import Message, Request


def read(messages: Sequence[BaseMessage]) -> tuple[Message, ...]:
    """Return messages as the stand-in reads them from the wire."""
    return Request.model_validate({"messages": convert_to_openai_messages(messages)}).messages


def answered(messages: Sequence[BaseMessage], tools: Sequence[Mapping[str, Any]] = ()) -> AIMessage:
    """Return the reply to a prompt."""
    asked = {"messages": convert_to_openai_messages(messages), "tools": tools}
    (answer,) = convert_to_messages([reply(Request.model_validate(asked))])
    assert isinstance(answer, AIMessage)
    return answer
