"""The model over real HTTP, by itself: what is sent, what counts as an answer, what is told else."""

import logging
import re
import traceback
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage
from langchain_openai import ChatOpenAI

from daybook.graph.model.choice import chosen_model
from daybook.graph.settings.environment import settings_from
from daybook.state.errors import ConfigurationError, ModelUnavailable
from daybook.tools.shop.domain import SHOP
from tests.integration.wire import KEY, model_of
from tests.provider import (
    APIS,
    Answer,
    Provider,
    Turn,
    cut,
    ends_early,
    is_silent,
    sends,
    stalls,
    status,
)

TWELVE = Turn(calls=(("add_to_cart", {"sku": "BOOT-001", "quantity": 12}),))
WORDS = Turn("Twelve boots cost 98.")
ADD = ["add_to_cart"]
"""The one tool that is offered: OpenAI's library takes its time over each."""


@pytest.fixture(params=APIS)
def api(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


async def ask(provider: Provider, api: str, tools: Sequence[str] = ADD) -> AIMessage:
    """Ask once, as `decide` does."""
    async with model_of(provider, api) as model:
        return await asked_of(model, tools)


async def asked_of(model: BaseChatModel, tools: Sequence[str] = ADD) -> AIMessage:
    answer = await model.bind_tools(SHOP.registry.schemas(tools)).ainvoke("twelve boots")
    assert isinstance(answer, AIMessage)
    return answer


async def refused(provider: Provider, api: str) -> str:
    """Ask, see that there is no decision, and return what people are told."""
    async with model_of(provider, api) as model:
        return await refused_by(model)


async def refused_by(model: BaseChatModel) -> str:
    with pytest.raises(ModelUnavailable) as unavailable:
        await asked_of(model)
    assert "Nothing was done in this step" in str(unavailable.value)
    return str(unavailable.value)


def shown_of(caplog: pytest.LogCaptureFixture, unavailable: BaseException) -> str:
    """Return what was logged, and the traceback that somebody may log."""
    return caplog.text + "".join(traceback.format_exception(unavailable))


# -- which model, and what it is sent --------------------------------------------------------------


async def test_a_base_url_alone_chooses_the_provider_without_a_key(provider: Provider):
    provider.then("Hello.")
    async with chosen_model(settings_from({"OPENAI_BASE_URL": provider.url}), SHOP) as model:
        assert isinstance(model, ChatOpenAI)
        assert (await model.ainvoke("hello")).text == "Hello."
    (request,) = provider.requests
    assert request.headers["authorization"] == "Bearer none"
    assert request.body["model"] == "gpt-5-mini"


async def test_the_settings_alone_say_whom_to_ask(
    provider: Provider, monkeypatch: pytest.MonkeyPatch
):
    for name in ("OPENAI_BASE_URL", "OPENAI_API_BASE"):
        monkeypatch.setenv(name, "http://127.0.0.1:9/ambient")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-ambient")
    provider.then("Hello.")
    assert (await ask(provider, "chat")).text == "Hello."
    assert provider.requests[0].headers["authorization"] == f"Bearer {KEY}"
    async with chosen_model(settings_from({"OPENAI_API_KEY": KEY}), SHOP) as model:
        assert isinstance(model, ChatOpenAI)
        assert str(model.root_async_client.base_url) == "https://api.openai.com/v1/"
        payload = model._get_request_payload("hello")
        assert (payload["max_completion_tokens"], "max_tokens" in payload) == (4096, False)


async def test_it_is_asked_for_a_stream_with_usage_and_for_every_tool_as_it_is_declared(
    provider: Provider, api: str
):
    provider.then("Hello.")
    answer = await ask(provider, api, tools=SHOP.registry.names)
    (request,) = provider.requests
    assert request.path == {"chat": "/v1/chat/completions", "responses": "/v1/responses"}[api]
    assert request.body["stream"] is True
    assert request.body["model"] == APIS[api]
    assert answer.usage_metadata is not None
    assert answer.usage_metadata["total_tokens"] == 18
    assert list(request.tools) == SHOP.registry.names
    for name, sent in request.tools.items():
        declared = SHOP.registry.offered(name)
        assert sent["description"] == declared.description
        assert sent["strict"] is False
        assert sent["parameters"]["type"] == "object"
        assert sent["parameters"]["additionalProperties"] is False
        fields = declared.args.model_fields
        assert list(sent["parameters"]["properties"]) == list(fields)
        required = [field for field, about in fields.items() if about.is_required()]
        assert sent["parameters"].get("required", []) == required
        for field, about in fields.items():
            assert sent["parameters"]["properties"][field].get("description") == about.description


@pytest.mark.parametrize("value", ["0", "-1", "soon", "nan", "inf"])
def test_a_time_out_that_is_no_time_is_refused_at_the_start(value: str):
    with pytest.raises(ConfigurationError, match="DAYBOOK_MODEL_SECONDS"):
        settings_from({"DAYBOOK_MODEL_SECONDS": value})


def test_a_key_that_cannot_be_sent_is_refused_and_not_shown():
    with pytest.raises(ConfigurationError, match="OPENAI_API_KEY") as refusal:
        settings_from({"OPENAI_API_KEY": f"{KEY}\nsecond line"})
    assert KEY not in str(refusal.value)
    assert settings_from({"OPENAI_API_KEY": f" {KEY}\n"}).openai_key == KEY


# -- what counts as an answer ----------------------------------------------------------------------


@pytest.mark.parametrize("breaks", [cut, ends_early])
async def test_a_stream_that_breaks_off_anywhere_is_never_a_decision(
    provider: Provider, api: str, breaks: Callable[[Turn, int], Answer]
):
    """Behind each of its events, and within it."""
    async with model_of(provider, api) as model:
        provider.then(TWELVE)
        await asked_of(model)
        stream = TWELVE.stream(provider.requests[0])
        said = {"chat": b'"finish_reason": "tool_calls"', "responses": b"response.completed"}[api]
        # From here on the provider has said that it is finished.
        end = stream.index(said)
        ends = [0, *(found.end() for found in re.finditer(rb"\n\n", stream[:end])), end]
        for begun, after in pairwise(ends):
            for place in (begun, (begun + after) // 2):
                provider.always = breaks(TWELVE, place)
                await refused_by(model)


async def test_an_answer_that_broke_off_is_asked_for_again_and_not_for_ever(
    provider: Provider, api: str
):
    async with model_of(provider, api) as model:
        provider.then(cut(TWELVE, 900), ends_early(TWELVE, 900), TWELVE)
        answer = await asked_of(model)
        assert [call["args"]["quantity"] for call in answer.tool_calls] == [12]
        provider.then(*[cut(TWELVE, 900)] * 3)
        assert "was interrupted" in await refused_by(model)
    assert len(provider.requests) == 6


async def test_an_answer_that_was_cut_short_by_the_provider_is_no_decision(
    provider: Provider, api: str
):
    """Text that met the limit of length stands: see test_models_limits."""
    async with model_of(provider, api) as model:
        provider.then(replace(TWELVE, ends="length"))
        assert "length limit" in await refused_by(model)
        for turn in (TWELVE, WORDS):
            provider.then(replace(turn, ends="content_filter"))
            assert "content filter" in await refused_by(model)


async def test_calls_that_were_announced_and_did_not_come_are_no_decision(provider: Provider):
    provider.then(*[Turn("I add twelve.", ends="tool_calls")] * 3)
    await refused(provider, "chat")


# -- what is told where there is none ---------------------------------------------------------------

SAID = f"secret words about {KEY}"
SOON = {"retry_after_ms": "1"}


ERRORS = [
    (400, SAID, "did not accept", 1),
    (400, "context_length_exceeded: 9 of 8 tokens", "new thread", 1),
    (400, "'max_tokens' is too large: 4096", "DAYBOOK_MAX_TOKENS", 1),
    (400, "only 904 of 5000 tokens (4096 in the completion) fit", "DAYBOOK_MAX_TOKENS", 1),
    (401, SAID, "OPENAI_API_KEY", 1),
    (403, SAID, "OPENAI_API_KEY", 1),
    (404, SAID, "OPENAI_MODEL", 1),
    (429, SAID, "quota", 3),
    (500, SAID, "failed", 3),
    (503, SAID, "failed", 3),
]


async def test_an_error_of_the_provider_is_told_in_our_words(
    provider: Provider, api: str, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.DEBUG)
    async with model_of(provider, api) as model:
        for code, said, told, requests in ERRORS:
            provider.requests.clear()
            provider.then(*[status(code, said, **SOON)] * requests)
            with pytest.raises(ModelUnavailable, match="Nothing was done") as unavailable:
                await asked_of(model)
            assert told in str(unavailable.value)
            assert str(code) in str(unavailable.value) or said != SAID
            assert len(provider.requests) == requests
            shown = shown_of(caplog, unavailable.value)
            assert KEY not in shown
            assert "secret words" not in shown


async def test_it_is_asked_again_when_the_provider_says(provider: Provider, api: str):
    provider.then(status(429, **SOON), status(500, retry_after="0.01"), "Here I am.")
    assert (await ask(provider, api)).text == "Here I am."


async def test_an_error_within_the_stream_is_not_told_in_its_words(
    provider: Provider, api: str, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.DEBUG)
    error = {
        "chat": f'data: {{"error": {{"message": "{SAID}"}}}}\n\n',
        "responses": f'event: error\ndata: {{"type": "error", "code": "x", "message": "{SAID}"}}\n\n',
    }[api]

    def broken(request: Any) -> bytes:
        return TWELVE.stream(request)[:600].rsplit(b"\n\n", 1)[0] + b"\n\n" + error.encode()

    provider.then(*[sends(broken)] * 3)
    with pytest.raises(ModelUnavailable, match="was interrupted") as unavailable:
        await ask(provider, api)
    assert "secret words" not in shown_of(caplog, unavailable.value)


async def test_a_provider_that_is_silent_is_waited_for_so_long(provider: Provider, api: str):
    async with model_of(provider, api, seconds=0.2) as model:
        for answer in (is_silent, stalls(TWELVE, 900)):
            provider.requests.clear()
            provider.then(answer, answer, answer)
            assert "DAYBOOK_MODEL_SECONDS" in await refused_by(model)
            assert len(provider.requests) == 3


async def test_a_provider_that_is_not_there_or_is_no_model_api_is_told_of(provider: Provider):
    async with model_of(provider, "chat") as model:
        async with provider.away():
            assert "OPENAI_BASE_URL" in await refused_by(model)
        for stream in (
            b"",
            b"<html>Log in</html>",
            b"data: {]\n\n",
            b'data: {"choices": [{}]}\n\n',
        ):
            provider.always = sends(lambda request, stream=stream: stream)
            assert "OPENAI_BASE_URL" in await refused_by(model)
