"""A merchant that does not simply do what it is asked for: later, or at its own page, or signed."""

import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from daybook.tools.merchants.ucp import signatures
from daybook.tools.merchants.ucp.signatures import SigningKey, signing_key
from tests.shop.conftest import Shop
from tests.shop.test_shop_ucp import Face, codes, happened, payment, wanted
from tests.shop.test_shop_ucp_events import Agent, bought, listening, settled


@pytest.fixture(params=["rest", "mcp"])
def face(shop: Shop, request: pytest.FixtureRequest) -> Face:
    return Face(shop, request.param)


@pytest.fixture
def rest(shop: Shop) -> Face:
    return Face(shop)


@pytest.fixture
async def agent() -> AsyncIterator[Agent]:
    async with listening() as one:
        yield one


# -- an order that is in hand ---------------------------------------------------------------------


async def in_hand(face: Face, mode: str = "in_progress", **more: Any) -> str:
    session = await face.ready()
    await face.shop.fault("completions", mode, seconds=60, match=session["id"], **more)
    found = await face.complete(session["id"], key="one")
    assert (face.status, found["status"]) == (200, "complete_in_progress")
    assert "order" not in found
    return str(session["id"])


async def test_an_order_is_accepted_and_placed_later(face: Face):
    session_id = await in_hand(face)
    assert await happened(face.shop) == ["reserve"]
    assert await face.shop.in_flight()
    shown = await face.ask("get_checkout", None, session_id)
    assert (shown["status"], "order" in shown) == ("complete_in_progress", False)
    await face.shop.hurry()
    shown = await face.ask("get_checkout", None, session_id)
    assert shown["status"] == "completed"
    assert await happened(face.shop) == ["reserve", "charge", "order"]
    assert (await face.ask("get_order", None, shown["order"]["id"]))["checkout_id"] == session_id


@pytest.mark.parametrize(
    ("mode", "status", "said", "effects"),
    [
        ("in_progress_declined", "ready_for_complete", ["payment_failed"], ["reserve"]),
        ("in_progress_canceled", "canceled", [], ["reserve", "release"]),
    ],
)
async def test_an_order_that_was_accepted_may_come_to_nothing(
    face: Face, mode: str, status: str, said: list[str], effects: list[str]
):
    session_id = await in_hand(face, mode)
    await face.shop.hurry()
    shown = await face.ask("get_checkout", None, session_id)
    assert (shown["status"], codes(shown)) == (status, said)
    assert await happened(face.shop) == effects
    if status == "ready_for_complete":
        assert (await face.complete(session_id, key="two"))["status"] == "completed"


async def test_what_is_in_hand_is_not_changed_and_not_completed_again(face: Face):
    session_id = await in_hand(face)
    again = await face.complete(session_id, key="one")
    assert again["status"] == "complete_in_progress", "the stored answer, and nothing more"
    for name, body in (
        ("complete_checkout", payment()),
        ("update_checkout", wanted()),
        ("cancel_checkout", None),
    ):
        assert codes(await face.ask(name, body, session_id)) == ["invalid_state"]
    await face.shop.hurry()
    assert await happened(face.shop) == ["reserve", "charge", "order"]


async def test_what_is_in_hand_survives_the_shop(start_shop: Any):
    shop = start_shop()
    session_id = await in_hand(Face(shop))
    shop.process.kill()
    shop = start_shop()
    await shop.until(shop.in_flight)
    await shop.hurry()
    assert (await Face(shop).ask("get_checkout", None, session_id))["status"] == "completed"
    assert await happened(shop) == ["reserve", "charge", "order"]


# -- its customer is wanted -----------------------------------------------------------------------


async def wish(shop: Shop, page: str, what: str) -> int:
    """Press a button of the shop's own page."""
    return (await shop.http.post(page, data={"wish": what})).status_code


async def escalated(face: Face, when: str) -> dict[str, Any]:
    if when == "before":
        await face.shop.fault("sessions", "escalate", match="create_checkout")
        found = await face.ask("create_checkout", wanted())
        severity = "requires_buyer_input"
    else:
        session = await face.ready()
        await face.shop.fault("completions", "escalate", match=session["id"])
        found = await face.complete(session["id"])
        severity = "requires_buyer_review"
    assert (face.status, found["status"]) == (201 if face.status == 201 else 200, found["status"])
    assert found["status"] == "requires_escalation"
    assert [one["severity"] for one in found["messages"]] == [severity]
    assert found["continue_url"] == f"{face.shop.process.url}/ucp/go/{found['id']}"
    return found


@pytest.mark.parametrize("when", ["before", "at complete"])
async def test_its_customer_is_wanted_and_lets_it_go_on(face: Face, when: str):
    found = await escalated(face, when)
    still = await face.complete(found["id"])
    assert still["status"] == "requires_escalation"
    assert await happened(face.shop) == ["reserve"]
    assert "wish" in (await face.shop.http.get(found["continue_url"])).text
    assert await wish(face.shop, found["continue_url"], "allow") == 200
    assert (await face.ask("get_checkout", None, found["id"]))["status"] == "ready_for_complete"
    assert (await face.complete(found["id"]))["status"] == "completed"


@pytest.mark.parametrize("when", ["before", "at complete"])
async def test_its_customer_orders_or_cancels_at_its_page(face: Face, when: str):
    ordered, canceled = await escalated(face, when), await escalated(face, when)
    assert await wish(face.shop, ordered["continue_url"], "order") == 200
    assert await wish(face.shop, canceled["continue_url"], "cancel") == 200
    shown = await face.ask("get_checkout", None, ordered["id"])
    assert (shown["status"], "order" in shown) == ("completed", True)
    assert (await face.ask("get_checkout", None, canceled["id"]))["status"] == "canceled"
    assert await happened(face.shop) == ["reserve", "reserve", "charge", "order", "release"]
    for page in (ordered["continue_url"], canceled["continue_url"]):
        assert await wish(face.shop, page, "order") == 409
    assert await wish(face.shop, f"{face.shop.process.url}/ucp/go/nothing", "order") == 404
    assert await wish(face.shop, ordered["continue_url"], "everything") == 422


# -- what becomes of an order ---------------------------------------------------------------------


async def test_an_event_is_sent_again_as_it_was(rest: Face, agent: Agent):
    face = Face(rest.shop, agent=f"{agent.url}/profile")
    await bought(face)
    await agent.until(1)
    await settled(rest.shop, "told")
    (event,) = await rest.shop.get("/admin/webhooks")
    again = await rest.shop.http.post(f"/admin/webhooks/{event['event_id']}/again")
    assert again.status_code == 200
    first, second = await agent.until(2)
    assert first == second
    assert len({headers["webhook-id"] for headers, _ in agent.heard}) == 1


# -- requests that must be signed -----------------------------------------------------------------


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
