"""The limits of one answer, over real HTTP: its tokens and its time. What was streamed stands."""

import asyncio
from dataclasses import replace

import pytest

from daybook.graph.settings.environment import settings_from
from daybook.state.clock import Clock
from daybook.state.errors import ConfigurationError
from tests.integration.test_models_wire import TWELVE, asked_of, refused_by
from tests.integration.wire import model_of
from tests.provider import APIS, Provider, Turn, cut, drips, is_silent, status

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
