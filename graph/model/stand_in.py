"""The stand-in for a provider: a shared program of the demo with the provider's API.

It is started when it is first asked, and again when it has ended: most commands ask no model.
"""

from __future__ import annotations

import asyncio
import json
import socket
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatResult
from langchain_core.runnables import Runnable, RunnableConfig
from pydantic import PrivateAttr, SecretStr

from daybook.checkpoints.kept.keeper import OUTPUT, KeeperError, Kept, keep
from daybook.state.errors import ModelUnavailable

if TYPE_CHECKING:
    from daybook.graph.model.provider import Provider

NAME = "daybook-stand-in"
"""What it is called in spans and records; it takes any name."""

_NOWHERE = "http://stand-in/v1"
"""What requests are addressed to until they are sent: it listens on another port at each start."""

_UNANSWERED = (httpx.NetworkError, httpx.RemoteProtocolError)


class StandIn(BaseChatModel):
    """Ask the stand-in as a provider is asked; its client is imported when it is first asked.

    It keeps nothing of a prompt, so it is told nothing of caches.

    Attributes:
        module: is run with `python -m`; its log and its locks are below `home / "model"`.
        seconds: for which it may be silent.
    """

    home: Path
    module: str
    seconds: float
    model_name: str = NAME
    _client: Provider | None = None
    _one_at_a_time: asyncio.Lock = PrivateAttr(default_factory=asyncio.Lock)

    @property
    def _llm_type(self) -> str:
        return NAME

    def _generate(self, *args: Any, **options: Any) -> ChatResult:
        raise NotImplementedError("The stand-in supports only `ainvoke`.")

    def bind_tools(self, tools: Sequence[Any], **options: Any) -> Runnable[LanguageModelInput, Any]:
        """Offer tools, in OpenAI's function format."""
        return self.bind(tools=tools, **options)

    async def ainvoke(
        self,
        input: LanguageModelInput,
        config: RunnableConfig | None = None,
        *,
        tools: Sequence[Any] = (),
        **options: Any,
    ) -> AIMessage:
        """Ask it.

        Raises:
            ModelUnavailable: it does not run.
        """
        async with self._one_at_a_time:
            if self._client is None:
                # In a thread: the import is read from disk, half a second in all.
                self._client = await asyncio.to_thread(self._made)
        if tools:
            return await self._client.bind_tools(tools, **options).ainvoke(input, config)
        return await self._client.ainvoke(input, config, **options)

    def _made(self) -> Provider:
        from daybook.graph.model.provider import Provider

        # No setting of a proxy, and no key of anybody's: what is asked stays on this machine.
        wire = httpx.AsyncClient(transport=_Kept(self.home, self.module), trust_env=False)
        return Provider(
            model=NAME,
            api_key=SecretStr("none"),
            base_url=_NOWHERE,
            openai_proxy="",
            organization="",
            http_async_client=wire,
            # Asked by nobody, and where none is given it reads the authorities: 40 ms.
            http_client=httpx.Client(verify=False, trust_env=False),
            timeout=httpx.Timeout(self.seconds, connect=min(self.seconds, 10)),
            stream_chunk_timeout=self.seconds,
            streaming=True,
        )

    async def aclose(self) -> None:
        """Close its client, and give it up."""
        if self._client is not None:
            await self._client.root_async_client.close()


def keep_stand_in(home: Path, module: str) -> Kept[httpx.URL]:
    """Use the stand-in that is kept below `home / "model"`, and start it if nobody does yet.

    Raises:
        KeeperError: it did not start.
    """
    folder = home.absolute() / "model" / module

    def url() -> httpx.URL | None:
        """Read the line that it prints when it listens; None if nobody listens there."""
        lines = (folder / OUTPUT).read_text().splitlines() if (folder / OUTPUT).exists() else []
        if not lines:
            return None
        found = httpx.URL(json.loads(lines[0])["model_url"])
        try:
            socket.create_connection((found.host, found.port or 80)).close()
        except OSError:
            return None
        return found

    return keep(folder, [sys.executable, "-m", module, "--port", "0"], ready=url)


class _Kept(httpx.AsyncBaseTransport):
    """Send requests to where the stand-in listens now."""

    def __init__(self, home: Path, module: str) -> None:
        self._home = home
        self._module = module
        # It listens on this machine and encrypts nothing: no authority is read.
        self._wire = httpx.AsyncHTTPTransport(verify=False)
        self._kept: Kept[httpx.URL] | None = None
        self._one_at_a_time = asyncio.Lock()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request; where the stand-in has ended meanwhile, the next one starts it again.

        Raises:
            ModelUnavailable: it does not start.
        """
        async with self._one_at_a_time:
            if self._kept is None:
                self._kept = await asyncio.to_thread(self._start)
            kept = self._kept
        request.url = request.url.copy_with(host=kept.answer.host, port=kept.answer.port)
        try:
            return await self._wire.handle_async_request(request)
        except _UNANSWERED:
            async with self._one_at_a_time:
                if self._kept is kept:
                    self._kept = None
                    await asyncio.to_thread(kept.close)
            raise

    async def aclose(self) -> None:
        """Give the stand-in up: with its last user it ends."""
        await self._wire.aclose()
        if self._kept is not None:
            await asyncio.to_thread(self._kept.close)

    def _start(self) -> Kept[httpx.URL]:
        try:
            return keep_stand_in(self._home, self._module)
        except KeeperError as error:
            raise ModelUnavailable(f"The model stand-in is not running. {error}") from error
