"""Idempotency keys: honoured, ignored, forgotten, reused and met twice at once."""

import asyncio
from typing import Any

import pytest

from tests.shop.conftest import ENDPOINTS

REPEATABLE = ["holds", "charges", "refunds"]


def replayed(response: Any) -> bool:
    return bool(response.headers.get("Idempotent-Replayed") == "true")


@pytest.mark.parametrize("endpoint", ENDPOINTS)
async def test_the_same_key_replays_the_answer_and_performs_once(shop: Any, endpoint: str) -> None:
    body = await shop.body_for(endpoint, "r")
    first = await shop.post(f"/{endpoint}", body, key="k")
    second = await shop.post(f"/{endpoint}", body, key="k")
    assert (first.status_code, replayed(first)) == (201, False)
    assert (second.status_code, replayed(second)) == (201, True)
    assert first.json() == second.json()
    assert len(await shop.effects("r")) == 1


@pytest.mark.parametrize("endpoint", REPEATABLE)
async def test_an_ignored_key_or_none_performs_again_under_the_same_reference(shop, endpoint):
    await shop.put("/admin/keys", endpoint=endpoint, honour=False)
    body = await shop.body_for(endpoint, "r")
    for _ in range(2):
        assert not replayed(await shop.post(f"/{endpoint}", body, key="k"))
    assert len(await shop.matches(endpoint, "r")) == 2
    assert len(await shop.effects("r")) == 2
    await shop.put("/admin/keys", endpoint=endpoint, honour=True)
    await shop.done(f"/{endpoint}", body)
    assert len(await shop.matches(endpoint, "r")) == 3


@pytest.mark.parametrize("stored", [True, False])
async def test_a_refusal_that_is_stored_is_replayed_and_another_tried_again(shop: Any, stored):
    await shop.put("/admin/keys", endpoint="holds", stores_failures=stored)
    await shop.put("/admin/products/BOOT-002", stock=0)
    body = await shop.body_for("holds", "r")
    assert (await shop.post("/holds", body, key="k")).status_code == 409
    await shop.put("/admin/products/BOOT-002", stock=5)
    again = await shop.post("/holds", body, key="k")
    assert (again.status_code, replayed(again)) == ((409, True) if stored else (201, False))
    if stored:
        assert again.json()["available"] == 0
        assert await shop.effects() == []
    assert replayed(await shop.post("/holds", body, key="k"))


async def test_a_key_is_forgotten_after_its_retention(shop: Any) -> None:
    body = await shop.body_for("charges", "r")
    await shop.done("/charges", body, key="k")
    await shop.put("/admin/keys", endpoint="charges", retention_seconds=0)
    assert not replayed(await shop.post("/charges", body, key="k"))
    await shop.put("/admin/keys", endpoint="charges", retention_seconds=3600)
    assert replayed(await shop.post("/charges", body, key="k"))
    assert len(await shop.matches("charges", "r")) == 2


async def test_a_second_request_waits_while_the_first_is_in_progress(shop: Any) -> None:
    await shop.fault("charges", "slow", seconds=3_600)
    body = await shop.body_for("charges", "r")
    first = asyncio.create_task(shop.post("/charges", body, key="k"))
    await shop.until(shop.in_flight)
    others = [asyncio.create_task(shop.post("/charges", body, key="k")) for _ in range(3)]
    await shop.done("/charges", await shop.body_for("charges", "other"), key="other")
    assert not any(task.done() for task in (first, *others))
    await shop.hurry()
    answers = await asyncio.gather(first, *others)
    assert [replayed(answer) for answer in answers] == [False, True, True, True]
    assert len({answer.json()["charge_id"] for answer in answers}) == 1
    assert len(await shop.effects("r")) == 1


@pytest.mark.parametrize(("honour", "performed"), [(True, 1), (False, 2)])
async def test_a_late_performer_finds_its_key_used_where_there_is_one(shop, honour, performed):
    await shop.put("/admin/keys", endpoint="charges", honour=honour)
    await shop.fault("charges", "late", seconds=3_600, beyond_settle=True)
    body = await shop.body_for("charges", "r")
    await shop.given_up("/charges", body, key="k")
    again = await shop.post("/charges", body, key="k")
    assert (again.status_code, replayed(again)) == (201, False)
    await shop.hurry()
    assert len(await shop.effects("r")) == len(await shop.matches("charges", "r")) == performed
