"""The stand-in over the wire: OpenAI's API as it serves it, and how it is kept for an agent."""

import json
import os
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from daybook.checkpoints.kept.process import RECORD
from daybook.graph.model.chosen import chosen_model
from daybook.graph.model.stand_in import NAME, keep_stand_in
from daybook.graph.settings.environment import settings_from
from daybook.state.errors import ModelUnavailable
from daybook.tools.shop.domain import SHOP

BOOTS: dict[str, Any] = {
    "messages": [{"role": "user", "content": [{"type": "text", "text": "show me boots"}]}],
    "tools": SHOP.registry.schemas(SHOP.registry.names),
}
HELLO = {"model": NAME, "messages": [{"role": "user", "content": "hello"}]}


@pytest.fixture(scope="module")
def http(stand_in: str) -> Iterator[httpx.Client]:
    with (
        keep_stand_in(Path(stand_in), SHOP.stand_in) as kept,
        httpx.Client(base_url=kept.answer) as http,
    ):
        yield http


def test_an_answer_is_text_or_calls_with_their_reason_and_usage(http: httpx.Client):
    hello = http.post("chat/completions", json=HELLO).raise_for_status().json()
    assert (hello["object"], hello["model"]) == ("chat.completion", NAME)
    (said,) = hello["choices"]
    assert said["finish_reason"] == "stop"
    assert "the stand-in" in said["message"]["content"]
    boots = http.post("chat/completions", json=BOOTS).raise_for_status().json()
    (called,) = boots["choices"]
    assert called["finish_reason"] == "tool_calls"
    (call,) = called["message"]["tool_calls"]
    assert call["function"]["name"] == "search_products"
    assert json.loads(call["function"]["arguments"]) == {"query": "boots"}
    for usage in (hello["usage"], boots["usage"]):
        assert usage["total_tokens"] == usage["prompt_tokens"] + usage["completion_tokens"]
    assert boots["usage"]["prompt_tokens"] > hello["usage"]["prompt_tokens"] > 0


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"{}",
        b'{"messages": [{"role": "king", "content": "secret words"}]}',
        b'{"messages": [{"role": "user", "content": 7}]}',
        b'{"messages": [{"role": "user", "content": "\xff"}]}',
        b'{"messages": [], "tools": [{"function": {}}]}',
    ],
)
def test_a_request_that_cannot_be_read_is_refused_without_its_words(http, body):
    answer = http.post("chat/completions", content=body)
    assert answer.status_code == 400
    error = answer.json()["error"]
    assert error["type"] == "invalid_request_error"
    assert error["message"]
    assert "secret" not in answer.text


# -- kept for an agent -----------------------------------------------------------------------------


async def test_nothing_is_started_before_it_is_asked_and_nothing_runs_after(tmp_path: Path):
    folder = tmp_path / "model" / SHOP.stand_in
    async with chosen_model(settings_from({"DAYBOOK_HOME": str(tmp_path)}), SHOP) as model:
        assert not folder.exists()
        await model.ainvoke("hello")
        assert (folder / RECORD).exists()
    assert not (folder / RECORD).exists()


async def test_one_that_was_killed_is_started_anew_for_the_next_question(tmp_path: Path):
    folder = tmp_path / "model" / SHOP.stand_in
    async with chosen_model(settings_from({"DAYBOOK_HOME": str(tmp_path)}), SHOP) as model:
        before = (await model.ainvoke("hello")).text
        _, program = (folder / RECORD).read_text().split()
        os.kill(int(program), signal.SIGKILL)
        assert (await model.ainvoke("hello")).text == before
        assert (folder / RECORD).read_text().split()[1] != program


async def test_one_that_cannot_run_is_told_and_no_key_is_asked_for(tmp_path: Path):
    domain = replace(SHOP, stand_in="demo.nothing")
    async with chosen_model(settings_from({"DAYBOOK_HOME": str(tmp_path)}), domain) as model:
        with pytest.raises(ModelUnavailable, match="stand-in for a model does not run") as told:
            await model.ainvoke("hello")
    assert "demo.nothing" in str(told.value)
    assert "Nothing was done in this step" in str(told.value)
    assert "OPENAI" not in str(told.value)
