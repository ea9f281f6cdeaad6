"""What earlier commits stored of a thread's state is restored as the classes of today.

A checkpoint names a class by its module. One that is found no more comes back as a dict, without a
word: so every name that was ever written has to be found.
"""

import enum
import gzip
import json
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import ormsgpack
import pytest
from pydantic import BaseModel

from daybook.checkpoints.encryption import cipher_of
from daybook.checkpoints.postgres import open_postgres
from daybook.state.calls import Application, HybridCall, ReadCall, WriteCall
from daybook.state.ledger.recovery import StepState
from daybook.state.people.facts import Fact
from daybook.state.prompt.lessons import Lesson
from daybook.state.shop.brief import Brief, Wish
from daybook.state.shop.cart import Cart, CartLine, Removed
from daybook.state.shop.state import Checkout, OrderSeen
from daybook.tools.shop.domain import SHOP
from tests.conftest import Agent, Shop, shop_agent
from tests.conversation import Conversation, answer_of
from tests.databases import database
from tests.integration.desk import open_desk
from tests.integration.test_stored_threads import left_as_then
from tests.purchases import PURCHASE
from tests.scripted import last_result
from tests.stored_questions import FOLDER, KEY, read
from tests.stored_threads import FIXTURES, Stored

NAMES = [
    (path.stem.removeprefix("stored_types_"), module, name)
    for path in sorted(FIXTURES.glob("stored_types_*.json"))
    for module, name in json.loads(path.read_text())
]
STORED = {folder: sorted(folder.glob("*.json.gz")) for folder in sorted(FOLDER.iterdir())}
THEN = FOLDER / "3902609"

YES = {"type": "approve"}
_SINGLE_ARGUMENT, _MODEL = 0, 5
"""How LangGraph marks an enum and a model."""


@pytest.fixture
def empty_url(server_url: str) -> Iterator[str]:
    """Yield an empty database of this test's own."""
    with database(server_url) as url:
        yield url


@asynccontextmanager
async def opened(
    url: str, name: str, shop: Shop, monkeypatch: pytest.MonkeyPatch, key: bytes | None = None
) -> AsyncIterator[tuple[Agent, Conversation]]:
    """Restore a thread into a database as its commit left it, and open that with this one."""
    thread = read(THEN, name)
    await left_as_then(url, thread, monkeypatch)
    types = SHOP.restored_types
    async with (
        open_postgres(url, tenant_id="default", stored_types=types, key=key) as postgres,
        shop_agent(postgres, shop) as agent,
    ):
        yield agent, Conversation(agent.graph, "ada", thread["thread_id"])


def lost(commit: str, module: str, name: str) -> str:
    return (
        f"Checkpoints of {commit} name {module}.{name}, which is found no more: the state of such "
        "threads comes back as plain data. Let the serializer find it under its old name."
    )


def of_today(name: str) -> type:
    (found,) = [one for one in SHOP.restored_types if one.__name__ == name]
    return found


# -- by their names -------------------------------------------------------------------------------


@pytest.mark.parametrize("key", [None, KEY], ids=["plain", "aes"])
@pytest.mark.parametrize(("commit", "module", "name"), NAMES)
def test_a_class_is_found_under_every_name_that_it_was_stored_by(commit, module, name, key):
    is_known = name in {one.__name__ for one in SHOP.restored_types}
    assert is_known, lost(commit, module, name)
    ours = of_today(name)
    is_enum = issubclass(ours, enum.Enum)
    value = next(iter(ours)).value if is_enum else {}
    stored = ormsgpack.packb(
        ormsgpack.Ext(
            _SINGLE_ARGUMENT if is_enum else _MODEL, ormsgpack.packb([module, name, value])
        )
    )
    restored = cipher_of(key).serializer(SHOP.restored_types).loads_typed(("msgpack", stored))
    assert type(restored) is ours, lost(commit, module, name)


def named_in(blob: bytes) -> set[tuple[str, str]]:
    """Read which classes a stored value names."""
    found = set()

    def named(code: int, data: bytes) -> Any:
        module, name, value, *_ = unpacked(data)
        found.add((module, name))
        return value

    def unpacked(data: bytes) -> Any:
        return ormsgpack.unpackb(data, ext_hook=named, option=ormsgpack.OPT_NON_STR_KEYS)

    unpacked(blob)
    return found


def blobs(thread: Mapping[str, Any]) -> Iterator[bytes]:
    for table in ("checkpoint_blobs", "checkpoint_writes"):
        for row in thread["tables"][table]:
            blob = bytes.fromhex((row["blob"] or "").removeprefix("\\x"))
            if row["type"] == "msgpack":
                yield blob
            elif row["type"] == "msgpack+aes":
                yield cipher_of(KEY).decrypt_old(blob)


def objects(value: Any) -> Iterator[type]:
    """Yield the types of what a restored value is made of."""
    yield type(value)
    if isinstance(value, BaseModel):
        value = [getattr(value, name) for name in type(value).model_fields]
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for part in value:
            yield from objects(part)


@pytest.mark.parametrize("folder", STORED, ids=lambda folder: folder.name)
def test_whatever_a_stored_thread_names_is_restored_as_a_class(folder: Path):
    serde = cipher_of(None).serializer(SHOP.restored_types)
    for path in STORED[folder]:
        for blob in blobs(json.loads(gzip.decompress(path.read_bytes()))):
            restored = {one.__name__ for one in objects(serde.loads_typed(("msgpack", blob)))}
            for module, name in named_in(blob):
                assert name in restored, lost(folder.name, module, name)


# -- by what they hold ----------------------------------------------------------------------------


async def test_what_a_person_said_and_chose_comes_back_as_it_was(empty_url, shop, monkeypatch):
    async with opened(empty_url, "what_a_person_said", shop, monkeypatch) as (agent, talk):
        values = (await talk.state()).values
        cart, brief = values["cart"], values["brief"]
        assert (type(cart), type(brief), type(values["checkout"])) == (Cart, Brief, Checkout)
        assert [type(line) for line in cart.lines] == [CartLine, CartLine]
        assert [(line.sku, line.quantity) for line in cart.lines] == [
            ("BOOT-001", 1),
            ("BOOT-003", 1),
        ]
        assert [(type(gone), gone.sku) for gone in cart.removed] == [(Removed, "BOOT-002")]
        assert (brief.goal, brief.category, brief.max_price, brief.size, brief.for_whom) == (
            *("a week in the Alps", "hiking-boots", 15_000, "42", "me"),
        )
        assert brief.must_have == ("waterproof", "leather")
        assert brief.wish == Wish(text="see socks", turn_id=values["turn"]["turn_id"])
        [fact] = values["facts"]
        assert (type(fact), fact.subject, fact.value, fact.kind) == (
            *(Fact, "shoe size", "42", "constraint"),
        )
        assert type(fact.at) is datetime
        [lesson] = values["lessons"]
        assert (type(lesson), lesson.tool, lesson.count) == (Lesson, "add_to_cart", 2)
        calls = list(values["ledger"].values())
        assert {type(call) for call in calls} == {Application, ReadCall}
        assert [call.tool for call in calls if type(call) is ReadCall] == ["search_products"]
        assert values["flow"] == "shopping"
        # The thread goes on with them.
        agent.model.then([("checkout", {})], last_result)
        assert (await talk.say("buy them")).interrupts
        prompt = "\n".join(message.text for message in agent.model.prompts[-1])
        assert "category=hiking-boots; max 150.00 USD" in prompt
        assert (await talk.state()).values["cart"] == cart


async def test_a_finished_purchase_comes_back_as_it_was(empty_url, shop, monkeypatch):
    async with opened(empty_url, "a_finished_purchase", shop, monkeypatch) as (agent, talk):
        values = (await talk.state()).values
        checkout = values["checkout"]
        [order] = checkout.orders
        assert (type(checkout), type(order)) == (Checkout, OrderSeen)
        assert (order.status, order.total, order.currency) == ("placed", 9_890, "USD")
        calls = [call for call in values["ledger"].values() if type(call) is not Application]
        assert {type(call) for call in calls} == {HybridCall, WriteCall}
        assert {call.status for call in calls} == {StepState.DONE}
        assert {type(call.status) for call in calls} == {StepState}
        agent.model.then("It is on its way.")
        assert answer_of(await talk.say("where is it?")).endswith("It is on its way.")


async def test_an_encrypted_question_is_read_with_its_key_and_answered(
    empty_url: str, shop: Shop, monkeypatch: pytest.MonkeyPatch
):
    name = "an_encrypted_question"
    written = [row["type"] for row in read(THEN, name)["tables"]["checkpoint_blobs"]]
    assert {kind.endswith("+aes") for kind in written} == {True}
    async with opened(empty_url, name, shop, monkeypatch, KEY) as (agent, talk):
        waiting = await talk.state()
        [question] = waiting.interrupts
        assert question.value["plan"][0]["title"] == "Check out for 98.90 USD"
        cart = waiting.values["cart"]
        assert (type(cart), [line.sku for line in cart.lines]) == (Cart, ["BOOT-001"])
        assert HybridCall in {type(call) for call in waiting.values["ledger"].values()}
        agent.model.then(last_result)
        done = await talk.approve()
        assert done.values["flow"] == "ordered"
        assert shop.happened() == PURCHASE


async def test_an_agent_of_create_agent_that_waits_is_answered(empty_url, shop, monkeypatch):
    thread: Stored = read(THEN, "an_agent_that_waits")
    await left_as_then(empty_url, thread, monkeypatch)
    async with (
        open_postgres(empty_url, tenant_id="default", stored_types=()) as postgres,
        open_desk(postgres, shop.url) as desk,
    ):
        desk.thread = thread["thread_id"]
        [question] = (await desk.state()).interrupts
        [request] = question.value["action_requests"]
        assert (request["name"], request["args"]["amount"]) == ("charge_card", 1200)
        desk.model.then("It is paid.")
        assert not (await desk.answer(YES)).interrupts
        assert shop.effects() == [("charge", "order/o-1/charge/1")]
        assert await desk.said() == "It is paid."
