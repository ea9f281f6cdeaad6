"""Choose the model: a configured provider, else the domain's stand-in or own model."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

from langchain_core.language_models import BaseChatModel
from pydantic import SecretStr

from daybook.graph.model.stand_in import StandIn
from daybook.graph.settings.environment import OPENAI, Settings
from daybook.nodes.running.work import Caching
from daybook.state.errors import NotInstalled
from daybook.state.extras import from_extra
from daybook.tools.domain import Domain

if TYPE_CHECKING:
    from daybook.graph.model.provider import Provider


@asynccontextmanager
async def chosen_model(settings: Settings, domain: Domain) -> AsyncIterator[BaseChatModel]:
    """Open the configured model provider, else the domain's stand-in.

    A domain without a stand-in uses its `embedded_model`.

    Raises:
        ConfigurationError: there is no model, or the extra `openai` is not installed.
    """
    if settings.has_provider:
        # In a thread: the import and the certificates are read from disk, half a second in all.
        provider = await asyncio.to_thread(_provider, settings)
        try:
            yield provider
        finally:
            await provider.root_async_client.close()
    elif not domain.stand_in:
        yield domain.embedded_model()
    elif find_spec("langchain_openai") is None:
        raise NotInstalled("The client for the model stand-in", "openai")
    else:
        home, seconds = settings.home, settings.model_seconds
        async with aclosing(StandIn(home=home, module=domain.stand_in, seconds=seconds)) as model:
            yield model


def caching_of(model: BaseChatModel) -> Caching:
    """Return how a model caches prompts; one that does not say is told nothing."""
    caching = getattr(model, "caching", None)
    return caching if isinstance(caching, Caching) else Caching()


def _provider(settings: Settings) -> Provider:
    """Make the client. All that the settings know is said: left out, the client asks elsewhere."""
    with from_extra():
        import openai

        from daybook.graph.model.provider import Provider

    seconds = settings.model_seconds
    return Provider(
        model=settings.model,
        # A server of one's own needs no key, but the client insists on some text.
        api_key=SecretStr(settings.openai_key or "none"),
        base_url=settings.openai_base_url or OPENAI,
        timeout=openai.Timeout(seconds, connect=min(seconds, 10)),
        stream_chunk_timeout=seconds,
        streaming=True,
        max_completion_tokens=settings.max_tokens,
        answer_seconds=settings.answer_seconds,
        api=settings.model_api,
    )
