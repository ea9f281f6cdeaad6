"""A merchant that takes signed requests only."""

import uuid
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from daybook.testing.http import Answer, Request, as_json, serve
from daybook.tools.merchants.ucp import signatures
from daybook.tools.merchants.ucp.signatures import SigningKey, signing_key
from tests.shop.conftest import Shop
from tests.shop.test_shop_ucp import Face, codes, happened, wanted


@pytest.fixture(params=["rest", "mcp"])
def face(shop: Shop, request: pytest.FixtureRequest) -> Face:
    return Face(shop, request.param)


@pytest.fixture
def rest(shop: Shop) -> Face:
    return Face(shop)


@dataclass
class Agent:
    """Somebody who signs: its profile shows the keys."""

    url: str = ""
    keys: list[Any] = field(default_factory=list)

    def handle(self, request: Request) -> Answer:
        is_profile = request.path == "/profile"
        about = {"version": "2026-08-25", "capabilities": {}}
        told = {"ucp": about, "keys": self.keys} if is_profile else {}
        return as_json(200, told)


@pytest.fixture
def agent() -> Iterator[Agent]:
    agent = Agent()
    with serve({"agent": agent}) as url:
        agent.url = f"{url}/agent"
        yield agent


class Signing(httpx.Auth):
    """Sign each request as an agent does, and spoil it on the way where a test wants that."""

    requires_request_body = True

    def __init__(self, key: SigningKey, spoil: str = "") -> None:
        self.key, self.spoil = key, spoil

    def auth_flow(self, request: httpx.Request) -> Any:
        headers = dict(request.headers)
        covered = {name: value for name, value in headers.items() if name != self.spoil}
        message = signatures.Message(request.method, str(request.url), covered)
        signed = signatures.signed(message, request.content, self.key)
        request.headers.update(signed)
        if self.spoil == "signature":
            good = signed["signature"]
            at = good.index(":") + 4
            request.headers["signature"] = (
                good[:at] + ("A" if good[at] != "A" else "B") + good[at + 1 :]
            )
        if self.spoil == "body":
            request.stream = httpx.ByteStream(request.content + b" ")
            request.headers["content-length"] = str(len(request.content) + 1)
        yield request


@pytest.fixture
async def known(agent: Agent, tmp_path: Path) -> SigningKey:
    key = signing_key(tmp_path / "agent.pem")
    agent.keys = [key.jwk]
    return key


Signs = Callable[..., Face]


@pytest.fixture
async def signing(agent: Agent) -> AsyncIterator[Signs]:
    """Give a function that makes of a face one that is signed for."""
    async with AsyncExitStack() as stack:
        clients: list[httpx.AsyncClient] = []

        def signed(face: Face, auth: httpx.Auth | None, profile: str | None = None) -> Face:
            http = httpx.AsyncClient(verify=False, base_url=face.shop.process.url, auth=auth)
            clients.append(http)
            shop = Shop(http, face.shop.process)
            return Face(shop, face.transport, agent=profile or f"{agent.url}/profile")

        yield signed
        for http in clients:
            stack.push_async_callback(http.aclose)


async def test_a_signed_request_is_answered_and_an_unsigned_one_is_not(
    face: Face, signing: Signs, known: SigningKey
):
    await face.shop.put("/admin/settings", signatures="required")
    signed = signing(face, Signing(known))
    session = await signed.ready()
    assert (await signed.complete(session["id"]))["status"] == "completed"
    unsigned = signing(face, None)
    assert codes(await unsigned.ask("create_checkout", wanted())) == ["signature_missing"]
    assert codes(await unsigned.ask("get_checkout", None, session["id"])) == ["signature_missing"]
    assert await happened(face.shop) == ["reserve", "charge", "order"]


@pytest.mark.parametrize(
    "spoil", ["signature", "body", "ucp-agent", "idempotency-key", "content-type"]
)
async def test_a_signature_that_is_wrong_or_covers_too_little_is_refused(
    rest: Face, signing: Signs, known: SigningKey, spoil: str
):
    await rest.shop.put("/admin/settings", signatures="required")
    face = signing(rest, Signing(known, spoil))
    said = "digest_mismatch" if spoil == "body" else "signature_invalid"
    assert codes(await face.ask("create_checkout", wanted())) == [said]
    assert face.status == (400 if spoil == "body" else 401)
    assert await happened(rest.shop) == []


async def test_a_key_that_the_profile_has_not_is_refused_and_a_new_one_is_found(
    face: Face, agent: Agent, signing: Signs, known: SigningKey, tmp_path: Path
):
    await face.shop.put("/admin/settings", signatures="required")
    await signing(face, Signing(known)).ready()
    other = signing_key(tmp_path / "other.pem")
    forged = signing(face, Signing(other))
    assert codes(await forged.ask("create_checkout", wanted())) == ["key_not_found"]
    lent = signing(face, Signing(SigningKey(known.key_id, other.private)))
    assert codes(await lent.ask("create_checkout", wanted())) == ["signature_invalid"]
    agent.keys = [other.jwk, known.jwk]
    await signing(face, Signing(other)).ready()
    assert (await happened(face.shop)).count("reserve") == 2


async def test_over_mcp_nobody_signs_for_another(shop: Shop, agent: Agent, known: SigningKey):
    await shop.put("/admin/settings", signatures="required")
    mine = f"{agent.url}/profile"
    meta = {"ucp-agent": {"profile": f"{agent.url}/other"}, "idempotency-key": str(uuid.uuid4())}
    params = {"name": "create_checkout", "arguments": {"meta": meta, "checkout": wanted()}}
    rpc = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    reply = await shop.http.post(
        "/ucp/mcp", json=rpc, auth=Signing(known), headers={"UCP-Agent": f'profile="{mine}"'}
    )
    assert reply.status_code == 401
    assert codes(reply.json()["error"]["data"]) == ["signature_invalid"]
    assert await happened(shop) == []
