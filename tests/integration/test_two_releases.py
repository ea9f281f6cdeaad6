"""A former release's statements find what they name: migrations expand first, and contract later."""

import gzip
import json
from pathlib import Path

import psycopg
import pytest

from tests.stored_shape import Shape, missed, shape_of

FORMER = "cfb19bf"
"""The release before this one; `make load LOAD="--beside CHECKOUT"` has both of them serve."""

_STORED = Path(__file__).parents[1] / "fixtures" / f"stored_shape_{FORMER}.json.gz"


@pytest.fixture
def former() -> Shape:
    shape: Shape = json.loads(gzip.decompress(_STORED.read_bytes()))
    return shape


async def test_nothing_that_the_former_release_names_is_gone(postgres_url: str, former: Shape):
    async with await psycopg.AsyncConnection.connect(postgres_url) as conn:
        assert missed(former, await shape_of(conn)) == []


@pytest.mark.parametrize(
    ("contracts", "says"),
    [
        (
            "drop function end_session",
            "called: end_session(session_digest bytea) returns void",
        ),
        (
            "drop function end_session;"
            "create function end_session(session_digest bytea, why text) returns void"
            " language sql as ''",
            "called: end_session(session_digest bytea) returns void",
        ),
        ("alter table progress drop column why", "used: select progress.why"),
        ("revoke delete on thread_lease from daybook_app", "deleted: thread_lease"),
        (
            "alter table open_step drop constraint open_step_pkey",
            "unique: open_step (tenant_id, op, gen)",
        ),
        ("alter table runner add column why text not null", "needed: runner.why"),
    ],
)
async def test_what_contracts_too_early_is_named(
    postgres_url: str, former: Shape, contracts: str, says: str
):
    async with (
        await psycopg.AsyncConnection.connect(postgres_url) as conn,
        conn.transaction(force_rollback=True),
    ):
        await conn.execute(contracts.encode())
        assert says in missed(former, await shape_of(conn))
