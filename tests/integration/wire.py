"""An agent whose model is reached over the wire: opened from settings, as the application does."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta

from langchain_core.language_models import BaseChatModel

from daybook.graph.model.choice import chosen_model
from daybook.graph.serve import Opened
from daybook.graph.settings.environment import settings_from
from daybook.graph.shop.resources import open_shop_agent
from daybook.state.effects.guarantees import Patience
from daybook.tools.shop.domain import SHOP
from tests.conftest import Shop
from tests.provider import APIS, Provider

KEY = "sk-test-0123456789abcdef"


@dataclass(frozen=True)
class Wire:
    """Hold a provider, the test's database and shop, and open agents on them."""

    provider: Provider
    database_url: str
    shop: Shop

    @asynccontextmanager
    async def agent(
        self, api: str = "chat", seconds: float = 30, budget: float = 15, **variables: str
    ) -> AsyncIterator[Opened]:
        """Open the shop's agent with the provider as its model.

        Args:
            budget: seconds that one call may take.
            variables: of the environment, beside those that name the provider.
        """
        named = environment(self.provider, api, seconds)
        settings = settings_from({**self.environment, **named, **variables})
        patience = Patience(budget=timedelta(seconds=budget), backoff=timedelta(milliseconds=20))
        async with open_shop_agent(settings, patience=patience) as opened:
            yield opened

    @property
    def environment(self) -> dict[str, str]:
        return {
            "DATABASE_URL": self.database_url,
            "SHOP_URL": self.shop.url,
            "SMTP_URL": self.shop.smtp_url,
        }


def environment(provider: Provider, api: str, seconds: float = 30) -> dict[str, str]:
    """Name the provider as a person would."""
    return {
        "OPENAI_API_KEY": KEY,
        "OPENAI_BASE_URL": provider.url,
        "OPENAI_MODEL": APIS[api],
        "DAYBOOK_MODEL_SECONDS": str(seconds),
    }


@asynccontextmanager
async def model_of(
    provider: Provider, api: str, seconds: float = 30, **variables: str
) -> AsyncIterator[BaseChatModel]:
    """Open the model alone."""
    settings = settings_from({**environment(provider, api, seconds), **variables})
    async with chosen_model(settings, SHOP) as model:
        yield model
