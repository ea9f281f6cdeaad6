"""The process: it starts, is killed, starts again, and many use it at once."""

import asyncio
from typing import Any

import httpx


async def test_a_termination_ends_it_cleanly_also_while_callers_wait(start_shop: Any) -> None:
    shop = start_shop()
    await shop.fault("charges", "timeout", seconds=3_600)
    await shop.fault("holds", "late", seconds=3_600, beyond_settle=True)
    await shop.fault("mail", "timeout", seconds=3_600)
    waiting = [
        asyncio.create_task(shop.post("/charges", await shop.body_for("charges", "r"))),
        asyncio.create_task(shop.post("/holds", await shop.body_for("holds", "r"))),
        asyncio.create_task(shop.mail("m@example.org")),
    ]
    await shop.until(lambda: shop.in_flight(3))
    assert shop.process.terminate() == 0
    answers = await asyncio.gather(*waiting, return_exceptions=True)
    assert all(isinstance(answer, Exception) for answer in answers)
    assert shop.process.log() == ""


async def test_what_happened_before_a_kill_is_there_after_it(start_shop: Any) -> None:
    shop = start_shop()
    order = await shop.ordered("before")
    await shop.mail("before@example.org")
    await shop.put("/admin/products/BOOT-001", price=777)
    body = await shop.body_for("charges", "keyed")
    charge = await shop.done("/charges", body, key="k")
    effects = await shop.effects()
    shop.process.kill()

    shop = start_shop()
    assert await shop.effects() == effects
    assert (await shop.get("/products/BOOT-001"))["price"] == 777
    assert len(await shop.get("/mail")) == 1
    again = await shop.post("/charges", body, key="k")
    assert (again.json(), again.headers["Idempotent-Replayed"]) == (charge, "true")
    assert await shop.get(f"/orders/{order['order_id']}") == order
    assert (await shop.ordered("after"))["order_id"] != order["order_id"]


async def test_killed_amid_many_charges_it_keeps_each_acknowledged_one_exactly_once(start_shop):
    shop = start_shop()
    bodies = [await shop.body_for("charges", f"r{n}") for n in range(40)]
    sent = [
        asyncio.create_task(shop.post("/charges", body, key=body["reference"])) for body in bodies
    ]
    done, _ = await asyncio.wait(sent, return_when=asyncio.FIRST_COMPLETED)
    shop.process.kill()
    answers = await asyncio.gather(*sent, return_exceptions=True)
    acknowledged = [answer.json() for answer in answers if isinstance(answer, httpx.Response)]
    assert len(acknowledged) >= len(done) >= 1

    shop = start_shop()
    kept = [effect["reference"] for effect in await shop.effects()]
    assert len(kept) == len(set(kept))
    assert {answer["reference"] for answer in acknowledged} <= set(kept)
    for body in bodies:
        assert (await shop.done("/charges", body, key=body["reference"])).items() >= body.items()
    assert sorted(e["reference"] for e in await shop.effects()) == sorted(
        body["reference"] for body in bodies
    )


async def test_concurrent_holds_never_oversell(shop: Any) -> None:
    await shop.put("/admin/products/BOOT-002", stock=5)
    bodies = [
        {"reference": f"r{n}", "user_id": "ada", "sku": "BOOT-002", "quantity": 1}
        for n in range(30)
    ]
    answers = await asyncio.gather(*(shop.post("/holds", body) for body in bodies))
    assert sorted(answer.status_code for answer in answers) == [201] * 5 + [409] * 25
    assert (await shop.get("/products/BOOT-002"))["stock"] == 0
    assert len(await shop.effects()) == 5
