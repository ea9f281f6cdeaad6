"""What tests share: one Postgres server, a database of its own for each test, one shop."""

import asyncio
import gc
import os
import shutil
import ssl
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import httpx
import psycopg
import pytest

from daybook.checkpoints.embedded.postgres import embedded_postgres
from daybook.checkpoints.migrate import migrate
from daybook.checkpoints.postgres import Postgres, open_postgres
from daybook.demo.shop import clock as shop_clock
from daybook.demo.shop.settings import initial
from daybook.graph.build import build
from daybook.graph.guarded import GuardedGraph
from daybook.graph.model.stand_in import keep_stand_in
from daybook.graph.settings import environment
from daybook.nodes.running.work import Resources
from daybook.state.clock import SYSTEM, Clock
from daybook.state.effects.guarantees import Patience
from daybook.testing.model import ScriptedModel
from daybook.tools.domain import Domain
from daybook.tools.shop.domain import SHOP
from daybook.tools.shop.services import reach_shop
from evals.sim import shop as simulated
from evals.sim.shop import Seeded
from tests.beside import TIME
from tests.databases import Databases, database_url
from tests.shop_process import ShopProcess
from tests.virtual import DATABASE_CLOCK, AtOnce, DatabaseClock, Sender, VirtualClock, VirtualLoop

AMBIENT = (
    *("OPENAI", "DAYBOOK", "LANGSMITH", "LANGCHAIN", "LANGGRAPH_AES", "OTEL"),
    *("DATABASE_URL", "SHOP_URL", "SMTP_URL"),
)


@pytest.fixture(scope="session", autouse=True)
def no_ambient_settings() -> Iterator[None]:
    """Forget what the machine has set: a key there must not send the tests to its provider.

    What a test starts without saying where is kept in a folder of the session.
    """
    with (
        tempfile.TemporaryDirectory(prefix="daybook-home-") as home,
        pytest.MonkeyPatch.context() as patch,
    ):
        for name in os.environ:
            if name.startswith(AMBIENT) or name.lower().endswith("_proxy"):
                patch.delenv(name)
        patch.setenv("DAYBOOK_HOME", home)
        # Also of settings that a test reads from an environment of its own.
        default = environment._default
        patch.setattr(
            environment, "_default", lambda one: home if one == "DAYBOOK_HOME" else default(one)
        )
        yield


def pytest_collection_finish() -> None:
    """Leave what is imported and collected out of each search for garbage: it stays."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def authorities_read_once() -> Iterator[None]:
    """Let clients share what is read of the authorities: 40 ms for each client of each test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ssl, "create_default_context", cache(ssl.create_default_context))
        yield


@pytest.fixture(scope="session")
def stand_in(no_ambient_settings: None) -> Iterator[str]:
    """Keep the stand-in for all tests; yield the DAYBOOK_HOME below which it is kept."""
    home = os.environ["DAYBOOK_HOME"]
    with keep_stand_in(Path(home), SHOP.stand_in):
        yield home


def in_memory() -> str | None:
    """Name a folder in memory that holds the tests' databases; None where there is none so large.

    Copying a database for each test is what takes longest on a disk.
    """
    folder = Path("/dev/shm")
    room = shutil.disk_usage(folder).free if folder.is_dir() else 0
    return str(folder) if room > 4_000_000_000 and os.access(folder, os.W_OK) else None


@pytest.fixture(scope="session")
def server_url() -> Iterator[str]:
    """Start the embedded Postgres for all tests; it is gone with its data afterwards."""
    with (
        tempfile.TemporaryDirectory(prefix="daybook-tests-", dir=in_memory()) as home,
        embedded_postgres(Path(home)) as server,
    ):
        # Tests kill processes and not machines: what a process has written survives it without
        # fsync, and dropping a test's database takes a second less.
        with psycopg.connect(server.url, autocommit=True) as conn:
            conn.execute("alter system set fsync = off")
            conn.execute("select pg_reload_conf()")
        yield server.url


@pytest.fixture(scope="session")
def template(server_url: str) -> str:
    """Migrate one database, for the others to be copied from."""
    name = "daybook_template"
    with psycopg.connect(server_url, autocommit=True) as conn:
        conn.execute(f"create database {name}")
    asyncio.run(migrate(database_url(server_url, name)))
    return name


@pytest.fixture(scope="session")
def database_clock() -> Iterator[DatabaseClock]:
    """What shows the databases of virtual time how late it is."""
    with tempfile.TemporaryDirectory(prefix="daybook-clock-") as folder:
        os.chmod(folder, 0o755)
        clock = DatabaseClock(Path(folder) / "clock")
        yield clock
        clock.close()


@pytest.fixture(scope="session")
def virtual_template(server_url: str, template: str, database_clock: DatabaseClock) -> str:
    """The same as the template, in virtual time."""
    name = "daybook_virtual"
    with psycopg.connect(server_url, autocommit=True) as conn:
        conn.execute(f"create database {name} template {template} strategy file_copy")
    with psycopg.connect(database_url(server_url, name), autocommit=True) as conn:
        conn.execute(DATABASE_CLOCK.format(file=database_clock.file))
    return name


@pytest.fixture(scope="session")
def databases(server_url: str) -> Iterator[Databases]:
    """Lend databases that are given back clean."""
    databases = Databases(server_url)
    yield databases
    databases.close()


@pytest.fixture
async def clock(database_clock: DatabaseClock) -> AsyncIterator[Clock]:
    """Tell the time of the test's loop; where it is virtual, the system's clock tells it too."""
    loop = asyncio.get_running_loop()
    if not isinstance(loop, VirtualLoop):
        yield SYSTEM
        return
    database_clock.show(loop.time())
    loop.tell = database_clock.show
    TIME.loop, TIME.clock = loop, VirtualClock(loop)
    sender = Sender(loop)
    with pytest.MonkeyPatch.context() as patch:
        for name in ("now", "monotonic"):
            patch.setattr(Clock, name, getattr(TIME.clock, name))
        # When a checkpoint was written is compared with when an effect was intended.
        told = SimpleNamespace(now=lambda zone: TIME.clock.now())
        patch.setattr("langgraph.pregel._checkpoint.datetime", told)
        patch.setattr("daybook.tools.services.http.send_from_child", sender.send)
        patch.setattr("daybook.tools.services.mail.send_from_child", sender.send)
        yield TIME.clock
    TIME.loop, TIME.clock = None, SYSTEM


@pytest.fixture
async def postgres_url(
    databases: Databases, template: str, virtual_template: str, clock: Clock
) -> AsyncIterator[str]:
    """Yield a migrated database of this test's own, as its owner."""
    source = template if clock is SYSTEM else virtual_template
    with databases.lent(source) as one:
        loop = asyncio.get_running_loop()
        if isinstance(loop, VirtualLoop):
            loop.is_blocked = lambda: len(loop._asked) <= one.waiting()
        yield one.url


@pytest.fixture
async def postgres(postgres_url: str, clock: Clock) -> AsyncIterator[Postgres]:
    """Yield the test's database, opened as the application opens it."""
    async with open_postgres(
        postgres_url, tenant_id="default", stored_types=SHOP.restored_types, clock=clock
    ) as postgres:
        yield postgres


@pytest.fixture(scope="session")
def shop_process() -> Iterator[ShopProcess]:
    """Run the shop for all tests."""
    with tempfile.TemporaryDirectory(prefix="daybook-shop-") as folder:
        process = ShopProcess(Path(folder))
        try:
            yield process
        finally:
            process.end()


@dataclass
class Shop:
    """Hold the shop of one test: reset to its seeded state, with its control plane."""

    url: str
    smtp_url: str
    http: httpx.Client

    def effects(self) -> list[tuple[str, str]]:
        """Return every effect that really happened: what, and its reference."""
        found = self.http.get("/effects").raise_for_status().json()
        return [(effect["effect"], effect["reference"]) for effect in found]

    def happened(self) -> list[str]:
        """Return what really happened, in order."""
        return [effect for effect, _ in self.effects()]

    def fault(
        self, endpoint: str, mode: str, *, times: int = 1, seconds: float = 0.5, match: str = ""
    ) -> None:
        """Queue a fault for the next requests to an endpoint whose reference contains `match`."""
        met = {"endpoint": endpoint, "match": match}
        body = {**met, "mode": mode, "times": times, "seconds": seconds}
        self.http.post("/admin/faults", json=body).raise_for_status()

    def keys(self, **settings: object) -> None:
        """Say how all endpoints treat idempotency keys."""
        self.http.put("/admin/keys", json={"endpoint": "*", **settings}).raise_for_status()

    def product(self, sku: str, **changes: int) -> None:
        """Change the price or the stock of a product."""
        self.http.put(f"/admin/products/{sku}", json=changes).raise_for_status()


@pytest.fixture
async def shop(request: pytest.FixtureRequest, clock: Clock) -> AsyncIterator[Shop]:
    """Yield the shop in its seeded state, with a lag (D) that tests can wait for."""
    loop = asyncio.get_running_loop()
    if isinstance(loop, VirtualLoop):
        with shop_in_memory(request, loop, clock) as shop:
            yield shop
        return
    process = request.getfixturevalue("shop_process")
    with httpx.Client(base_url=process.url, verify=False) as http:
        _reset(http)
        yield Shop(process.url, process.smtp_url, http)


def _reset(http: httpx.Client) -> None:
    http.post("/admin/reset").raise_for_status()
    http.put("/admin/settings", json={"settle_seconds": 0.5}).raise_for_status()


@pytest.fixture(scope="session")
def seeded() -> Seeded:
    """Make the shop's rows once."""
    return Seeded()


@contextmanager
def shop_in_memory(
    request: pytest.FixtureRequest, loop: VirtualLoop, clock: Clock
) -> Iterator[Shop]:
    """Let the shop listen in the test's own loop."""
    settings = replace(initial(False), settle_seconds=0.5)
    shop = simulated.Shop(loop, loop.network, request.getfixturevalue("seeded"), settings)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shop_clock, "now", clock.now)
        with httpx.Client(base_url=simulated.URL, transport=AtOnce(shop.app), verify=False) as http:
            yield Shop(simulated.URL, simulated.SMTP_URL, http)
    shop.close()


@dataclass
class Agent:
    """Hold the shop's agent on the test's database, with a model that follows a script."""

    graph: GuardedGraph
    domain: Domain
    resources: Resources
    model: ScriptedModel


@pytest.fixture
async def agent(postgres: Postgres, shop: Shop) -> AsyncIterator[Agent]:
    """Yield the shop's agent; one attempt may take a second."""
    async with shop_agent(postgres, shop) as agent:
        yield agent


@asynccontextmanager
async def shop_agent(postgres: Postgres, shop: Shop) -> AsyncIterator[Agent]:
    """Build the shop's agent after the shop was told how to behave."""
    services = await reach_shop(shop.url, shop.smtp_url, postgres.clock)
    try:
        model = ScriptedModel()
        patience = Patience(
            budget=timedelta(seconds=1),
            backoff=timedelta(milliseconds=20),
            unknown_settle=timedelta(seconds=1),
        )
        resources = Resources(
            postgres=postgres,
            model=model,
            services=services,
            promises=services.guarantees,
            world=services.shop_id,
            patience=patience,
        )
        yield Agent(build(SHOP, lambda: resources, postgres.saver), SHOP, resources, model)
    finally:
        await services.close()
