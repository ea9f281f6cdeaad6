"""The reply to one request: a verdict as the reviewer, else what a table of commands decides."""

import json
import re
import uuid
from collections.abc import Mapping
from statistics import fmean
from typing import Any, Final

from daybook.demo.model.commands import Reply, calls
from daybook.demo.model.interview import Interview
from daybook.demo.model.merchants import Merchants
from daybook.demo.model.prompt import read_prompt
from daybook.demo.model.shop import Shop
from daybook.demo.model.wire import Answer, Request

VERDICT: Final = "verdict"

_HEAD: Final = re.compile(r"## ([A-Za-z]+-\d+) \| ")
_RATING: Final = re.compile(r"^([1-5])(?:\.\d)? of 5 \| ", re.MULTILINE)
_NOT_POSSIBLE: Final = "That is not possible at this point of the conversation. Nothing was done."


def reply(request: Request) -> Answer:
    """Reply to a request with text, or with calls of the tools that are offered."""
    functions = [tool.function for tool in request.tools or () if tool.function is not None]
    offered = {function.name: function.parameters for function in functions}
    decided = _decided(request, offered)
    if any(wish.tool not in offered for wish in decided.wishes):
        decided = Reply(_NOT_POSSIBLE)
    made = [_call(wish.tool, wish.args, offered[wish.tool]) for wish in decided.wishes]
    said: Answer = {"role": "assistant", "content": decided.text}
    return {**said, "tool_calls": made} if made else said


def _decided(request: Request, offered: Mapping[str, Any]) -> Reply:
    prompt = read_prompt(request.messages)
    if VERDICT in offered:
        return verdict(prompt.turn.text)
    if "search_catalog" in offered:
        return Merchants(prompt).decide()
    if "hand_over" in offered and "search_products" not in offered:
        return Interview(prompt).decide()
    return Shop(prompt).decide()


def _call(name: str, args: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """Write a call, without optional arguments that the tool's schema does not have."""
    fitting = {key: args[key] for key in args if key in (schema.get("properties") or {})}
    function = {"name": name, "arguments": json.dumps(fitting)}
    return {"id": f"call_{uuid.uuid4().hex}", "type": "function", "function": function}


def verdict(text: str) -> Reply:
    """Give the verdict on the products whose reviews a text holds: the mean of their ratings.

    What is read here was written by strangers, so nothing of their words is passed on.
    """
    rated: dict[str, list[int]] = {}
    for part in re.split(r"^(?=## )", text, flags=re.MULTILINE):
        if head := _HEAD.match(part):
            rated[head[1].upper()] = [int(rating) for rating in _RATING.findall(part)]
    means = {sku: fmean(ratings) for sku, ratings in rated.items() if ratings}
    best = max(means, key=lambda sku: means[sku], default=None)
    products = [{"sku": sku, "rating": round(means.get(sku, 3))} for sku in rated]
    said = f"{best} has the best mean rating, {means[best]:.1f} of 5." if best is not None else ""
    return calls(VERDICT, products=products, best=best, summary=said)
