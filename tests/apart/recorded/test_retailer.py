"""The retailer of tau-bench: worlds, keys, the log, faults; over real sockets."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from evals.tau_retail.outside import Retailer, open_retailer
from evals.tau_retail.retailer import worlds
from tests.apart.recorded.runs import recorded

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

    retailer: Retailer
    name: str

    def at(self, path: str) -> str:
        return f"{self.retailer.url}/worlds/{quote(self.name, safe='')}{path}"

    def read(self, tool: str, **args: Any) -> httpx.Response:
        asked = {"args": json.dumps(args)}
        return httpx.get(self.at(f"/reads/{tool}"), params=asked, trust_env=False)

    def write(self, tool: str, key: str = "", **args: Any) -> httpx.Response:
        headers = {"Idempotency-Key": quote(key, safe="/")} if key else {}
        return httpx.post(self.at(f"/writes/{tool}"), json=args, headers=headers, trust_env=False)

    def executions(self, key: str) -> Any:
        found = httpx.get(self.at("/executions"), params={"key": key}, trust_env=False)
        return found.raise_for_status().json()["matches"]

    @property
    def seen(self) -> worlds.World:
        return self.retailer.world(self.name)


@pytest.fixture(scope="module")
def retailer() -> Iterator[Retailer]:
    with open_retailer(recorded()) as retailer:
        yield retailer


@pytest.fixture
def world(retailer: Retailer, request: pytest.FixtureRequest) -> World:
    """Make a world with a name such as a trial of a run has it."""
    world = World(retailer, f"retail/gpt-4o-a/t000.0#{request.node.name}")
    retailer.begin(world.name)
    return world


def test_a_key_that_comes_again_is_answered_as_before_and_nothing_is_executed(world: World):
    key = "turn/ä b#1/0.0/modify"
    first = world.write("return_delivered_order_items", key, **RETURN)
    again = world.write("return_delivered_order_items", key, **RETURN)
    assert (again.status_code, again.json()) == (first.status_code, first.json())
    refused = [world.write("return_delivered_order_items", "second", **RETURN) for _ in range(2)]
    assert [one.status_code for one in refused] == [409, 409]
    assert [one["key"] for one in world.seen.executions] == [key, "second"]
    assert world.seen.repeats == 2


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
    assert len(world.seen.executions) == 1


def test_an_execution_can_be_looked_up_by_its_key_unless_it_was_refused(world: World):
    text = world.write("return_delivered_order_items", "a/b", **RETURN).json()["text"]
    world.write("return_delivered_order_items", "c", **RETURN)
    assert world.executions("a/b") == [{"text": text, "key": "a/b"}]
    assert world.executions("c") == world.executions("never") == []
