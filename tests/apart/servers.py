"""Where servers of these tests are told to work, and whom they know."""

from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

from daybook.checkpoints.people.tokens import open_token_office
from daybook.checkpoints.postgres import Postgres
from daybook.state.session import Person

PROJECT = Path(__file__).parents[2] / "langgraph.json"


def places(database_url: str, shop: Any, **more: str) -> dict[str, str]:
    """Name database and shop in an environment; the model is the stand-in."""
    return {
        "DATABASE_URL": database_url,
        "SHOP_URL": shop.url,
        "SMTP_URL": shop.smtp_url,
        "OPENAI_API_KEY": "",
        "OPENAI_BASE_URL": "",
        **more,
    }


async def tokens_of(postgres: Postgres, people: Mapping[str, str]) -> dict[str, str]:
    """Make everybody a token.

    Args:
        people: name to role.
    """
    async with open_token_office(postgres) as office:
        return {
            name: (await office.make(Person(name, role), timedelta(days=1))).text
            for name, role in people.items()
        }
