"""A buyer with a wallet, and merchants that are strangers to it."""

import json
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from langgraph.types import StateSnapshot

from daybook.checkpoints.postgres import Postgres, open_postgres
from daybook.graph.build import build
from daybook.graph.guarded import GuardedGraph
from daybook.graph.merchants.resources import told_by
from daybook.nodes.running.work import Resources
from daybook.state.effects.guarantees import Patience
from daybook.testing.model import ScriptedModel, last_result
from daybook.tools.merchants.domain import MERCHANTS
from daybook.tools.merchants.merchant import Merchant
from daybook.tools.merchants.services import MerchantServices
from daybook.tools.merchants.ucp.signatures import signing_key
from daybook.tools.merchants.wallet import FileWallet
from tests.conversation import Conversation
from tests.merchants.stranger import Stranger, listening
from tests.shop_process import ShopProcess, running_shop

SECRET = "tok_9f8e7d6c5b4a"
STREET = "17 Larkspur Lane"

WALLET = {
    "*": {
        "buyer": {"email": "ada@example.com", "first_name": "Ada"},
        "instruments": [
            {
                "id": "visa",
                "handler_id": "pay",
                "type": "card",
                "label": "Visa ending in 4242",
                "credential": {"type": "token", "token": SECRET},
            }
        ],
        "addresses": [
            {
                "id": "home",
                "label": "Home",
                "address": {
                    "street_address": STREET,
                    "address_locality": "Springfield",
                    "postal_code": "90001",
                    "address_country": "US",
                },
            }
        ],
    }
}

LATE = timedelta(seconds=0.2)


@dataclass
class Buyer:
    """An agent that buys from merchants, its model a script."""

    graph: GuardedGraph
    model: ScriptedModel
    resources: Resources
    postgres: Postgres

    def patient(self, patience: Patience, node_seconds: float) -> "Buyer":
        """Return the same buyer with another patience: it parks what would take longer."""
        resources = replace(self.resources, patience=patience, node_seconds=node_seconds)
        graph = build(MERCHANTS, lambda: resources, self.postgres.saver)
        return Buyer(graph, self.model, resources, self.postgres)

    def talk(self, thread: str | None = None, user: str = "ada") -> Conversation:
        return Conversation(self.graph, user, thread)

    async def opened(self, merchant: Stranger, quantity: int = 1) -> Conversation:
        """Bring a conversation to an open checkout."""
        talk = self.talk()
        await self.says(
            talk,
            ("add_to_cart", {"merchant": merchant.name, "item_id": "BOOT", "quantity": quantity}),
        )
        await self.says(talk, ("open_checkout", {"merchant": merchant.name}))
        return talk

    async def asked(self, merchant: Stranger, quantity: int = 1) -> Conversation:
        """Bring a conversation to the question for approval."""
        talk = await self.opened(merchant, quantity)
        found = await self.says(talk, ("place_order", {"merchant": merchant.name}))
        assert len(found.interrupts) == 1, found.values["messages"][-1].text
        return talk

    async def says(self, talk: Conversation, *calls: tuple[str, dict[str, Any]]) -> StateSnapshot:
        """Let the model make calls, and say what came of the last one."""
        self.model.then([*calls], last_result)
        return await talk.say("go on")


@pytest.fixture(scope="session")
def shop_process() -> Iterator[ShopProcess]:
    """Run one demo shop for all tests; it must end cleanly and say nothing."""
    with running_shop() as process:
        yield process


@pytest.fixture
async def merchant() -> AsyncIterator[Stranger]:
    async with listening(Stranger()) as stranger:
        yield stranger


@pytest.fixture
async def other() -> AsyncIterator[Stranger]:
    async with listening(Stranger()) as stranger:
        yield stranger


@pytest.fixture
async def postgres(postgres_url: str) -> AsyncIterator[Postgres]:
    """Yield the test's database, opened for this domain's state."""
    types = MERCHANTS.restored_types
    async with open_postgres(postgres_url, tenant_id="default", stored_types=types) as opened:
        yield opened


@pytest.fixture
async def buyer(
    postgres: Postgres, merchant: Stranger, other: Stranger, tmp_path: Path
) -> AsyncIterator[Buyer]:
    key = signing_key(tmp_path / "key.pem")
    clients = [
        Merchant(one.url, profile_url="http://daybook.example/ucp/{version}/profile.json", key=key)
        for one in (merchant, other)
    ]
    async with buying(clients, WALLET, postgres, tmp_path) as one:
        yield one


@asynccontextmanager
async def buying(
    clients: Sequence[Merchant],
    wallet: dict[str, Any],
    postgres: Postgres,
    folder: Path,
) -> AsyncIterator[Buyer]:
    """Open an agent that buys at merchants, and close its clients at the end."""
    (folder / "wallet.json").write_text(json.dumps(wallet))
    services = MerchantServices(
        merchants=clients,
        wallet=FileWallet(folder / "wallet.json"),
        late=LATE,
        told=told_by(postgres),
    )
    model = ScriptedModel()
    resources = Resources(
        postgres=postgres,
        model=model,
        services=services,
        promises=services.guarantees,
        user="ada",
        patience=replace(Patience(), budget=timedelta(seconds=2)),
        node_seconds=6,
    )
    try:
        yield Buyer(build(MERCHANTS, lambda: resources, postgres.saver), model, resources, postgres)
    finally:
        await services.close()
