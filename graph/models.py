"""Choose the model: a provider where one is set, else the domain's embedded model."""

from __future__ import annotations

from langchain_core.language_models import BaseChatModel
from pydantic import SecretStr

from graph.settings import Settings
from tools.domain import Domain


def chosen_model(settings: Settings, domain: Domain) -> BaseChatModel:
    """Return `ChatOpenAI` when a key or a base URL is set, else the embedded model."""
    if not settings.has_provider:
        return domain.embedded_model()
    # Imported where it is used: it takes a quarter of the start, and most starts need none of it.
    from langchain_openai import ChatOpenAI

    return ChatOpenAI(
        model=settings.model,
        # A server of one's own needs no key, but the client insists on some text.
        api_key=SecretStr(settings.openai_key or "none"),
        base_url=settings.openai_base_url,
        max_retries=2,
    )
