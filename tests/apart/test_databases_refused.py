"""What is not there is said in a sentence."""

from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from daybook.graph.settings.environment import settings_from
from daybook.graph.shop.resources import open_resources
from daybook.state.errors import DaybookError
from tests.integration.other_sides import closed_port, postgres_that_says
from tests.unit.http_server import says, serving


async def refusal(**environment: str) -> str:
    """Return what opening everything says."""
    with pytest.raises(DaybookError) as refused:
        async with open_resources(settings_from(environment)):
            pass
    return str(refused.value)


async def test_a_database_that_cannot_be_reached_is_said(server_url: str):
    port = closed_port()
    assert "Connection refused" in await refusal(DATABASE_URL=f"postgresql://127.0.0.1:{port}/x")
    missing = make_conninfo(server_url, dbname="nowhere")
    assert 'database "nowhere" does not exist' in await refusal(DATABASE_URL=missing)
    async with postgres_that_says("28P01", "password authentication failed for user x") as port:
        url = f"postgresql://x:opensesame@127.0.0.1:{port}/x"
        said = await refusal(DATABASE_URL=url)
    assert "See user and password" in said
    assert "opensesame" not in said


async def test_a_database_that_this_user_may_not_use_is_said(postgres_url: str):
    with psycopg.connect(postgres_url, autocommit=True) as superuser:
        superuser.execute("create role a_guest login")
        try:
            said = await refusal(DATABASE_URL=make_conninfo(postgres_url, user="a_guest"))
        finally:
            superuser.execute("drop role a_guest")
    assert "cannot be prepared: permission denied" in said
    assert "`daybook doctor`" in said


@pytest.mark.parametrize(
    ("status", "body", "told"),
    [
        (500, "x", "failed (500)"),
        (200, "<html>", "is not JSON"),
        (200, {"currency": "USD"}, "is no shop"),
        (200, {"currency": "USD", "settle_seconds": 1, "endpoints": {"x": {}}}, "is no shop"),
        (200, {"currency": 5, "settle_seconds": 1, "endpoints": {}}, "is no shop"),
    ],
)
async def test_what_answers_as_no_shop_does_is_said(postgres_url, status, body, told):
    async with serving(says(status, body)) as served:
        said = await refusal(
            DATABASE_URL=postgres_url, SHOP_URL=served.url, SMTP_URL="smtp://127.0.0.1:9"
        )
    assert told in said


async def test_a_home_that_is_no_folder_is_said(postgres_url: str, tmp_path: Path):
    home = tmp_path / "file"
    home.touch()
    assert "Cannot use" in await refusal(DAYBOOK_HOME=str(home))
    assert "Cannot use" in await refusal(DAYBOOK_HOME=str(home), DATABASE_URL=postgres_url)
