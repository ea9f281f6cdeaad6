"""Servers that lack parts of OpenAI's API, and the limits of one answer: its tokens and its time."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

from daybook.graph.model.request import caching_of_chat
from daybook.graph.settings.environment import settings_from
from daybook.nodes.prompt.compiler import BREAKPOINT
from daybook.state.clock import Clock
from daybook.state.errors import ConfigurationError, ModelUnavailable
from daybook.tools.shop.domain import SHOP
from tests.integration.test_models_wire import TWELVE, asked_of, refused_by
from tests.integration.wire import model_of
from tests.provider import APIS, Provider, Request, Turn, cut, drips, is_silent, status

pytestmark = pytest.mark.usefixtures("clock")

LONG = Turn("These boots keep dry. " * 200, ends=None)

"""Some 600 events: at one a second it takes far longer than any limit of these tests."""

TOKENS, SECONDS = "DAYBOOK_MAX_TOKENS", "DAYBOOK_ANSWER_SECONDS"

LIMIT_NAMES = {"chat": "max_tokens", "responses": "max_output_tokens"}


@pytest.fixture(params=APIS)
def api(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


# -- tokens ----------------------------------------------------------------------------------------


async def test_the_limit_of_tokens_is_sent(provider: Provider, api: str):
    provider.then("Hello.", "Hello.")
    async with model_of(provider, api) as model:
        await asked_of(model)
    async with model_of(provider, api, **{TOKENS: "50"}) as model:
        await asked_of(model)
    assert [one.body[LIMIT_NAMES[api]] for one in provider.requests] == [4096, 50]
    assert "max_completion_tokens" not in provider.requests[0].body


async def test_a_provider_that_wants_the_newer_name_is_told_it_by_a_setting(provider: Provider):
    wants = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
    provider.then(status(400, wants), "Hello.")
    async with model_of(provider, "chat") as model:
        assert "DAYBOOK_MODEL_API=openai" in await refused_by(model)
    async with model_of(provider, "chat", DAYBOOK_MODEL_API="openai") as model:
        await asked_of(model)
    refused, taken = [request.body for request in provider.requests]
    assert "max_tokens" in refused
    assert taken["max_completion_tokens"] == 4096
    # Nothing else is left out for it.
    assert "stream_options" in taken
    assert "max_tokens" not in taken


async def test_text_that_met_the_limit_of_tokens_stands_and_says_so(provider: Provider, api: str):
    provider.then(Turn("Twelve boots cost", ends="length"))
    async with model_of(provider, api) as model:
        answer = await asked_of(model)
    assert answer.text.startswith("Twelve boots cost\n\n[")
    assert TOKENS in answer.text


async def test_calls_of_an_answer_that_met_the_limit_are_not_carried_out(
    provider: Provider, api: str
):
    async with model_of(provider, api) as model:
        provider.then(replace(TWELVE, text="I add twelve.", ends="length"))
        answer = await asked_of(model)
        assert answer.text.startswith("I add twelve.")
        assert "No tool call" in answer.text
        assert answer.tool_calls == answer.invalid_tool_calls == []
        # Without text there is nothing that could stand.
        provider.then(replace(TWELVE, ends="length"), Turn("", ends="length"))
        for _ in range(2):
            assert TOKENS in await refused_by(model)


# -- time ------------------------------------------------------------------------------------------


async def test_an_answer_of_one_token_a_second_ends_at_the_limit(
    provider: Provider, api: str, clock: Clock
):
    hung_up = asyncio.Event()
    provider.then(drips(LONG, 1.0, hung_up), drips(Turn("Twelve boots.", ends="stop"), 1.0))
    async with model_of(provider, api, **{SECONDS: "60"}) as model:
        began = clock.monotonic()
        assert SECONDS in await refused_by(model)
        assert clock.monotonic() - began == pytest.approx(60, abs=1)
        await hung_up.wait()
        assert len(provider.requests) == 1
        assert (await asked_of(model)).text == "Twelve boots."


async def test_one_limit_holds_for_all_requests_that_an_answer_takes(
    provider: Provider, api: str, clock: Clock
):
    """Silence is waited for 30 s, and asked again; what broke off, too."""
    provider.always = is_silent
    async with model_of(provider, api, **{SECONDS: "50"}) as model:
        began = clock.monotonic()
        assert SECONDS in await refused_by(model)
        assert clock.monotonic() - began == pytest.approx(50, abs=1)
        provider.always = None
        provider.then(cut(TWELVE, 900), drips(LONG, 1.0))
        assert SECONDS in await refused_by(model)
        # The next answer has its own time.
        provider.then("Hello.")
        assert (await asked_of(model)).text == "Hello."


@pytest.mark.parametrize(
    ("name", "value"), [(TOKENS, "0"), (TOKENS, "many"), (SECONDS, "0"), (SECONDS, "nan")]
)
def test_a_limit_that_is_none_is_refused_at_the_start(name: str, value: str):
    with pytest.raises(ConfigurationError, match=name):
        settings_from({name: value})


TOOLS = SHOP.registry.schemas(["add_to_cart"])

CALLS = [
    {"name": "get_cart", "args": {}, "id": "c1"},
    {"name": "get_product", "args": {"sku": "BOOT-001"}, "id": "c2"},
]

MARKED: dict[str, Any] = {BREAKPOINT: True}

PROMPT = [
    SystemMessage("Instructions.", additional_kwargs=MARKED),
    SystemMessage("Digest.", additional_kwargs=MARKED),
    HumanMessage("Hello."),
    HumanMessage("What is it?"),
    AIMessage("", tool_calls=CALLS),
    ToolMessage("r1", tool_call_id="c1"),
    ToolMessage("r2", tool_call_id="c2", additional_kwargs=MARKED),
    SystemMessage("# Now"),
]

"""As the compiler writes it: zones, marks, two calls at once, and the tail."""

Lacks = Callable[[dict[str, Any]], str]

"""Says what a server has against a request; "" for nothing."""


def no_hints(body: dict[str, Any]) -> str:
    return "Unrecognized request argument: prompt_cache_key" if "prompt_cache" in str(body) else ""


def no_strict(body: dict[str, Any]) -> str:
    return "unknown field `strict`" if '"strict"' in json.dumps(body["tools"]) else ""


def system_at_the_beginning(body: dict[str, Any]) -> str:
    roles = [one["role"] for one in body["messages"]]
    return "System message must be at the beginning." if "system" in roles[1:] else ""


def no_null(body: dict[str, Any]) -> str:
    is_null = any(one["content"] is None for one in body["messages"])
    return "content: Input should be a valid string, not null" if is_null else ""


def text_alone(body: dict[str, Any]) -> str:
    has_blocks = any(isinstance(one["content"], list) for one in body["messages"])
    return "content must be a string" if has_blocks else ""


def one_call(body: dict[str, Any]) -> str:
    many = any(len(one.get("tool_calls", ())) > 1 for one in body["messages"])
    return "This model only supports single tool-calls at once!" if many else ""


def takes_turns(body: dict[str, Any]) -> str:
    spoken = [one["role"] for one in body["messages"] if one["role"] in ("user", "assistant")]
    first, *_ = [one["role"] for one in body["messages"] if one["role"] != "system"]
    twice = any(a == b == "user" for a, b in pairwise(spoken))
    wrong = first != "user" or twice
    return "Conversation roles must alternate user/assistant/user/assistant/..." if wrong else ""


def nothing_at_all(body: dict[str, Any]) -> str:
    """A server that refuses all of it and does not say for what."""
    all_of_it = (no_hints, no_strict, system_at_the_beginning, no_null)
    return "Bad request" if any(lacks(body) for lacks in (*all_of_it, one_call)) else ""


LACKS = [
    no_hints,
    no_strict,
    system_at_the_beginning,
    no_null,
    text_alone,
    one_call,
    takes_turns,
    nothing_at_all,
]


@dataclass
class Lacking:
    """Answer with the script, but refuse what the server lacks."""

    provider: Provider
    lacks: Lacks

    async def __call__(self, writer: asyncio.StreamWriter, request: Request) -> None:
        if why := self.lacks(request.body):
            await status(400, why)(writer, request)
        else:
            await self.provider.script.pop(0)(writer, request)


async def asked(model: Any, prompt: Any = PROMPT) -> AIMessage:
    """Ask as `decide` does, with what is said of the cache."""
    hints = caching_of_chat().options("a thread", 1_800)
    answer = await model.bind_tools(TOOLS, **hints).ainvoke(list(prompt))
    assert isinstance(answer, AIMessage)
    return answer


@pytest.mark.parametrize("lacks", LACKS)
async def test_a_server_that_lacks_a_part_is_asked_without_it_where_a_setting_says_so(
    provider: Provider, lacks: Lacks
):
    provider.always = Lacking(provider, lacks)
    async with model_of(provider, "chat") as model:
        with pytest.raises(ModelUnavailable, match="DAYBOOK_MODEL_API=plain"):
            await asked(model)
    async with model_of(provider, "chat", DAYBOOK_MODEL_API="plain") as model:
        provider.then(TWELVE)
        answer = await asked(model)
        assert [call["args"]["quantity"] for call in answer.tool_calls] == [12]
    # Nothing of what it is told is lost.
    sent = json.dumps(provider.requests[-1].body["messages"])
    for text in ("Instructions.", "Digest.", "What is it?", "r1", "r2", "# Now", "c1", "c2"):
        assert sent.count(text) >= 1


async def test_a_server_that_lets_no_model_call_tools_is_told_of_with_what_to_do(
    provider: Provider,
):
    async with model_of(provider, "chat") as model:
        needs = '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser'
        provider.then(status(400, needs))
        assert "--enable-auto-tool-choice" in await refused_by(model)
        provider.then(*[status(500, "tools param requires --jinja flag", retry_after_ms="1")] * 3)
        assert "--jinja" in await refused_by(model)


# -- what such servers answer ----------------------------------------------------------------------


def call(name: str, arguments: Any, **more: Any) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "arguments": arguments}, **more}
