"""The retailer of tau-bench as a process: worlds, keys, the log, faults; over real sockets."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from evals.tau_retail.outside import retailer
from tests.apart.recorded.runs import recorded

INITIAL = "ae10e8a7f23bedf88c90a528efa2d59d27cae24b5ce1f0d28768b39257bf9f0d"
ORDER = {"order_id": "#W2378156"}
HOME = {
    "user_id": "yusuf_rossi_9620",
    "address1": "763 Broadway",
    "address2": "Süd 135",
    "city": "Philadelphia",
    "state": "PA",
    "country": "USA",
    "zip": "19122",
}
RETURN = {
    **ORDER,
    "item_ids": ["1151293680"],
    "payment_method_id": "credit_card_9513926",
}


@dataclass
class World:
    """Hold one world of the retailer."""

    http: httpx.Client
    name: str

    def at(self, path: str = "") -> str:
        return f"/worlds/{quote(self.name, safe='')}{path}"

    def read(self, tool: str, **args: Any) -> httpx.Response:
        return self.http.get(self.at(f"/reads/{tool}"), params={"args": json.dumps(args)})

    def write(self, tool: str, key: str | None = None, **args: Any) -> httpx.Response:
        headers = {} if key is None else {"Idempotency-Key": quote(key, safe="/")}
        return self.http.post(self.at(f"/writes/{tool}"), json=args, headers=headers)

    def log(self) -> Any:
        return self.http.get(self.at("/log")).raise_for_status().json()

    def sha256(self) -> str:
        found: str = self.http.get(self.at("/hash")).raise_for_status().json()["sha256"]
        return found

    def executions(self, key: str) -> Any:
        found = self.http.get(self.at("/executions"), params={"key": key})
        return found.raise_for_status().json()["matches"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("retailer")


@pytest.fixture(scope="module")
def http(folder: Path) -> Iterator[httpx.Client]:
    with (
        retailer(recorded().folder, folder) as url,
        httpx.Client(base_url=url, trust_env=False) as http,
    ):
        yield http


@pytest.fixture
def world(http: httpx.Client, request: pytest.FixtureRequest) -> World:
    """Make a world with a name such as a trial of a run has it."""
    world = World(http, f"retail/gpt-4o-a/t000.0#{request.node.name}")
    http.put(world.at()).raise_for_status()
    return world


def test_a_world_begins_as_the_specification_says_and_stays_when_it_is_put_again(world: World):
    assert world.sha256() == INITIAL
    assert world.write("modify_user_address", **HOME).status_code == 200
    after = world.sha256()
    assert after != INITIAL
    world.http.put(world.at()).raise_for_status()
    assert world.sha256() == after


def test_what_was_executed_is_logged_in_order_refused_or_not(world: World):
    world.write("return_delivered_order_items", "a", **RETURN)
    world.write("return_delivered_order_items", "b", **RETURN)
    world.write("modify_user_address", **HOME)
    done = world.log()["executions"]
    assert [(one["n"], one["tool"], one["key"], one["changed"]) for one in done] == [
        (1, "return_delivered_order_items", "a", True),
        (2, "return_delivered_order_items", "b", False),
        (3, "modify_user_address", None, True),
    ]
    assert done[0]["args"] == RETURN
    assert done[1]["text"] == "Error: non-delivered order cannot be returned"


def test_a_key_that_comes_again_is_answered_as_before_and_nothing_is_executed(world: World):
    key = "turn/ä b#1/0.0/modify"
    first = world.write("return_delivered_order_items", key, **RETURN)
    again = world.write("return_delivered_order_items", key, **RETURN)
    assert (again.status_code, again.json()) == (first.status_code, first.json())
    refused = [world.write("return_delivered_order_items", "second", **RETURN) for _ in range(2)]
    assert [one.status_code for one in refused] == [409, 409]
    log = world.log()
    assert [one["key"] for one in log["executions"]] == [key, "second"]
    assert log["repeats"] == 2


@pytest.mark.parametrize(
    ("tool", "args"),
    [("return_delivered_order_items", {**RETURN, "item_ids": []}), ("modify_user_address", HOME)],
)
def test_a_key_that_comes_with_another_call_is_refused(
    world: World, tool: str, args: dict[str, Any]
):
    world.write("return_delivered_order_items", "k", **RETURN)
    answer = world.write(tool, "k", **args)
    assert (answer.status_code, answer.json()["error"]) == (422, "key_reused")
    assert len(world.log()["executions"]) == 1


def test_an_execution_can_be_looked_up_by_its_key_unless_it_was_refused(world: World):
    text = world.write("return_delivered_order_items", "a/b", **RETURN).json()["text"]
    world.write("return_delivered_order_items", "c", **RETURN)
    assert world.executions("a/b") == [{"text": text, "key": "a/b"}]
    assert world.executions("c") == world.executions("never") == []


def test_reads_of_a_world_can_be_away(world: World):
    world.http.put(world.at("/fault"), json={"armed": True}).raise_for_status()
    answer = world.read("get_order_details", **ORDER)
    assert (answer.status_code, answer.json()) == (503, {"text": "Error: 503 Service Unavailable"})
    assert world.log()["reads"] == 0
    world.http.put(world.at("/fault"), json={"armed": False}).raise_for_status()
    assert world.read("get_order_details", **ORDER).status_code == 200
