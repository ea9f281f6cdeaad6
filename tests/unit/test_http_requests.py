"""What is sent: the same bytes and headers from here and from a child, and secrets nowhere else."""

import asyncio
import logging
from typing import Any, get_args

import pytest

from daybook.state.clock import SYSTEM
from daybook.state.effects.deadline import Deadline, Keeper
from daybook.state.effects.outcome import Confirmed, Declined, Outcome, Unknown
from daybook.state.errors import DeclarationError, ServiceUnavailable, ToolRefused
from daybook.tools.services.contract import SAYS_NOTHING, STRIPE_V1, Contract
from daybook.tools.services.http import HttpService
from daybook.tools.services.reply import reply
from daybook.tools.services.request import key_text
from tests.unit.http_server import drops, says, serving

SECRET = "sk_test_4711_secret"
HEADERS = {"Authorization": f"Bearer {SECRET}", "Stripe-Version": "2026-01-01"}

KEEPERS = get_args(Keeper)


async def post(
    service: HttpService, kept_by: Keeper, body: Any, key: str = "order/7/refund/1"
) -> Outcome:
    return await service.post(
        "/v1/refunds", body, key=key, deadline=Deadline(SYSTEM.monotonic() + 15, kept_by)
    )


async def sent(kept_by: Keeper, contract: Contract, body: Any, key: str = "order/7") -> str:
    """Return a request as it came over the wire, with its host's port left out."""
    async with serving(says(200, {"id": 1})) as served:
        service = HttpService(served.url, contract, HEADERS)
        assert isinstance(await post(service, kept_by, body, key), Confirmed)
        await service.close()
    return served.requests[0].replace(served.url.rpartition(":")[2], "PORT", 1)


@pytest.mark.parametrize(
    ("contract", "body"),
    [
        (SAYS_NOTHING, {"b": 1, "a": {"z": "Größe 鞋", "y": [1e16, -0.0, None, True]}}),
        (SAYS_NOTHING, b'{ "b" : 1.00,\n "a": "\\u00e4" }'),
        (STRIPE_V1, {"charge": "ch_1", "metadata": {"order": 7, "note": "a&b=c ä"}}),
        (Contract(name="x", key_header="X-Request-Id"), {"a": 1}),
        (Contract(name="x", key_header=None, key_field="client_msg_id"), {"a": 1}),
    ],
)
async def test_both_senders_send_the_very_same(contract: Contract, body: Any):
    first, second = [await sent(kept_by, contract, body) for kept_by in KEEPERS]
    assert first == second


@pytest.mark.parametrize("kept_by", KEEPERS)
async def test_headers_of_the_service_go_with_effects(kept_by: Keeper):
    head = (await sent(kept_by, SAYS_NOTHING, {})).partition("\r\n\r\n")[0].lower()
    assert f"authorization: bearer {SECRET}" in head
    assert "stripe-version: 2026-01-01" in head
    assert "idempotency-key: order/7" in head
    assert "content-type: application/json" in head


# -- bodies ---------------------------------------------------------------------------------------


async def test_a_key_goes_where_the_contract_says():
    other = Contract(name="x", key_header="X-Request-Id")
    assert "x-request-id: order/7" in (await sent("sender", other, {})).lower()
    field = Contract(name="x", key_header=None, key_field="client_msg_id")
    request = await sent("sender", field, {"a": 1})
    assert "order/7" not in request.partition("\r\n\r\n")[0]
    assert request.endswith('{"a":1,"client_msg_id":"order/7"}')


def test_a_key_that_is_too_long_is_sent_as_its_hash():
    long, longer = "order/" + "7" * 300, "order/" + "7" * 301
    assert key_text(SAYS_NOTHING, "order/7") == "order/7"
    assert len(key_text(SAYS_NOTHING, long)) == 64
    assert key_text(SAYS_NOTHING, long) == key_text(SAYS_NOTHING, long)
    assert key_text(SAYS_NOTHING, long) != key_text(SAYS_NOTHING, longer)
    assert key_text(SAYS_NOTHING, "half \ud800") != ""


@pytest.mark.parametrize("contract", [SAYS_NOTHING, STRIPE_V1])
@pytest.mark.parametrize("odd", [float("nan"), float("inf"), object(), "\ud800", b"bytes"])
async def test_what_cannot_be_written_is_refused_and_not_sent(contract: Contract, odd: object):
    async with serving() as served:
        service = HttpService(served.url, contract)
        outcome = await post(service, "sender", {"a": odd})
        await service.close()
    assert isinstance(outcome, Declined)
    assert outcome.at_the_door
    assert served.requests == []


# -- secrets --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "url", ["https://token@api.example.com", "https://ada:token@api.example.com/v1"]
)
def test_a_token_in_the_url_is_refused_in_words_that_do_not_repeat_it(url: str):
    with pytest.raises(DeclarationError, match="headers=") as refused:
        HttpService(url)
    assert "token@" not in str(refused.value)
    assert "api.example.com" in str(refused.value)


@pytest.mark.parametrize(
    "headers",
    [
        {"Authorization": "Bearer hidden4711\r\nX: y"},
        {"Authorization": " hidden4711"},
        {"Authorization": "hidden4711ä"},
        {"Authorization": None},
        {"Auth orization": "hidden4711"},
        {"Idempotency-Key": "hidden4711"},
        {"Host": "hidden4711"},
        {"Content-Length": "hidden4711"},
    ],
)
def test_a_header_that_cannot_be_sent_is_refused_without_its_value(headers: Any):
    with pytest.raises(DeclarationError) as refused:
        HttpService("https://api.example.com", headers=headers)
    assert "hidden4711" not in str(refused.value)


async def _everything_that_is_said(kept_by: Keeper) -> list[str]:
    """Go through what may fail, and return all that was said of it."""
    echo = {"error": {"message": f"Who is {SECRET}?", "code": f"bad {SECRET}"}, "at": SECRET}
    contract = Contract(name="the bank", declined={402}, not_done={503})
    answers = [says(402, echo), says(503, echo), says(500, echo), says(200, {"at": SECRET}), drops]
    said: list[str] = []
    async with serving(*answers, says(404, echo), says(500, echo), drops) as served:
        service = HttpService(served.url, contract, HEADERS)
        said += [repr(service), str(service), repr(contract)]
        said += [repr(await post(service, kept_by, {})) for _ in answers]
        for _ in range(3):
            with pytest.raises((ToolRefused, ServiceUnavailable)) as failed:
                await service.get("/charges")
            said.append(str(failed.value) + repr(failed.value.__cause__))
        await service.close()
    return said


@pytest.mark.parametrize("kept_by", KEEPERS)
async def test_a_secret_stands_in_nothing_that_is_said_or_logged(kept_by, caplog):
    """Some services repeat the token that they do not know."""
    caplog.set_level(logging.DEBUG)
    said = await _everything_that_is_said(kept_by)
    assert any("[hidden]" in one for one in said)
    assert SECRET not in "\n".join([*said, caplog.text])


@pytest.mark.parametrize(
    "written", [r"sk_live/aa+bb==", r"sk_live\/aa+bb==", r"sk_live/aa\u002Bbb=\u003D"]
)
def test_a_secret_is_hidden_however_a_service_escapes_it(written: str):
    body = f'{{"error": {{"message": "No such key: {written}"}}, "{written}": ["{written}"]}}'
    told = reply(401, [], body.encode(), 500, ["sk_live/aa+bb=="]).json()
    assert told == {"error": {"message": "No such key: [hidden]"}, "[hidden]": ["[hidden]"]}


@pytest.mark.parametrize("kept_by", KEEPERS)
async def test_cookies_of_a_service_are_not_sent_back(kept_by: Keeper):
    """A child would not know them: what is sent does not depend on who sends."""

    async def sets_a_cookie(writer: asyncio.StreamWriter) -> None:
        head = (
            "HTTP/1.1 200 OK\r\nset-cookie: a=1\r\ncontent-length: 2\r\nconnection: close\r\n\r\n"
        )
        writer.write(head.encode() + b"{}")
        await writer.drain()

    async with serving(sets_a_cookie, says(200, {})) as served:
        service = HttpService(served.url)
        for _ in range(2):
            await post(service, kept_by, {})
        await service.close()
    assert "cookie" not in served.requests[1].lower()


@pytest.mark.parametrize("kept_by", KEEPERS)
async def test_a_redirect_is_not_followed(kept_by: Keeper):
    async with serving(says(200, {"id": 1})) as other:

        async def sends_elsewhere(writer: asyncio.StreamWriter) -> None:
            head = f"HTTP/1.1 308 X\r\nlocation: {other.url}/x\r\ncontent-length: 9\r\n\r\n"
            writer.write(head.encode() + b'{"id": 1}')
            await writer.drain()

        async with serving(sends_elsewhere) as served:
            service = HttpService(served.url, headers=HEADERS)
            assert isinstance(await post(service, kept_by, {}), Unknown)
            await service.close()
    assert other.requests == []


async def test_a_path_never_leads_to_another_host():
    async with serving(says(200, [])) as served:
        service = HttpService(served.url, headers=HEADERS)
        await service.get("https://elsewhere.example/steal")
        await service.close()
    assert served.requests[0].startswith("GET /https://elsewhere.example/steal HTTP/1.1")
