"""Every way in which an endpoint can fail its caller, what is then true, and who meets which."""

import asyncio
from typing import Any

import pytest

from tests.shop.conftest import ENDPOINTS


async def charge(shop: Any, reference: str) -> int:
    body = await shop.body_for("charges", reference)
    status: int = (await shop.post("/charges", body)).status_code
    return status


@pytest.mark.parametrize("endpoint", ENDPOINTS)
async def test_refuse_answers_503_and_does_nothing(shop: Any, endpoint: str) -> None:
    body = await shop.body_for(endpoint, "r")
    await shop.fault(endpoint, "refuse")
    response = await shop.post(f"/{endpoint}", body)
    assert (response.status_code, response.json()["error"]) == (503, "unavailable")
    assert await shop.effects("r") == []
    await shop.done(f"/{endpoint}", body)


@pytest.mark.parametrize("endpoint", ENDPOINTS)
@pytest.mark.parametrize("mode", ["drop", "timeout", "late"])
async def test_a_caller_that_hears_nothing_finds_one_effect(shop: Any, mode: str, endpoint: str):
    """At once where the answer is lost or kept back, else after the caller gave up."""
    body = await shop.body_for(endpoint, "r")
    await shop.fault(endpoint, mode, seconds=3_600, beyond_settle=True)
    if mode == "drop":
        with pytest.raises(shop.lost):
            await shop.post(f"/{endpoint}", body)
    else:
        await shop.given_up(f"/{endpoint}", body)
    if mode == "late":
        assert await shop.matches(endpoint, "r") == []
        await shop.hurry()
    await shop.calm()
    assert len(await shop.matches(endpoint, "r")) == 1
    assert len(await shop.effects("r")) == 1


@pytest.mark.parametrize("endpoint", ENDPOINTS)
@pytest.mark.parametrize("mode", ["held", "slow"])
async def test_a_patient_caller_is_answered_in_the_end(shop: Any, mode: str, endpoint: str):
    """Held is performed at once, slow at the end."""
    body = await shop.body_for(endpoint, "r")
    await shop.fault(endpoint, mode, seconds=3_600)
    waiting = asyncio.create_task(shop.post(f"/{endpoint}", body))
    await shop.until(shop.in_flight)
    if mode == "held":
        await shop.until(lambda: shop.matches(endpoint, "r"))
    else:
        assert await shop.matches(endpoint, "r") == []
    assert not waiting.done()
    await shop.hurry()
    assert (await waiting).status_code == 201
    assert len(await shop.effects("r")) == 1


async def test_a_fault_is_met_as_often_as_it_says_at_its_own_endpoint_only(shop: Any) -> None:
    await shop.fault("refunds", "refuse")
    await shop.fault("charges", "refuse", times=2)
    assert [await charge(shop, "r") for _ in range(3)] == [503, 503, 201]


async def test_a_fault_waits_for_a_reference_that_matches(shop: Any) -> None:
    await shop.fault("charges", "refuse", match="checkout/7/")
    assert await charge(shop, "checkout/8/charge") == 201
    assert await charge(shop, "checkout/7/charge") == 503
    assert await charge(shop, "checkout/7/charge") == 201
