"""The model over real HTTP, by itself: what is sent, what counts as an answer, what is told else."""

import logging
import traceback
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from langchain_core.messages import AIMessage
from langchain_openai import ChatOpenAI

from daybook.graph.model.chosen import chosen_model
from daybook.graph.settings.environment import settings_from
from daybook.state.errors import ConfigurationError, ModelUnavailable
from daybook.tools.shop.domain import SHOP
from tests.integration.wire import KEY, model_of
from tests.provider import (
    APIS,
    Answer,
    Provider,
    Request,
    Turn,
    cut,
    ends_early,
    is_silent,
    sends,
    stalls,
    status,
)

TWELVE = Turn(calls=(("add_to_cart", {"sku": "BOOT-001", "quantity": 12}),))
TOOLS = SHOP.registry.schemas(SHOP.registry.names)


@pytest.fixture(params=APIS)
def api(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


async def ask(provider: Provider, api: str, seconds: float = 30) -> AIMessage:
    """Ask once, as `decide` does."""
    async with model_of(provider, api, seconds) as model:
        answer = await model.bind_tools(TOOLS).ainvoke("twelve boots")
        assert isinstance(answer, AIMessage)
        return answer


async def refused(provider: Provider, api: str, seconds: float = 30) -> str:
    """Ask, see that there is no decision, and return what people are told."""
    with pytest.raises(ModelUnavailable) as unavailable:
        await ask(provider, api, seconds)
    assert "Nothing was done in this step" in str(unavailable.value)
    return str(unavailable.value)


# -- which model, and what it is sent --------------------------------------------------------------


async def test_without_key_and_base_url_the_domains_stand_in_answers(stand_in: str):
    async with chosen_model(settings_from({"DAYBOOK_HOME": stand_in}), SHOP) as model:
        assert "the stand-in" in (await model.ainvoke("hello")).text


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


async def test_it_is_asked_for_a_stream_with_usage(provider: Provider, api: str):
    provider.then("Hello.")
    answer = await ask(provider, api)
    (request,) = provider.requests
    assert request.path == {"chat": "/v1/chat/completions", "responses": "/v1/responses"}[api]
    assert request.body["stream"] is True
    assert request.body["model"] == APIS[api]
    assert answer.usage_metadata is not None
    assert answer.usage_metadata["total_tokens"] == 18


async def test_every_tool_arrives_with_its_parameters_and_descriptions(
    provider: Provider, api: str
):
    provider.then("Hello.")
    await ask(provider, api)
    tools = provider.requests[0].tools
    assert list(tools) == SHOP.registry.names
    for name, sent in tools.items():
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


async def test_text_and_parallel_calls_arrive_whole(provider: Provider, api: str):
    calls = (("get_product", {"sku": "BOOT-001"}), ("search_products", {"query": "wool “socks”"}))
    provider.then(Turn("I look for both.", calls))
    answer = await ask(provider, api)
    assert answer.text == "I look for both."
    assert [(call["name"], call["args"]) for call in answer.tool_calls] == list(calls)


@pytest.mark.parametrize("breaks", [cut, ends_early])
async def test_a_stream_that_breaks_off_anywhere_is_never_a_decision(
    provider: Provider, api: str, breaks: Callable[[Turn, int], Answer]
):
    async with model_of(provider, api) as model:
        asked = model.bind_tools(TOOLS)
        provider.then(TWELVE)
        await asked.ainvoke("twelve boots")
        stream = TWELVE.stream(provider.requests[0])
        said = {"chat": b'"finish_reason": "tool_calls"', "responses": b"response.completed"}[api]
        # From here on the provider has said that it is finished.
        end = stream.index(said)
        for after in range(0, end, 37):
            provider.always = breaks(TWELVE, after)
            with pytest.raises(ModelUnavailable):
                await asked.ainvoke("twelve boots")


@pytest.mark.parametrize("turn", [TWELVE, Turn("Twelve boots cost 98.")])
async def test_a_stream_that_has_its_last_word_and_no_reason_is_an_answer(
    provider: Provider, turn: Turn
):
    """Servers that speak less of the API than OpenAI's own; those of responses always say it."""
    provider.then(replace(turn, ends=None, is_done=True))
    answer = await ask(provider, "chat")
    assert answer.text == turn.text
    assert [call["args"] for call in answer.tool_calls] == [args for _, args in turn.calls]
    # And cut before that word it is none, as ever.
    provider.then(*[replace(turn, ends=None)] * 3)
    assert "broke off" in await refused(provider, "chat")


class _WithoutStatus(Turn):
    def stream(self, request: Request) -> bytes:
        return super().stream(request).replace(b'"status": "completed"', b'"status": null')


async def test_a_response_that_is_completed_and_has_no_status_is_an_answer(provider: Provider):
    provider.then(_WithoutStatus(TWELVE.text, TWELVE.calls))
    answer = await ask(provider, "responses")
    assert [call["args"] for call in answer.tool_calls] == [args for _, args in TWELVE.calls]


@pytest.mark.parametrize("breaks", [cut, ends_early])
async def test_an_answer_that_broke_off_is_asked_for_again(
    provider: Provider, api: str, breaks: Callable[[Turn, int], Answer]
):
    provider.then(breaks(TWELVE, 900), breaks(TWELVE, 900), TWELVE)
    answer = await ask(provider, api)
    assert [call["args"]["quantity"] for call in answer.tool_calls] == [12]


async def test_it_is_not_asked_for_ever(provider: Provider, api: str):
    provider.then(*[cut(TWELVE, 900)] * 3)
    assert "broke off" in await refused(provider, api)
    assert len(provider.requests) == 3


@pytest.mark.parametrize(
    ("ends", "told"), [("length", "length limit"), ("content_filter", "content filter")]
)
@pytest.mark.parametrize("turn", [TWELVE, Turn("Twelve boots cost 98.")])
async def test_an_answer_that_was_cut_short_by_the_provider_is_no_decision(
    provider: Provider, api: str, turn: Turn, ends: str, told: str
):
    provider.then(Turn(turn.text, turn.calls, ends))
    assert told in await refused(provider, api)


async def test_an_end_that_is_told_twice_is_an_end(provider: Provider):
    def twice(stream: bytes) -> bytes:
        *before, last, usage, done, empty = stream.split(b"\n\n")
        return b"\n\n".join([*before, last, last, usage, done, empty])

    provider.then(sends(lambda request: twice(TWELVE.stream(request))))
    assert len((await ask(provider, "chat")).tool_calls) == 1


async def test_calls_that_were_announced_and_did_not_come_are_no_decision(provider: Provider):
    provider.then(*[Turn("I add twelve.", ends="tool_calls")] * 3)
    await refused(provider, "chat")


@pytest.mark.parametrize(
    "written",
    [
        '{"sku": "BOOT-001", "quantity": 1',
        '{"sku": "BOOT-001"',
        "quantity=12",
        '{"a": 1}{"b": 2}',
    ],
)
async def test_malformed_arguments_of_a_finished_answer_are_not_completed(
    provider: Provider, api: str, written: str
):
    provider.then([("add_to_cart", written), ("get_cart", "")])
    answer = await ask(provider, api)
    assert [(call["name"], call["args"]) for call in answer.tool_calls] == [("get_cart", {})]
    assert [call["name"] for call in answer.invalid_tool_calls] == ["add_to_cart"]


@pytest.mark.parametrize(
    "written", ["[1]", "null", '{"quantity": ' + "9" * 5000 + "}", "[" * 5000], ids=range(4)
)
async def test_arguments_that_no_function_has_are_no_decision(
    provider: Provider, api: str, written: str
):
    provider.then(*[[("add_to_cart", written)]] * 3)
    if api == "chat":
        (call,) = (await ask(provider, api)).invalid_tool_calls
        assert call["args"] == written
    else:
        # The library fails on them within the event that ends the answer, so it has no end.
        await refused(provider, api)


# -- what is told where there is none ---------------------------------------------------------------

SAID = f"secret words about {KEY}"
SOON = {"retry_after_ms": "1"}


@pytest.mark.parametrize(
    ("code", "told", "requests"),
    [
        (400, "did not accept", 1),
        (401, "OPENAI_API_KEY", 1),
        (403, "OPENAI_API_KEY", 1),
        (404, "DAYBOOK_MODEL", 1),
        (429, "quota", 3),
        (500, "failed", 3),
        (503, "failed", 3),
    ],
)
async def test_an_error_of_the_provider_is_told_in_our_words(
    provider: Provider,
    api: str,
    code: int,
    told: str,
    requests: int,
    caplog: pytest.LogCaptureFixture,
):
    caplog.set_level(logging.DEBUG)
    provider.then(*[status(code, SAID, **SOON)] * requests)
    with pytest.raises(ModelUnavailable) as unavailable:
        await ask(provider, api)
    assert told in str(unavailable.value)
    assert str(code) in str(unavailable.value)
    assert len(provider.requests) == requests
    shown = caplog.text + "".join(traceback.format_exception(unavailable.value))
    assert KEY not in shown
    assert "secret words" not in shown


@pytest.mark.parametrize("code", [429, 500])
async def test_it_is_asked_again_when_the_provider_says(provider: Provider, api: str, code: int):
    provider.then(status(code, **SOON), status(code, retry_after="0.01"), "Here I am.")
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
    with pytest.raises(ModelUnavailable, match="broke off") as unavailable:
        await ask(provider, api)
    shown = caplog.text + "".join(traceback.format_exception(unavailable.value))
    assert "secret words" not in shown


@pytest.mark.parametrize("answer", [is_silent, stalls(TWELVE, 900)], ids=["silent", "stalls"])
async def test_a_provider_that_is_silent_is_waited_for_so_long(
    provider: Provider, api: str, answer: Answer
):
    provider.then(answer, answer, answer)
    assert "DAYBOOK_MODEL_SECONDS" in await refused(provider, api, seconds=0.2)
    assert len(provider.requests) == 3


async def test_a_provider_that_is_not_there_is_told_of(provider: Provider, api: str):
    async with provider.away():
        assert "OPENAI_BASE_URL" in await refused(provider, api)


@pytest.mark.parametrize(
    "stream", [b"", b"<html>Please log in</html>", b"data: {]\n\n", b'data: {"choices": [{}]}\n\n']
)
async def test_what_is_no_model_api_is_told_of(provider: Provider, stream: bytes):
    provider.then(*[sends(lambda request: stream)] * 3)
    assert "OPENAI_BASE_URL" in await refused(provider, "chat")


async def test_a_conversation_that_is_too_long_is_told_as_such(provider: Provider, api: str):
    provider.then(status(400, "context_length_exceeded: 9 of 8 tokens"))
    assert "new thread" in await refused(provider, api)
