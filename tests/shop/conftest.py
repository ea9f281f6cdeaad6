import asyncio
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import aiosmtplib
import httpx
import pytest

from daybook.state.clock import SYSTEM
from tests.shop_process import PATIENCE, ShopProcess, running_shop

ENDPOINTS = ("holds", "releases", "charges", "refunds", "orders", "cancellations")


@dataclass
class Shop:
    """Speak to a running shop over the wire."""

    http: httpx.AsyncClient
    process: ShopProcess
    lost = (httpx.ReadTimeout, httpx.RemoteProtocolError, httpx.ReadError)

    async def get(self, path: str, **query: Any) -> Any:
        response = await self.http.get(path, params=query)
        response.raise_for_status()
        return response.json()

    async def post(
        self, path: str, body: Any, key: str | None = None, patience: float = PATIENCE
    ) -> httpx.Response:
        headers = {} if key is None else {"Idempotency-Key": key}
        return await self.http.post(path, json=body, headers=headers, timeout=patience)

    async def put(self, path: str, **body: Any) -> Any:
        response = await self.http.put(path, json=body)
        response.raise_for_status()
        return response.json()

    async def done(self, path: str, body: Any, key: str | None = None) -> Any:
        """Post and return the answer of what was performed."""
        response = await self.post(path, body, key)
        assert response.status_code == 201, response.text
        return response.json()

    async def fault(self, endpoint: str, mode: str, **more: Any) -> None:
        response = await self.post("/admin/faults", {"endpoint": endpoint, "mode": mode, **more})
        assert response.status_code == 201, response.text

    async def effects(self, reference: str | None = None) -> list[dict[str, Any]]:
        """Return what really happened, all of it or under one reference."""
        found: list[dict[str, Any]] = await self.get("/effects")
        return [e for e in found if reference is None or e["reference"] == reference]

    async def matches(self, endpoint: str, reference: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = (await self.get(f"/{endpoint}", reference=reference))[
            "matches"
        ]
        return found

    async def until(self, happened: Callable[[], Any]) -> Any:
        """Ask again until the answer is true, and return it: another process sends no event."""
        async with SYSTEM.timeout(PATIENCE):
            while not (answer := await happened()):
                await SYSTEM.sleep(0.02)
            return answer

    async def in_flight(self, count: int = 1) -> bool:
        """Say whether so many requests are held in a fault."""
        return bool((await self.get("/admin/faults"))["in_flight"] >= count)

    async def hurry(self) -> None:
        """Let all who are held in a fault go on, and wait until nobody is held any more."""
        (await self.http.post("/admin/hurry")).raise_for_status()
        await self.calm()

    async def given_up(self, path: str, body: Any, key: str | None = None) -> None:
        """Post and give up waiting; the request has met its fault when this returns."""
        sent = asyncio.create_task(self.post(path, body, key, patience=0.1))
        await self.until(self.in_flight)
        with pytest.raises(httpx.ReadTimeout):
            await sent

    async def calm(self) -> None:
        """Wait until no request is held in a fault any more: nothing late can come."""

        async def nobody_waits() -> bool:
            return not await self.in_flight()

        await self.until(nobody_waits)

    async def held(self, reference: str = "hold", user_id: str = "ada", **more: Any) -> Any:
        body = {"reference": reference, "user_id": user_id, "sku": "BOOT-002", "quantity": 1}
        return await self.done("/holds", {**body, **more})

    async def charged(self, reference: str = "charge", user_id: str = "ada", **more: Any) -> Any:
        body = {"reference": reference, "user_id": user_id, "card_id": f"card_{user_id}_1"}
        return await self.done("/charges", {**body, "amount": 50_000, "currency": "USD", **more})

    async def ordered(self, reference: str = "order", user_id: str = "ada") -> Any:
        hold = await self.held(f"{reference}/hold", user_id)
        charge = await self.charged(f"{reference}/charge", user_id)
        body = {
            "reference": reference,
            "user_id": user_id,
            "hold_ids": [hold["hold_id"]],
            "charge_id": charge["charge_id"],
            "address_id": f"addr_{user_id}_1",
        }
        return await self.done("/orders", body)

    async def body_for(self, endpoint: str, reference: str) -> dict[str, Any]:
        """Return a body that the endpoint will perform, with all that it needs in place."""
        match endpoint:
            case "holds":
                more = {"user_id": "ada", "sku": "BOOT-002", "quantity": 1}
            case "releases":
                more = {"hold_id": (await self.held("needed"))["hold_id"]}
            case "charges":
                card = {"user_id": "ada", "card_id": "card_ada_1"}
                more = {**card, "amount": 1_000, "currency": "USD"}
            case "refunds":
                charge_id = (await self.charged("needed"))["charge_id"]
                more = {"charge_id": charge_id, "amount": 1_000, "currency": "USD"}
            case "orders":
                more = {
                    "user_id": "ada",
                    "hold_ids": [(await self.held("needed"))["hold_id"]],
                    "charge_id": (await self.charged("needed"))["charge_id"],
                    "address_id": "addr_ada_1",
                }
            case "cancellations":
                more = {"order_id": (await self.ordered("needed"))["order_id"]}
            case _:
                raise ValueError(endpoint)
        return {"reference": reference, **more}

    async def mail(self, message_id: str, to: str = "ada@example.org", patience: float = 10) -> str:
        """Send a message and return what the server said after the final dot."""
        message = EmailMessage()
        message["From"] = "shop@example.org"
        message["To"] = to
        message["Subject"] = "Your order"
        message["Message-ID"] = f"<{message_id}>"
        message.set_content("Thank you.\n")
        _, said = await aiosmtplib.send(
            message,
            hostname=self.process.smtp_host,
            port=self.process.smtp_port,
            timeout=patience,
            start_tls=False,
        )
        return said


@pytest.fixture(scope="session")
def shop_process() -> Iterator[ShopProcess]:
    """Run one shop for all tests that do not kill it; it must end cleanly and say nothing."""
    with running_shop() as process:
        yield process


@pytest.fixture
async def http(shop_process: ShopProcess) -> AsyncIterator[httpx.AsyncClient]:
    """Give a client; with authorities to check nobody by, making it would cost more than a test."""
    async with httpx.AsyncClient(
        verify=False, base_url=shop_process.url, timeout=PATIENCE
    ) as client:
        yield client


@pytest.fixture
async def shop(http: httpx.AsyncClient, shop_process: ShopProcess) -> Shop:
    """Give a shop in its seeded state."""
    (await http.post("/admin/reset")).raise_for_status()
    return Shop(http, shop_process)


@pytest.fixture
def folder() -> Iterator[Path]:
    """Give a folder of the test's own, gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="shop-") as path:
        yield Path(path)


@pytest.fixture
async def start_shop(folder: Path) -> AsyncIterator[Callable[..., Shop]]:
    """Give a function that starts a shop on the folder's file, with a client of its own."""
    started: list[Shop] = []

    def start(*options: str) -> Shop:
        process = ShopProcess(folder, *options)
        shop = Shop(httpx.AsyncClient(base_url=process.url, timeout=PATIENCE), process)
        started.append(shop)
        return shop

    yield start
    for shop in started:
        await shop.http.aclose()
        shop.process.end()
