"""The demo shop tells what becomes of orders, and is told who asks: as a server hears and signs."""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from langgraph.types import StateSnapshot

from daybook.checkpoints.postgres import Postgres
from daybook.graph.merchants.events import take_up
from daybook.graph.merchants.resources import PROFILE_PATH, merchants_from
from daybook.state.clock import SYSTEM
from daybook.state.errors import ThreadBusy
from daybook.tools.merchants.ucp.signatures import SigningKey, signing_key
from evals.crash.merchants import Ear, listening
from tests.conversation import Conversation, answer_of, turn_receipt_text
from tests.merchants.own import Own, buying_at
from tests.merchants.test_orders import stored
from tests.shop_process import PATIENCE, ShopProcess


@dataclass
class Heard:
    """A buyer at the demo shop whom the shop can reach."""

    own: Own
    ear: Ear
    folder: Path

    async def bought(self) -> tuple[Conversation, str]:
        talk = await self.own.asked()
        await self.free(talk.approve)
        (order,) = (await talk.state()).values["orders"]
        return talk, order.order_id

    async def free(self, act: Callable[[], Awaitable[StateSnapshot]]) -> StateSnapshot:
        """Do something in a thread once nobody else is at work on it."""
        async with SYSTEM.timeout(PATIENCE):
            while True:
                try:
                    return await act()
                except ThreadBusy:
                    await SYSTEM.sleep(0.02)

    async def becomes(self, order_id: str, what: str) -> None:
        """Let something become of the goods of an order."""
        body = {"type": what, "carrier": "Post", "tracking_number": "RR1"}
        place = f"/admin/ucp/orders/{order_id}/shipments"
        (await self.own.http.post(place, json=body)).raise_for_status()

    async def lines(self, talk: Conversation, *wanted: str) -> None:
        """Wait until so many things are told, each of which begins as is said."""
        resources = self.own.buyer.resources

        async def they_are() -> bool:
            # What was told while somebody was at work on its thread is taken up by a worker.
            for event in await resources.postgres.outside.left([self.own.name], 50):
                await take_up(resources, event)
            (order,) = (await talk.state()).values["orders"]
            return len(order.told) == len(wanted) and all(
                line.startswith(start) for line, start in zip(order.told, wanted, strict=True)
            )

        await self.own.until(they_are)

    async def told(self, *states: str) -> None:
        """Wait until the shop's events stand so."""

        async def they_do() -> bool:
            events = (await self.own.http.get("/admin/webhooks")).json()
            return [one["state"] for one in events] == [*states]

        await self.own.until(they_do)

    async def said_of_orders(self, talk: Conversation) -> list[str]:
        """Say something, and return the notices about orders in its receipts."""
        self.own.buyer.model.then("You are welcome.")
        found = await self.free(lambda: talk.say("thanks"))
        assert answer_of(found) == "You are welcome."
        return [one for one in turn_receipt_text(found).split("\n") if "on the order" in one]

    async def must_sign(self) -> None:
        settings = await self.own.http.put("/admin/settings", json={"signatures": "required"})
        settings.raise_for_status()

    def signing_with(self, key: SigningKey | None) -> None:
        """Let the buyer sign with another key, or not at all."""
        (client,) = self.own.buyer.resources.services.merchants
        client._key = key


@pytest.fixture(params=["rest", "mcp"])
async def heard(
    request: pytest.FixtureRequest,
    shop_process: ShopProcess,
    postgres: Postgres,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> AsyncIterator[Heard]:
    async with listening() as ear:
        monkeypatch.setenv("DAYBOOK_PUBLIC_URL", ear.url)
        monkeypatch.setenv("DAYBOOK_HOME", str(tmp_path))
        key, profile = signing_key(merchants_from().key), f"{ear.url}{PROFILE_PATH}"
        about = (shop_process.url, request.param, postgres, tmp_path, key, profile)
        async with buying_at(*about) as own:
            checks = await own.http.put("/admin/settings", json={"profiles": "checked"})
            checks.raise_for_status()
            ear.resources = own.buyer.resources
            yield Heard(own, ear, tmp_path)


# -- what becomes of orders -----------------------------------------------------------------------


async def test_events_out_of_order_and_doubled_are_told_once_each(heard: Heard):
    talk, order_id = await heard.bought()
    await heard.told("told")
    await heard.own.fault("webhooks", "late", seconds=60, match=order_id, beyond_settle=True)
    await heard.becomes(order_id, "shipped")
    await heard.told("told", "waiting")
    await heard.own.fault("webhooks", "double", match=order_id)
    await heard.becomes(order_id, "delivered")
    await heard.lines(talk, "shipped", "delivered")
    (await heard.own.http.post("/admin/hurry")).raise_for_status()
    await heard.told("told", "told", "told")
    await heard.lines(talk, "shipped", "delivered")
    first, second = await heard.said_of_orders(talk)
    assert "shipped" in first
    assert "Post, RR1" in first
    assert "delivered" in second
    assert await heard.said_of_orders(talk) == []
    assert set(heard.ear.answered) == {202}


async def test_a_forged_event_is_refused_and_the_true_one_is_told(heard: Heard):
    talk, order_id = await heard.bought()
    await heard.told("told")
    await heard.own.fault("webhooks", "forge", match=order_id)
    await heard.becomes(order_id, "shipped")
    await heard.lines(talk, "shipped")
    assert heard.ear.answered[401] == 1


# -- who asks -------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["none", "nobody's", "lent name"])
async def test_a_merchant_that_wants_signatures_takes_ours_and_no_other(heard: Heard, how: str):
    await heard.must_sign()
    nobody = signing_key(heard.folder / "elsewhere" / "nobody.pem")
    ours = signing_key(merchants_from().key)
    keys = {"none": None, "nobody's": nobody, "lent name": SigningKey(ours.key_id, nobody.private)}
    talk = await heard.own.asked()
    heard.signing_with(keys[how])
    found = await talk.approve()
    assert await heard.own.effects() == ["reserve"]
    assert not found.values["orders"]
    assert (found.next, found.interrupts) == ((), ())
    heard.signing_with(ours)
    heard.own.buyer.model.script.clear()
    # It was refused at once, and is ordered once whoever asks is known again.
    await (await heard.own.asked()).approve()
    assert [one for one in await heard.own.effects() if one != "reserve"] == ["charge", "order"]


async def test_our_key_is_changed_while_merchants_go_on(heard: Heard):
    await heard.must_sign()
    await heard.own.opened()
    path = merchants_from().key
    before = signing_key(path)
    path.rename(path.with_name("before.pem"))
    after = signing_key(path)
    assert after.key_id != before.key_id
    # Who was started before signs with the key that was, which is published still.
    await heard.own.opened()
    heard.signing_with(after)
    talk = await heard.own.asked()
    await talk.approve()
    assert (await heard.own.effects()).count("order") == 1


async def test_the_private_key_is_in_no_log_and_no_table(
    heard: Heard, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.DEBUG)
    await heard.must_sign()
    await heard.bought()
    tables, path = await stored(heard.own.buyer), merchants_from().key
    key = signing_key(path)
    number = key.private.private_numbers().private_value
    written = [one for one in path.read_text().split("\n") if len(one) > 30]
    for secret in (hex(number)[2:], str(number), *written):
        assert [name for name, rows in tables.items() if secret in rows] == []
        assert secret not in caplog.text
        assert secret not in repr(key)
