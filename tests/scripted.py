"""A model that follows a script: what a test wants the provider to have decided."""

import uuid
from collections.abc import Callable, Sequence
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from pydantic import Field

Prompt = list[BaseMessage]
Turn = str | list[tuple[str, dict[str, Any]]]
Decides = Callable[[Prompt], Turn | AIMessage]


class ScriptedModel(BaseChatModel):
    """Answer each call with the next item of the script: text, calls, or a function of the prompt.

    A function may also make a whole message. It counts its calls, gives new call ids each time as a provider does, and fails when the script
    is over, so that a model that is asked once too often is seen.
    """

    script: list[Turn | Decides] = Field(default_factory=list)
    prompts: list[Prompt] = Field(default_factory=list)

    @property
    def _llm_type(self) -> str:
        return "scripted"

    @property
    def asked(self) -> int:
        return len(self.prompts)

    def then(self, *turns: Turn | Decides) -> None:
        self.script.extend(turns)

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Any:
        return self

    def _generate(self, messages: Prompt, *args: Any, **kwargs: Any) -> ChatResult:
        self.prompts.append(messages)
        assert self.script, "the model was asked once more than the script knows"
        turn = self.script.pop(0)
        decided = turn(messages) if callable(turn) else turn
        if isinstance(decided, AIMessage):
            message = decided
        elif isinstance(decided, str):
            message = AIMessage(decided)
        else:
            calls = [{"name": n, "args": a, "id": str(uuid.uuid4())} for n, a in decided]
            message = AIMessage("", tool_calls=calls)
        return ChatResult(generations=[ChatGeneration(message=message)])


def last_result(prompt: Prompt) -> str:
    """Say the last tool result as the answer."""
    return [message for message in prompt if message.type == "tool"][-1].text
