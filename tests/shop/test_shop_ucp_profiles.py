"""The shop looks at the profile of who asks, and is one that others can look at."""

import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from daybook.testing.http import Answer, Request, as_json, serve
from daybook.tools.merchants.ucp.answers import refusal
from daybook.tools.merchants.ucp.profile import VERSIONS, agent_profile
from tests.shop.conftest import Shop
from tests.shop.test_shop_ucp import AGENT, Face, codes, happened, wanted
from tests.ucp_schemas import check


@dataclass
class Agent:
    """Somebody whose profile says what a test wants."""

    url: str = ""
    says: Answer = field(default_factory=lambda: Answer(404))
    asked: int = 0

    def handle(self, request: Request) -> Answer:
        if request.path != "/profile":
            return as_json(200, {})
        self.asked += 1
        return self.says


@pytest.fixture
def agent() -> Iterator[Agent]:
    agent = Agent()
    with serve({"agent": agent}) as url:
        agent.url = f"{url}/agent"
        yield agent


@pytest.fixture(params=["rest", "mcp"])
async def face(shop: Shop, agent: Agent, request: pytest.FixtureRequest) -> Face:
    await shop.put("/admin/settings", profiles="checked")
    return Face(shop, request.param, agent=f"{agent.url}/profile")


def ours(agent: Agent, version: str = VERSIONS[0]) -> dict[str, Any]:
    return agent_profile([], f"{agent.url}/events", version)


async def test_a_purchase_asks_once_for_the_profile(face: Face, agent: Agent):
    agent.says = as_json(200, ours(agent))
    session = await face.ready()
    assert (await face.complete(session["id"]))["status"] == "completed"
    assert await happened(face.shop) == ["reserve", "charge", "order"]

    async def told() -> bool:
        return [one["state"] for one in await face.shop.get("/admin/webhooks")] == ["told"]

    await face.shop.until(told)
    assert agent.asked == 1


WRONG = {
    "nowhere": (AGENT, None, 424, "profile_unreachable"),
    "not found": ("", Answer(404), 424, "profile_unreachable"),
    "moved": ("", Answer(301, b"", {"location": AGENT}), 424, "profile_unreachable"),
    "no JSON": ("", Answer(200, b"<html>"), 422, "profile_malformed"),
    "no profile": ("", as_json(200, {"ucp": {"version": VERSIONS[0]}}), 422, "profile_malformed"),
    "no URL": ("daybook", None, 400, "invalid_profile_url"),
    "port": ("http://127.0.0.1:99999/", None, 400, "invalid_profile_url"),
    "file": ("file:///etc/passwd", None, 400, "invalid_profile_url"),
    "older": ("", VERSIONS[1], 422, "version_unsupported"),
}


@pytest.mark.parametrize("name", WRONG)
async def test_an_agent_without_a_good_profile_is_told_what_is_wrong_with_it(
    face: Face, agent: Agent, name: str
):
    url, says, status, code = WRONG[name]
    face.agent = url or face.agent
    if says is not None:
        agent.says = as_json(200, ours(agent, says)) if isinstance(says, str) else says
    sent = face._mcp if face.transport == "mcp" else face._rest
    told = await sent("create_checkout", wanted(), "", str(uuid.uuid4()))
    assert told.keys() <= {"code", "content", "continue_url"}
    assert told["code"] == code
    assert [one.code for one in refusal(told, 400)] == [code]
    assert face.code == -32001 if face.transport == "mcp" else face.status == status
    assert await happened(face.shop) == []
    # It is looked at anew once it is mended.
    agent.says, face.agent = as_json(200, ours(agent)), f"{agent.url}/profile"
    if name != "older":
        await face.ready()


async def test_an_agent_that_can_nothing_of_what_the_shop_can_is_told_so(face: Face, agent: Agent):
    profile = ours(agent)
    has = profile["ucp"]["capabilities"]
    profile["ucp"]["capabilities"] = {
        name: has[name] for name in has if name.endswith("fulfillment")
    }
    agent.says = as_json(200, profile)
    told = await face.ask("create_checkout", wanted())
    assert (told["ucp"]["status"], codes(told)) == ("error", ["capabilities_incompatible"])
    assert face.transport == "mcp" or face.status == 200
    assert await happened(face.shop) == []


@pytest.mark.parametrize("version", VERSIONS)
async def test_its_own_profile_is_the_protocols_and_has_its_keys_at_both_places(
    shop: Shop, version: str
):
    await shop.put("/admin/settings", ucp_version=version)
    told = await shop.get("/.well-known/ucp")
    check("profile.json#/$defs/business_schema", told)
    assert told["ucp"]["version"] == version
    assert told["keys"] == told["signing_keys"] != []
