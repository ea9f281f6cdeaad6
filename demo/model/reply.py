"""The reply to one request: a verdict as the reviewer, else what a grammar decides."""

import json
import uuid
from collections.abc import Mapping
from typing import Any

from daybook.demo.model.grammar.dialogue import Reply, decide
from daybook.demo.model.grammar.reviewer import is_reviewer, verdict
from daybook.demo.model.grammar.seen.prompt import read_prompt
from daybook.demo.model.merchants import decide as merchants
from daybook.demo.model.wire import Answer, Request


def reply(request: Request) -> Answer:
    """Reply to a request with text, or with calls of the tools that are offered."""
    functions = [tool.function for tool in request.tools or () if tool.function is not None]
    parameters = {function.name: function.parameters for function in functions}
    prompt = read_prompt(request.messages)
    if is_reviewer(prompt.system, parameters):
        decided = Reply("", (verdict(prompt.turn.text),))
    elif merchants.BUYS in parameters:
        decided = merchants.decide(request.messages, parameters.keys())
    else:
        decided = decide(prompt, parameters.keys())
    calls = [
        _call(wish.tool, _fitting(wish.args, parameters[wish.tool])) for wish in decided.wishes
    ]
    said: Answer = {"role": "assistant", "content": decided.text}
    return {**said, "tool_calls": calls} if calls else said


def _call(name: str, args: Mapping[str, Any]) -> dict[str, Any]:
    function = {"name": name, "arguments": json.dumps(args)}
    return {"id": f"call_{uuid.uuid4().hex}", "type": "function", "function": function}


def _fitting(args: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out optional arguments that this tool's schema does not have."""
    properties = schema.get("properties") or {}
    return {name: value for name, value in args.items() if name in properties}
