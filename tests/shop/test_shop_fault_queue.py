"""Which request meets which fault."""

import asyncio
from typing import Any

import pytest


async def charge(shop: Any, reference: str) -> int:
    body = await shop.body_for("charges", reference)
    status: int = (await shop.post("/charges", body)).status_code
    return status


async def test_a_fault_is_met_as_often_as_it_says(shop: Any) -> None:
    await shop.fault("charges", "refuse", times=2)
    assert [await charge(shop, "r") for _ in range(3)] == [503, 503, 201]


async def test_a_fault_waits_for_a_reference_that_matches(shop: Any) -> None:
    await shop.fault("charges", "refuse", match="checkout/7/")
    assert await charge(shop, "checkout/8/charge") == 201
    assert await charge(shop, "checkout/7/charge") == 503
    assert await charge(shop, "checkout/7/charge") == 201


async def test_a_fault_is_met_at_its_own_endpoint_only(shop: Any) -> None:
    await shop.fault("refunds", "refuse")
    assert await charge(shop, "r") == 201


async def test_faults_are_met_in_the_order_in_which_they_were_queued(shop: Any) -> None:
    await shop.fault("charges", "drop")
    await shop.fault("charges", "refuse")
    with pytest.raises(shop.lost):
        await charge(shop, "r")
    assert await charge(shop, "r") == 503


async def test_a_request_that_makes_no_sense_does_not_use_up_a_fault(shop: Any) -> None:
    await shop.fault("charges", "refuse")
    assert (await shop.post("/charges", {})).status_code == 422
    assert await charge(shop, "r") == 503


async def test_remaining_faults_are_listed_and_cleared(shop: Any) -> None:
    await shop.fault("charges", "refuse", times=3, match="x")
    await charge(shop, "x")
    (fault,) = (await shop.get("/admin/faults"))["faults"]
    assert fault.items() >= {"endpoint": "charges", "mode": "refuse", "times": 2}.items()
    assert (await shop.http.delete("/admin/faults")).json()["faults"] == []
    assert await charge(shop, "x") == 201


async def test_a_late_effect_may_not_break_the_promise_of_the_settling_time_unasked(shop):
    late = {"endpoint": "charges", "mode": "late", "seconds": 2.5}
    response = await shop.post("/admin/faults", late)
    assert (response.status_code, response.json()["error"]) == (422, "beyond_settle")
    assert (await shop.post("/admin/faults", {**late, "beyond_settle": True})).status_code == 201


async def test_a_slow_request_that_was_given_up_is_performed_within_the_settling_time(shop):
    await shop.put("/admin/settings", settle_seconds=0.4)
    await shop.fault("charges", "slow", seconds=3_600)
    await shop.given_up("/charges", await shop.body_for("charges", "r"))
    await shop.calm()
    assert len(await shop.effects("r")) == 1


async def test_a_request_that_waits_for_its_key_and_is_given_up_is_not_performed(shop):
    await shop.fault("charges", "slow", seconds=3_600)
    body = await shop.body_for("charges", "r")
    first = asyncio.create_task(shop.post("/charges", body, key="k"))
    await shop.until(shop.in_flight)
    with pytest.raises(shop.timed_out):
        await shop.post("/charges", body, key="k", patience=0.2)
    # Without its key, nothing but its having been given up would keep the second from happening.
    await shop.put("/admin/keys", endpoint="charges", honour=False)
    await shop.hurry()
    assert (await first).status_code == 201
    assert len(await shop.effects("r")) == 1


async def test_a_look_up_can_be_unreachable(shop: Any) -> None:
    await shop.charged("r")
    await shop.fault("lookups", "refuse", match="r")
    response = await shop.http.get("/charges", params={"reference": "r"})
    assert (response.status_code, response.json()["error"]) == (503, "unavailable")
    assert len(await shop.matches("charges", "r")) == 1


@pytest.mark.parametrize("mode", ["drop", "timeout", "late"])
async def test_a_look_up_can_stay_without_an_answer(shop: Any, mode: str) -> None:
    await shop.fault("lookups", mode, seconds=0.1)
    with pytest.raises(shop.lost):
        await shop.matches("charges", "r")


async def test_a_look_up_can_be_slow(shop: Any) -> None:
    await shop.charged("r")
    await shop.fault("lookups", "slow", seconds=0.1)
    assert len(await shop.matches("charges", "r")) == 1


@pytest.mark.parametrize(
    "fault",
    [
        {"endpoint": "nowhere", "mode": "refuse"},
        {"endpoint": "charges", "mode": "explode"},
        {"endpoint": "charges", "mode": "refuse", "times": 0},
        {"endpoint": "charges", "mode": "slow", "seconds": -1},
        {"endpoint": "mail", "mode": "late"},
        {"endpoint": "charges", "mode": "refuse", "colour": "red"},
        {"endpoint": "charges"},
    ],
)
async def test_a_fault_that_makes_no_sense_is_not_queued(shop: Any, fault: dict[str, Any]) -> None:
    assert (await shop.post("/admin/faults", fault)).status_code == 422
    assert (await shop.get("/admin/faults"))["faults"] == []
