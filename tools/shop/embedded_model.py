"""The embedded model: a chat model of written rules, for a machine with no account.

It speaks the interface of every chat model, tool calls included, and honestly says what it is. What
it understands is written in `daybook.tools.shop.grammar.rules`; how a reply comes about:

    grammar.tokens, _parser, _references, _reading     text to typed intents (grammar.intents)
    grammar.prompt, _digest, _results, _scene, _facts  what the prompt says, what is on view
    grammar.context, _choice, _bumped, _interview      intents as answers to a question
    grammar.dialogue, _desk, _steps_*, _referents      what is meant, which calls are next
    grammar.wording                                    the sentences
    grammar.reviewer                                   the verdict, when it is the reviewer

It is pure: no clock, no chance (but for the ids of calls, which are new each time), no I/O. It
knows the prompt and nothing else.
"""

import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from langchain_core.callbacks import (
    AsyncCallbackManagerForLLMRun,
    CallbackManagerForLLMRun,
)
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage, ToolCall
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool

from daybook.tools.shop.grammar.dialogue import Reply, decide
from daybook.tools.shop.grammar.prompt import read_prompt
from daybook.tools.shop.grammar.reviewer import is_reviewer, verdict

MODEL_NAME = "daybook-embedded"


class EmbeddedModel(BaseChatModel):
    """Understand plain shopping English by a written grammar, and call the tools that are bound."""

    @property
    def _llm_type(self) -> str:
        return MODEL_NAME

    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],
        *,
        tool_choice: str | None = None,
        **kwargs: Any,
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """Bind the tools that may be called; a tool choice is accepted and not followed."""
        return self.bind(tools=[convert_to_openai_tool(tool) for tool in tools], **kwargs)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=reply_to(messages, kwargs))])

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        # The default would go through a thread; there is nothing here to wait for.
        return self._generate(messages, **kwargs)


def reply_to(messages: Sequence[BaseMessage], options: Mapping[str, Any]) -> AIMessage:
    """Reply to a prompt with tool calls or an answer; `options["tools"]` are the tools bound."""
    schemas = [tool["function"] for tool in options.get("tools") or () if "function" in tool]
    parameters = {schema["name"]: schema.get("parameters") or {} for schema in schemas}
    prompt = read_prompt(messages)
    if is_reviewer(prompt.system, parameters):
        reply = Reply("", (verdict(prompt.turn.text),))
    else:
        reply = decide(prompt, parameters.keys())
    calls = [
        ToolCall(
            name=wish.tool,
            args=_fitting(wish.args, parameters[wish.tool]),
            id=f"call_{uuid.uuid4().hex}",
        )
        for wish in reply.wishes
    ]
    return AIMessage(reply.text, tool_calls=calls, response_metadata={"model_name": MODEL_NAME})


def _fitting(args: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out optional arguments that this tool's schema does not have."""
    properties = schema.get("properties") or {}
    return {name: value for name, value in args.items() if name in properties}
