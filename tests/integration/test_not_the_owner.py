"""A server that owns nothing: what it serves from is another's, and all of it works."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo

from daybook.checkpoints.people.tokens import Sessions, open_token_office
from daybook.state.errors import ConfigurationError
from daybook.testing.model import last_result
from tests.conftest import Shop, shop_agent
from tests.integration.test_sessions import HOUR
from tests.integration.test_tokens import CLEO, YEAR, made
from tests.purchases import PURCHASE, bought, shop_database


@contextmanager
def serving_login(url: str) -> Iterator[str]:
    """Yield the URL of a user that is a member of the role, as docs/operations.md makes it."""
    name = sql.Identifier(f"serves_{uuid.uuid4().hex[:8]}")
    with psycopg.connect(url, autocommit=True) as superuser:
        superuser.execute(sql.SQL("create role {} login in role daybook_app").format(name))
        try:
            yield make_conninfo(url, user=name.as_string(None).strip('"'))
        finally:
            superuser.execute(sql.SQL("drop role {}").format(name))


async def test_who_owns_nothing_serves_everything(postgres, postgres_url: str, shop: Shop):
    token = await made(postgres)
    with serving_login(postgres_url) as url:
        async with (
            shop_database(url) as serving,
            shop_agent(serving, shop) as agent,
        ):
            talk = await bought(agent)
            assert shop.happened() == PURCHASE
            asked = [("query_history", {"sql": "select count(*) as n from turns"})]
            agent.model.then(asked, last_result)
            await talk.say("how often did we talk?")
            assert await serving.ledger.verify(talk.thread_id)
            secret = await Sessions(serving.pool).begin(token, HOUR)
            assert await Sessions(serving.pool).person_with(secret or "") == CLEO
            with pytest.raises(ConfigurationError, match="may not make or revoke tokens"):
                async with open_token_office(serving) as office:
                    await office.make(CLEO, YEAR)
