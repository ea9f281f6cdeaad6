"""Chat models that follow a script, instead of a provider's."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from pydantic import Field

Prompt: TypeAlias = list[BaseMessage]
Calls: TypeAlias = Sequence[tuple[str, Mapping[str, Any]]]
Turn: TypeAlias = str | Calls
Decides: TypeAlias = Callable[[Prompt], "Turn | AIMessage"]


class ScriptedModel(BaseChatModel):
    """Answer each call with the next item of the script: text, calls, or a function of the prompt.

    A function may also make a whole message. It keeps the prompts, gives new call ids each time as
    a provider does, and fails when the script is over, so that one call too many is seen.

    Example:
        >>> model = ScriptedModel(script=[[("charge", {"cents": 500})], "Done."])
        >>> model.invoke("pay").tool_calls[0]["name"], model.invoke("and?").text
        ('charge', 'Done.')
    """

    script: list[Any] = Field(default_factory=list)
    prompts: list[Any] = Field(default_factory=list)

    @property
    def _llm_type(self) -> str:
        return "scripted"

    @property
    def asked(self) -> int:
        """Return how often it was called."""
        return len(self.prompts)

    def then(self, *turns: Turn | Decides) -> None:
        """Add to the script."""
        self.script.extend(turns)

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Any:
        """Take any tools: the script says which are called."""
        return self

    def _generate(self, messages: Prompt, *args: Any, **kwargs: Any) -> ChatResult:
        self.prompts.append(messages)
        assert self.script, "the model was called more often than its script has answers"
        return _result(self.script.pop(0), messages)


class ReplayedModel(BaseChatModel):
    """Decide by the conversation alone, so that every process decides the same.

    Args:
        turns: what the user says to the decisions that follow, one after the other; after the last
            one it answers with the newest result of a tool.

    Example:
        >>> from langchain_core.messages import HumanMessage
        >>> model = ReplayedModel(turns={"buy boots": [[("buy", {"item": "boots"})]]})
        >>> model.invoke([HumanMessage("buy boots")]).tool_calls[0]["args"]
        {'item': 'boots'}
    """

    turns: Mapping[str, Sequence[Any]]

    @property
    def _llm_type(self) -> str:
        return "replayed"

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Any:
        """Take any tools: the script says which are called."""
        return self

    def _generate(self, messages: Prompt, *args: Any, **kwargs: Any) -> ChatResult:
        last = max(at for at, one in enumerate(messages) if one.type == "human")
        said, since = messages[last].text, messages[last + 1 :]
        decisions = next((d for text, d in self.turns.items() if text in said), ())
        made = sum(isinstance(one, AIMessage) and bool(one.tool_calls) for one in since)
        if made < len(decisions):
            return _result(decisions[made], messages)
        results = [str(one.text) for one in since if one.type == "tool"]
        return _result(results[-1] if results else "Done.", messages)


def last_result(prompt: Prompt) -> str:
    """Answer with the newest result of a tool, also of one whose plan waited in between."""
    late = "[later] "
    results = [one for one in prompt if one.type == "tool" or one.text.startswith(late)]
    return results[-1].text.removeprefix(late)


def _result(turn: Any, messages: Prompt) -> ChatResult:
    # A message's text is a string that can be called, too.
    decided = turn(messages) if callable(turn) and not isinstance(turn, str) else turn
    if isinstance(decided, str):
        decided = AIMessage(decided)
    elif not isinstance(decided, AIMessage):
        calls = [{"name": n, "args": dict(a), "id": str(uuid.uuid4())} for n, a in decided]
        decided = AIMessage("", tool_calls=calls)
    return ChatResult(generations=[ChatGeneration(message=decided)])
