"""How much the properties are tried, and the database of those that need one.

`make test` tries the same each time; `make long` tries twenty times as much, and ever new.
"""

import asyncio
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from daybook.checkpoints.postgres import Postgres, open_postgres
from tests.databases import database

settings.register_profile(
    "daybook",
    max_examples=30,
    deadline=None,
    derandomize=True,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "long", settings.get_profile("daybook"), derandomize=False, max_examples=600
)


def pytest_configure(config: pytest.Config) -> None:
    """Try as much as was asked for (`make long`), else little."""
    settings.load_profile(config.getoption("--hypothesis-profile") or "daybook")


@pytest.fixture(scope="package")
def opened(server_url: str, template: str) -> Iterator[tuple[asyncio.Runner, Postgres]]:
    """Open one database for all examples, and a loop to use it in: each has its own thread."""
    with database(server_url, template) as url, asyncio.Runner() as runner:
        opening = open_postgres(url, tenant_id="default", stored_types=())
        postgres = runner.run(opening.__aenter__())
        try:
            yield runner, postgres
        finally:
            runner.run(opening.__aexit__(None, None, None))
