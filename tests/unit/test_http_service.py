"""One call over HTTP, classified by "could the request have been sent?".

It comes to the same whether it is sent from here or from a child that the kernel kills.
"""

import asyncio
import gzip
import socket
from typing import Any, get_args

import pytest

from daybook.state.clock import SYSTEM
from daybook.state.effects.deadline import Deadline, Keeper
from daybook.state.effects.outcome import Confirmed, Declined, NotSent, Outcome, Unknown
from daybook.state.errors import ServiceUnavailable, ToolRefused
from daybook.tools.services import public
from daybook.tools.services.contract import Contract
from daybook.tools.services.http import HttpService, resource
from tests.unit.certificates import Authority
from tests.unit.http_server import (
    Answer,
    drips,
    drops,
    drops_in_the_middle,
    is_silent,
    resets,
    says,
    says_it_packed,
    says_no_http,
    serving,
)
from tests.unit.tcp_server import tcp_server

BANK = Contract(
    name="the bank",
    declined={402},
    not_done={"too_busy"},
    code=(("error",),),
    message=(("message",),),
)

SOON = 1.0
"""Seconds after which an answer is given up that does not come."""


@pytest.fixture(params=get_args(Keeper))
def kept_by(request: pytest.FixtureRequest) -> Keeper:
    """Yield who keeps the deadline: from where the call is sent."""
    keeper: Keeper = request.param
    return keeper


async def post(
    url: str, kept_by: Keeper, *, key: str = "op/1", seconds: float = 15, **more: Any
) -> Outcome:
    service = HttpService(url, BANK, **more)
    deadline = Deadline(SYSTEM.monotonic() + seconds, kept_by)
    try:
        return await service.post("/charges", {"amount": 5}, key=key, deadline=deadline)
    finally:
        await service.close()


async def answered(answer: Answer, kept_by: Keeper, seconds: float = 15, **more: Any) -> Outcome:
    async with serving(answer) as served:
        return await post(served.url, kept_by, seconds=seconds, **more)


def closed_port() -> str:
    """Name a place where nobody listens."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{one.getsockname()[1]}"


async def test_a_refused_connection_is_not_sent(kept_by: Keeper):
    assert isinstance(await post(closed_port(), kept_by), NotSent)


DECLINE = {"error": "card_declined", "message": "The card was declined.", "card_id": "c"}


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (says(200, {"charge_id": "c"}), Confirmed({"charge_id": "c"})),
        (says(201, {"charge_id": "c"}), Confirmed({"charge_id": "c"})),
        (says(402, DECLINE), Declined("card_declined", "The card was declined.", {"card_id": "c"})),
        (says(503, {"error": "too_busy", "message": "Come again."}), NotSent("Come again.")),
        (says_it_packed, Confirmed({"id": 1})),
    ],
    ids=["200", "201", "declined", "not done", "packed and in pieces"],
)
async def test_an_answer_is_what_the_contract_calls_it(answer, outcome, kept_by: Keeper):
    assert await answered(answer, kept_by) == outcome


@pytest.mark.parametrize(
    "answer",
    [
        *(says(200, "no JSON"), says(200, [1]), says(200, "")),
        *(drops, drops_in_the_middle, resets, says_no_http),
    ],
)
async def test_a_success_that_shows_nothing_and_a_dropped_connection_are_unknown(answer, kept_by):
    assert isinstance(await answered(answer, kept_by), Unknown)


async def test_a_connection_that_is_reset_before_the_request_is_read_is_unknown(kept_by: Keeper):
    async def resets_at_once(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.transport.abort()

    async with tcp_server(resets_at_once) as port:
        assert isinstance(await post(f"http://127.0.0.1:{port}", kept_by), Unknown)


@pytest.mark.parametrize("answer", [is_silent, drips])
async def test_an_answer_that_does_not_come_within_the_budget_is_unknown(answer, kept_by):
    assert isinstance(await answered(answer, kept_by, SOON), Unknown)


@pytest.mark.parametrize("answer", [says(503, {}), says(500, {}), drops])
async def test_a_call_is_sent_once_whatever_comes_of_it(answer: Answer, kept_by: Keeper):
    async with serving(answer, says(200, {})) as served:
        await post(served.url, kept_by)
        assert len(served.requests) == 1


@pytest.mark.parametrize("key", ["turn/t/nächste Woche/0.0/x/1", "turn/t/a\nb/0.0/x/1"])
async def test_a_key_of_any_text_is_carried_or_the_call_is_provably_not_sent(key, kept_by):
    """Message ids are the client's, and an operation may be named after one."""
    async with serving(says(200, {"id": 1})) as served:
        outcome = await post(served.url, kept_by, key=key)
    assert (type(outcome), len(served.requests)) in [(Confirmed, 1), (NotSent, 0)]


async def test_a_call_whose_time_is_over_is_not_sent(kept_by: Keeper):
    async with serving(says(200, {})) as served:
        outcome = await post(served.url, kept_by, seconds=0)
    assert isinstance(outcome, NotSent)
    assert served.requests == []


async def test_a_secure_service_is_asked_when_its_certificate_is_trusted(
    authority: Authority, monkeypatch: pytest.MonkeyPatch, kept_by: Keeper
):
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.certificate))
    async with serving(says(200, {"id": 1}), tls=authority.server) as served:
        assert await post(served.url, kept_by) == Confirmed({"id": 1})


async def test_a_service_whose_certificate_nobody_trusts_is_sent_nothing(authority, kept_by):
    async with serving(says(200, {"id": 1}), tls=authority.server) as served:
        outcome = await post(served.url, kept_by)
        with pytest.raises(ServiceUnavailable, match=r"^The certificate of 127\.0\.0\.1 is not"):
            await get(served.url)
    assert isinstance(outcome, NotSent)
    assert "the certificate of 127.0.0.1 is not trusted: " in outcome.reason
    assert served.requests == []


# -- places that a stranger names -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "is_reached"),
    [
        *((one, True) for one in ("8.8.8.8", "2606:4700::1111", "64:ff9b::808:808")),
        *((one, False) for one in ("127.0.0.1", "10.1.2.3", "169.254.169.254", "100.64.0.1")),
        *((one, False) for one in ("0.0.0.0", "224.0.0.1", "240.0.0.1", "255.255.255.255")),
        *((one, False) for one in ("::", "::1", "fe80::1%1", "fd00::1", "fec0::1", "ff0e::1")),
        *((one, False) for one in ("::ffff:10.0.0.1", "::10.0.0.1", "64:ff9b::a00:1")),
        *((one, False) for one in ("64:ff9b:1::a00:1", "2002:a00:1::1", "2001:0:a00:1::1")),
    ],
)
def test_what_is_an_address_of_the_public_internet(address: str, is_reached: bool):
    assert public.is_public(address) is is_reached


@pytest.mark.parametrize(
    "host",
    [
        *("127.0.0.1", "127.1", "2130706433", "0x7f.1", "localhost", "localhost."),
        *(
            "[::1]",
            "[::ffff:127.0.0.1]",
            "0",
            "[::]",
            "no-such-name.invalid",
            f"{'a' * 64}.example",
        ),
    ],
)
async def test_a_place_that_a_stranger_names_is_none_of_our_network(host: str, kept_by: Keeper):
    async with serving(says(200, {"id": 1})) as served:
        port = served.url.rpartition(":")[2]
        outcome = await post(f"http://{host}:{port}", kept_by, is_public=True)
    assert isinstance(outcome, NotSent)
    assert served.requests == []


async def test_a_name_is_resolved_once_and_that_address_is_connected_to(
    authority: Authority, monkeypatch: pytest.MonkeyPatch, kept_by: Keeper
):
    """A name whose second answer is another one (DNS rebinding) leads nowhere else."""
    asked: list[object] = []

    def resolves(host: object, port: int, *more: Any, **named: Any) -> Any:
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))]

    monkeypatch.setattr(socket, "getaddrinfo", resolves)
    monkeypatch.setattr(public, "is_public", lambda one: one == "127.0.0.1")
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.certificate))
    async with serving(says(200, {"id": 1})) as served:
        place = served.url.replace("127.0.0.1", "shop.example")
        address = "127.0.0.1"
        assert await post(place, kept_by, is_public=True) == Confirmed({"id": 1})
        address = "10.0.0.1"
        assert isinstance(await post(place, kept_by, is_public=True), NotSent)
    assert asked == ["shop.example"] * 2
    assert place.removeprefix("http://") in served.requests[0]
    address = "127.0.0.1"
    async with serving(says(200, {"id": 1}), tls=authority.server) as served:
        assert await post(served.url, kept_by, is_public=True) == Confirmed({"id": 1})
        named = await post(served.url.replace("127.0.0.1", "shop.example"), kept_by, is_public=True)
    assert isinstance(named, NotSent), "a certificate is of the name, and not of the address"
    assert "the certificate of shop.example is not trusted" in named.reason


# -- reads ----------------------------------------------------------------------------------------

SLACK = Contract(name="Slack", ok=("ok",), code=(("error",),), message=(("error",),))
HALF = [
    (200, {"error": "shard_down", "data": []}),
    (200, {"error": {"code": "shard_down"}, "data": []}),
    (200, {"errors": [{"message": "A part did not answer."}], "data": {"rows": []}}),
    (200, {"success": False, "data": []}),
    *((status, {"data": []}) for status in (202, 206, 207)),
]
"""Half an answer to a read is none."""


async def get(url: str, contract: Contract = BANK, seconds: float = 15) -> object:
    service = HttpService(url, contract, seconds=seconds)
    try:
        return await service.get("/orders")
    finally:
        await service.close()


@pytest.mark.parametrize(
    ("answer", "contract", "status"),
    [
        # It says nothing of the thing that was asked for.
        *((says(odd, {}), BANK, odd) for odd in (401, 403, 407, 408, 425, 429, 301, 308, 500)),
        *((says(200, body), BANK, None) for body in ("no JSON", {"success": False})),
        *((answer, BANK, None) for answer in (drops, is_silent)),
        (says(200, {"ok": False, "error": "not_authed"}), SLACK, None),
        *((says(status, body), BANK, None) for status, body in HALF),
    ],
)
async def test_a_read_without_a_proper_answer_is_unavailable(
    answer: Answer, contract: Contract, status: int | None
):
    async with serving(answer) as served:
        with pytest.raises(ServiceUnavailable) as unavailable:
            await get(served.url, contract, 0.2 if answer is is_silent else 15)
    assert status is None or unavailable.value.status == status
    with pytest.raises(ServiceUnavailable):
        await get(closed_port(), contract)


async def test_that_there_is_none_is_said_by_the_service_itself_and_asked_for():
    there_is_none = {"error": "no_order", "message": "There is no order X."}
    answers = [says(404, there_is_none), says(404, "<html>"), says(404, {}), says(200, {"id": 1})]
    async with serving(says(404, there_is_none), *answers) as served:
        service = HttpService(served.url, BANK)
        with pytest.raises(ToolRefused, match=r"There is no order X\."):
            await service.get("/orders/X")
        assert await service.find("/orders/X") is None
        for _ in range(2):
            with pytest.raises(ToolRefused):
                await service.find("/orders/X")
        assert await service.find("/orders/X") == {"id": 1}
        await service.close()


@pytest.mark.parametrize(
    ("part", "path"),
    [("ada", "/users/ada"), ("ada/../ben", "/users/ada%2F..%2Fben"), ("a?x=1", "/users/a%3Fx%3D1")],
)
def test_what_is_put_into_a_path_stays_one_segment_of_it(part: str, path: str):
    assert resource("users", part) == path


@pytest.mark.parametrize("part", ["", ".", ".."])
def test_what_is_no_segment_is_refused(part: str):
    with pytest.raises(ToolRefused):
        resource("users", part)


# -- how much of an answer is read ----------------------------------------------------------------

MOST = 10_000


def gives(body: bytes, head: str = "", status: int = 200) -> Answer:
    """Answer with bytes as they are."""

    async def answer(writer: asyncio.StreamWriter) -> None:
        length = f"content-length: {len(body)}\r\n"
        writer.write(f"HTTP/1.1 {status} X\r\n{length}{head}\r\n".encode() + body)
        await writer.drain()

    return answer


def pours(head: str, piece: bytes) -> Answer:
    """Answer without an end, for as long as somebody reads."""

    async def answer(writer: asyncio.StreamWriter) -> None:
        writer.write(f"HTTP/1.1 200 X\r\n{head}\r\n".encode())
        while not writer.is_closing():
            writer.write(piece)
            await writer.drain()

    return answer


def padded(length: int) -> bytes:
    """Make an object of so many bytes."""
    return b'{"a":"' + b"x" * (length - 8) + b'"}'


async def test_an_answer_is_read_up_to_the_limit_and_no_further(kept_by: Keeper):
    assert isinstance(await answered(gives(padded(MOST)), kept_by, most=MOST), Confirmed)
    outcome = await answered(gives(padded(MOST + 1)), kept_by, most=MOST)
    assert isinstance(outcome, Unknown)
    assert f"longer than {MOST} bytes" in outcome.reason


@pytest.mark.parametrize(
    "answer",
    [
        pours("content-length: 400000000\r\n", b'{"a":' * 10_000),
        pours("transfer-encoding: chunked\r\n", b"c350\r\n" + b" " * 50_000 + b"\r\n"),
        pours("connection: close\r\n", b" " * 50_000),
    ],
)
async def test_an_answer_without_an_end_is_left_at_the_limit(answer: Answer, kept_by: Keeper):
    outcome = await answered(answer, kept_by, most=MOST)
    assert isinstance(outcome, Unknown)
    assert f"longer than {MOST} bytes" in outcome.reason


async def test_a_packed_answer_may_be_no_longer_unpacked(kept_by: Keeper):
    head = "content-encoding: gzip\r\n"
    assert isinstance(
        await answered(gives(gzip.compress(padded(MOST), mtime=0), head), kept_by, most=MOST),
        Confirmed,
    )
    bomb = gzip.compress(b" " * 8_000_000, mtime=0)
    assert len(bomb) < MOST
    outcome = await answered(gives(bomb, head), kept_by, most=MOST)
    assert isinstance(outcome, Unknown)
    assert f"longer than {MOST} bytes" in outcome.reason


@pytest.mark.parametrize(
    ("body", "head"),
    [
        (gzip.compress(b'{"a": 1}', mtime=0)[:-4], "content-encoding: gzip\r\n"),
        (b'{"a": 1}', "content-encoding: gzip\r\n"),
        (b'{"a": 1}', "content-encoding: br\r\n"),
        (gzip.compress(b'{"a": 1}', mtime=0), ""),
        ('{"a": "ä"}'.encode("latin-1"), "content-type: application/json\r\n"),
        ('{"a": "ä"}'.encode(), "content-type: application/json; charset=latin-1\r\n"),
        (b'{"a": NaN}', ""),
        (b'{"a": 1, "a": 2}', ""),
        (b'{"a": "\\u0000"}', ""),
        (b'{"a": "\\ud800"}', ""),
        (b'{"a": ' + b"9" * 400 + b"}", ""),
        (b'{"a":' * 1900 + b"1" + b"}" * 1900, ""),
    ],
)
async def test_what_cannot_be_kept_as_it_is_confirms_nothing(body: bytes, head: str):
    assert isinstance(await answered(gives(body, head), "sender", most=MOST), Unknown)
    async with serving(gives(body, head)) as served:
        service = HttpService(served.url, most=MOST)
        with pytest.raises(ServiceUnavailable):
            await service.get("/charges")
        await service.close()
