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
async def test_drop_performs_and_closes_without_a_byte(shop: Any, endpoint: str) -> None:
    body = await shop.body_for(endpoint, "r")
    await shop.fault(endpoint, "drop")
    with pytest.raises(shop.lost):
        await shop.post(f"/{endpoint}", body)
    assert len(await shop.matches(endpoint, "r")) == 1
    assert len(await shop.effects("r")) == 1


@pytest.mark.parametrize("endpoint", ENDPOINTS)
async def test_timeout_performs_and_stays_silent_until_the_caller_gives_up(shop, endpoint):
    body = await shop.body_for(endpoint, "r")
    await shop.fault(endpoint, "timeout", seconds=3_600)
    await shop.given_up(f"/{endpoint}", body)
    await shop.calm()
    assert len(await shop.matches(endpoint, "r")) == 1
    assert len(await shop.effects("r")) == 1


@pytest.mark.parametrize("endpoint", ENDPOINTS)
async def test_late_performs_only_after_the_caller_gave_up(shop: Any, endpoint: str) -> None:
    body = await shop.body_for(endpoint, "r")
    await shop.fault(endpoint, "late", seconds=3_600, beyond_settle=True)
    await shop.given_up(f"/{endpoint}", body)
    assert await shop.matches(endpoint, "r") == []
    await shop.hurry()
    assert len(await shop.matches(endpoint, "r")) == 1
    assert len(await shop.effects("r")) == 1


@pytest.mark.parametrize("endpoint", ENDPOINTS)
async def test_held_performs_at_once_and_answers_in_the_end(shop: Any, endpoint: str) -> None:
    body = await shop.body_for(endpoint, "r")
    await shop.fault(endpoint, "held", seconds=3_600)
    held = asyncio.create_task(shop.post(f"/{endpoint}", body))
    await shop.until(shop.in_flight)
    await shop.until(lambda: shop.matches(endpoint, "r"))
    assert not held.done()
    await shop.hurry()
    assert (await held).status_code == 201
    assert len(await shop.effects("r")) == 1


@pytest.mark.parametrize("endpoint", ENDPOINTS)
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


@pytest.mark.parametrize(
    ("mode", "endpoint"),
    [("timeout", "charges"), ("timeout", "orders"), ("late", "holds"), ("late", "refunds")],
)
async def test_a_patient_caller_is_cut_off_and_it_is_performed(shop, mode, endpoint):
    body = await shop.body_for(endpoint, "r")
    await shop.fault(endpoint, mode, seconds=0.1)
    with pytest.raises(shop.lost):
        await shop.post(f"/{endpoint}", body)
    assert len(await shop.until(lambda: shop.matches(endpoint, "r"))) == 1
    assert len(await shop.effects("r")) == 1


@pytest.mark.parametrize("endpoint", ["releases", "cancellations"])
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


async def test_a_fault_is_met_as_often_as_it_says_at_its_own_endpoint_only(shop: Any) -> None:
    await shop.fault("refunds", "refuse")
    await shop.fault("charges", "refuse", times=2)
    assert [await charge(shop, "r") for _ in range(3)] == [503, 503, 201]


async def test_a_fault_waits_for_a_reference_that_matches(shop: Any) -> None:
    await shop.fault("charges", "refuse", match="checkout/7/")
    assert await charge(shop, "checkout/8/charge") == 201
    assert await charge(shop, "checkout/7/charge") == 503
    assert await charge(shop, "checkout/7/charge") == 201


async def test_faults_are_met_in_their_order_and_not_by_what_makes_no_sense(shop: Any) -> None:
    await shop.fault("charges", "drop")
    await shop.fault("charges", "refuse")
    assert (await shop.post("/charges", {})).status_code == 422
    with pytest.raises(shop.lost):
        await charge(shop, "r")
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


async def test_a_look_up_can_be_unreachable_or_slow(shop: Any) -> None:
    await shop.charged("r")
    await shop.fault("lookups", "refuse", match="r")
    response = await shop.http.get("/charges", params={"reference": "r"})
    assert (response.status_code, response.json()["error"]) == (503, "unavailable")
    await shop.fault("lookups", "slow", seconds=0.1)
    assert len(await shop.matches("charges", "r")) == 1


@pytest.mark.parametrize("mode", ["drop", "timeout", "late"])
async def test_a_look_up_can_stay_without_an_answer(shop: Any, mode: str) -> None:
    await shop.fault("lookups", mode, seconds=0.1)
    with pytest.raises(shop.lost):
        await shop.matches("charges", "r")


async def test_a_fault_that_makes_no_sense_is_not_queued(shop: Any) -> None:
    for fault in (
        {"endpoint": "nowhere", "mode": "refuse"},
        {"endpoint": "charges", "mode": "explode"},
        {"endpoint": "charges", "mode": "refuse", "times": 0},
        {"endpoint": "charges", "mode": "slow", "seconds": -1},
        {"endpoint": "mail", "mode": "late"},
        {"endpoint": "charges", "mode": "refuse", "colour": "red"},
        {"endpoint": "charges"},
    ):
        assert ((await shop.post("/admin/faults", fault)).status_code, fault) == (422, fault)
    assert (await shop.get("/admin/faults"))["faults"] == []
