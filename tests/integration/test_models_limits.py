"""The limits of one answer, over real HTTP: its tokens and its time. What was streamed stands."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from langchain_openai import ChatOpenAI

from daybook.graph.model.chosen import chosen_model
from daybook.graph.settings.environment import settings_from
from daybook.state.clock import Clock
from daybook.state.errors import ConfigurationError
from daybook.tools.shop.domain import SHOP
from tests.conftest import Shop
from tests.conversation import Conversation, answer_of
from tests.integration.test_models_wire import TWELVE, asked_of, refused_by
from tests.integration.wire import Wire, model_of
from tests.provider import (
    APIS,
    Provider,
    Turn,
    cut,
    drips,
    is_silent,
    last_result,
    stalls,
    status,
)

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


async def test_openais_own_api_is_told_the_limit_by_its_newer_name():
    settings = settings_from({"OPENAI_API_KEY": "sk-x", TOKENS: "50"})
    async with chosen_model(settings, SHOP) as model:
        assert isinstance(model, ChatOpenAI)
        payload = model._get_request_payload("hello")
    assert payload["max_completion_tokens"] == 50
    assert "max_tokens" not in payload


async def test_a_provider_that_wants_the_newer_name_is_told_it_by_a_setting(provider: Provider):
    wants = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
    provider.then(status(400, wants), "Hello.")
    async with model_of(provider, "chat") as model:
        assert "DAYBOOK_MODEL_LACKS=max_tokens" in await refused_by(model)
    async with model_of(provider, "chat", DAYBOOK_MODEL_LACKS="max_tokens") as model:
        await asked_of(model)
    refused, taken = [request.body for request in provider.requests]
    assert "max_tokens" in refused
    assert taken["max_completion_tokens"] == 4096
    # Nothing else is left out for it.
    assert "stream_options" in taken
    assert "max_tokens" not in taken


async def test_a_limit_that_the_provider_refuses_is_told_by_its_setting(provider: Provider):
    provider.then(status(400, "max_tokens is too large: 4096. The maximum is 2048."))
    async with model_of(provider, "chat") as model:
        told = await refused_by(model)
    assert TOKENS in told
    assert "4096" in told
    assert len(provider.requests) == 1


async def test_a_refusal_that_repeats_the_request_is_not_taken_for_one_of_the_limit(
    provider: Provider,
):
    echo = "Bad request: {'model': 'm', 'max_tokens': 4096, \"tool_choice\": 'auto'}"
    provider.then(status(400, echo))
    async with model_of(provider, "chat") as model:
        told = await refused_by(model)
    assert "did not accept the request" in told


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
    provider.then(drips(LONG, 1.0, hung_up))
    async with model_of(provider, api) as model:
        began = clock.monotonic()
        answer = await asked_of(model)
        assert clock.monotonic() - began == pytest.approx(180, abs=1)
        await hung_up.wait()
    text, line = answer.text.split("\n\n")
    assert LONG.text.startswith(text)
    assert len(text) > 1_000
    assert SECONDS in line
    assert "180 s" in line
    assert len(provider.requests) == 1


async def test_an_answer_that_is_whole_in_time_is_left_alone(provider: Provider, api: str):
    provider.then(drips(Turn("Twelve boots cost 98.", ends="stop"), 1.0))
    async with model_of(provider, api, **{SECONDS: "60"}) as model:
        assert (await asked_of(model)).text == "Twelve boots cost 98."


async def test_a_call_that_is_whole_in_time_is_made_although_the_stream_is_not_closed(
    provider: Provider,
):
    """A server that says its last word and leaves the connection open."""
    said = replace(TWELVE, ends="tool_calls").stream

    class Open(Turn):
        def stream(self, request: Any) -> bytes:
            return said(request).replace(b"data: [DONE]\n\n", b"")

    provider.then(drips(Open(ends=None), 0.1))
    async with model_of(provider, "chat", **{SECONDS: "20"}) as model:
        (call,) = (await asked_of(model)).tool_calls
    assert call["args"] == {"sku": "BOOT-001", "quantity": 12}


async def test_half_a_call_at_the_limit_is_none(provider: Provider, api: str):
    async with model_of(provider, api, **{SECONDS: "3"}) as model:
        provider.then(drips(TWELVE, 1.0))
        assert SECONDS in await refused_by(model)
        provider.then(drips(replace(TWELVE, text="Done."), 0.5))
        answer = await asked_of(model)
    assert answer.text.startswith("Done.")
    assert answer.tool_calls == answer.invalid_tool_calls == []


async def test_one_limit_holds_for_all_requests_that_an_answer_takes(
    provider: Provider, api: str, clock: Clock
):
    """Silence is waited for 30 s, and asked again; what broke off, too."""
    provider.always = is_silent
    async with model_of(provider, api, **{SECONDS: "50"}) as model:
        began = clock.monotonic()
        assert SECONDS in await refused_by(model)
        assert clock.monotonic() - began == pytest.approx(50, abs=1)
        provider.always = stalls(Turn("Twelve boots. " * 20), 900)
        answer = await asked_of(model)
        assert SECONDS in answer.text
        assert clock.monotonic() - began == pytest.approx(100, abs=2)
        provider.always = None
        provider.then(cut(TWELVE, 900), drips(LONG, 1.0))
        assert SECONDS in (await asked_of(model)).text
        # The next answer has its own time.
        provider.then("Hello.")
        assert (await asked_of(model)).text == "Hello."


async def test_the_limit_holds_for_who_reads_the_stream_itself(provider: Provider, clock: Clock):
    provider.then(drips(LONG, 1.0))
    async with model_of(provider, "chat") as model:
        began = clock.monotonic()
        chunks = [chunk async for chunk in model.astream("hello")]
    assert clock.monotonic() - began == pytest.approx(180, abs=1)
    assert SECONDS in "".join(chunk.text for chunk in chunks)
    assert len({chunk.id for chunk in chunks}) == 1


@pytest.mark.parametrize(
    ("name", "value"), [(TOKENS, "0"), (TOKENS, "many"), (SECONDS, "0"), (SECONDS, "nan")]
)
def test_a_limit_that_is_none_is_refused_at_the_start(name: str, value: str):
    with pytest.raises(ConfigurationError, match=name):
        settings_from({name: value})


# -- in a conversation -----------------------------------------------------------------------------


async def test_a_turn_whose_answer_never_ends_is_answered_with_what_came(wire: Wire, shop: Shop):
    wire.provider.then(drips(LONG, 1.0), "What else?")
    async with wire.agent() as agent:
        talk = Conversation(agent.graph)
        asked = {"messages": [{"role": "user", "content": "which boots?", "id": "m-1"}]}
        streamed = ""
        async for message, _ in talk.graph.astream(asked, talk.config, stream_mode="messages"):
            streamed += message.text if message.type != "human" else ""
        said = answer_of(await talk.state())
        assert streamed == said
        assert said.startswith("These boots keep dry.")
        assert said.count(SECONDS) == 1
        assert answer_of(await talk.say("thanks")) == "What else?"
    assert shop.happened() == []


async def test_a_reviewer_that_never_ends_is_bounded_too(wire: Wire):
    """It is asked twice for a verdict; then the model is told, and answers."""
    compare = [("compare_reviews", {"skus": ["BOOT-001", "BOOT-009"]})]
    wire.provider.then(compare, drips(LONG, 1.0), drips(LONG, 1.0), last_result)
    async with wire.agent(**{SECONDS: "20"}) as agent:
        talk = Conversation(agent.graph)
        said = answer_of(await talk.say("which are better?"))
    assert "compare_reviews refused: The sub-agent gave no verdict" in said
    assert len(wire.provider.requests) == 4
