"""How much of an answer is read, and what becomes of one that cannot be kept as it is."""

import asyncio
import gzip
from typing import get_args

import pytest

from daybook.state.clock import SYSTEM
from daybook.state.effects.deadline import Deadline, Keeper
from daybook.state.effects.outcome import Confirmed, Outcome, Unknown
from daybook.state.errors import ServiceUnavailable
from daybook.tools.services.http import HttpService
from tests.unit.http_server import Answer, serving

MOST = 10_000
KEEPERS = get_args(Keeper)


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


async def post(url: str, kept_by: Keeper, seconds: float = 15) -> Outcome:
    service = HttpService(url, most=MOST)
    try:
        deadline = Deadline(SYSTEM.monotonic() + seconds, kept_by)
        return await service.post("/charges", {}, key="op/1", deadline=deadline)
    finally:
        await service.close()


async def answered(answer: Answer, kept_by: Keeper) -> Outcome:
    async with serving(answer) as served:
        return await post(served.url, kept_by)


def padded(length: int) -> bytes:
    """Make an object of so many bytes."""
    return b'{"a":"' + b"x" * (length - 8) + b'"}'


@pytest.mark.parametrize("kept_by", KEEPERS)
async def test_an_answer_is_read_up_to_the_limit_and_no_further(kept_by: Keeper):
    assert isinstance(await answered(gives(padded(MOST)), kept_by), Confirmed)
    outcome = await answered(gives(padded(MOST + 1)), kept_by)
    assert isinstance(outcome, Unknown)
    assert f"longer than {MOST} bytes" in outcome.reason


@pytest.mark.parametrize("kept_by", KEEPERS)
@pytest.mark.parametrize(
    "answer",
    [
        pours("content-length: 400000000\r\n", b'{"a":' * 10_000),
        pours("transfer-encoding: chunked\r\n", b"c350\r\n" + b" " * 50_000 + b"\r\n"),
        pours("connection: close\r\n", b" " * 50_000),
    ],
)
async def test_an_answer_without_an_end_is_left_at_the_limit(answer: Answer, kept_by: Keeper):
    outcome = await answered(answer, kept_by)
    assert isinstance(outcome, Unknown)
    assert f"longer than {MOST} bytes" in outcome.reason


@pytest.mark.parametrize("kept_by", KEEPERS)
async def test_a_packed_answer_may_be_no_longer_unpacked(kept_by: Keeper):
    head = "content-encoding: gzip\r\n"
    assert isinstance(
        await answered(gives(gzip.compress(padded(MOST), mtime=0), head), kept_by), Confirmed
    )
    bomb = gzip.compress(b" " * 8_000_000, mtime=0)
    assert len(bomb) < MOST
    outcome = await answered(gives(bomb, head), kept_by)
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
    assert isinstance(await answered(gives(body, head), "sender"), Unknown)
    async with serving(gives(body, head)) as served:
        service = HttpService(served.url, most=MOST)
        with pytest.raises(ServiceUnavailable):
            await service.get("/charges")
        await service.close()
