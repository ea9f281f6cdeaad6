"""Every way in which an endpoint can fail its caller, and what is then true."""

import asyncio
from typing import Any

import pytest

ENDPOINTS = ["holds", "releases", "charges", "refunds", "orders", "cancellations"]

pytestmark = pytest.mark.parametrize("endpoint", ENDPOINTS)


async def test_refuse_answers_503_and_does_nothing(shop: Any, endpoint: str) -> None:
    body = await shop.body_for(endpoint, "r")
    await shop.fault(endpoint, "refuse")
    response = await shop.post(f"/{endpoint}", body)
    assert (response.status_code, response.json()["error"]) == (503, "unavailable")
    assert await shop.effects("r") == []
    await shop.done(f"/{endpoint}", body)


async def test_drop_performs_and_closes_without_a_byte(shop: Any, endpoint: str) -> None:
    body = await shop.body_for(endpoint, "r")
    await shop.fault(endpoint, "drop")
    with pytest.raises(shop.lost):
        await shop.post(f"/{endpoint}", body)
    assert len(await shop.matches(endpoint, "r")) == 1
    assert len(await shop.effects("r")) == 1


async def test_timeout_performs_and_stays_silent_until_the_caller_gives_up(shop, endpoint):
    body = await shop.body_for(endpoint, "r")
    await shop.fault(endpoint, "timeout", seconds=3_600)
    await shop.given_up(f"/{endpoint}", body)
    await shop.calm()
    assert len(await shop.matches(endpoint, "r")) == 1
    assert len(await shop.effects("r")) == 1


async def test_timeout_is_bounded_for_a_patient_caller(shop: Any, endpoint: str) -> None:
    body = await shop.body_for(endpoint, "r")
    await shop.fault(endpoint, "timeout", seconds=0.1)
    with pytest.raises(shop.lost):
        await shop.post(f"/{endpoint}", body)
    assert len(await shop.effects("r")) == 1


async def test_late_performs_only_after_the_caller_gave_up(shop: Any, endpoint: str) -> None:
    body = await shop.body_for(endpoint, "r")
    await shop.fault(endpoint, "late", seconds=3_600, beyond_settle=True)
    await shop.given_up(f"/{endpoint}", body)
    assert await shop.matches(endpoint, "r") == []
    await shop.hurry()
    assert len(await shop.matches(endpoint, "r")) == 1
    assert len(await shop.effects("r")) == 1


async def test_late_cuts_off_a_patient_caller_and_then_performs(shop: Any, endpoint: str) -> None:
    body = await shop.body_for(endpoint, "r")
    await shop.fault(endpoint, "late", seconds=0.1)
    with pytest.raises(shop.lost):
        await shop.post(f"/{endpoint}", body)
    assert len(await shop.until(lambda: shop.matches(endpoint, "r"))) == 1


async def test_slow_performs_and_answers_in_the_end(shop: Any, endpoint: str) -> None:
    body = await shop.body_for(endpoint, "r")
    await shop.fault(endpoint, "slow", seconds=3_600)
    slow = asyncio.create_task(shop.post(f"/{endpoint}", body))
    await shop.until(shop.in_flight)
    assert await shop.matches(endpoint, "r") == []
    assert not slow.done()
    await shop.hurry()
    assert (await slow).status_code == 201
    assert len(await shop.effects("r")) == 1


async def test_a_reset_lets_go_of_what_waits_and_nothing_of_it_happens(shop, endpoint):
    body = await shop.body_for(endpoint, "r")
    await shop.fault(endpoint, "late", seconds=60, beyond_settle=True)
    late = asyncio.create_task(shop.post(f"/{endpoint}", body))
    await shop.until(shop.in_flight)
    await shop.http.post("/admin/reset")
    with pytest.raises(shop.lost):
        await late
    await shop.calm()
    assert await shop.effects() == []
