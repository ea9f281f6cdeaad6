"""Whatever somebody makes of an export, its manifest or a journal of heads is answered in words."""

import hashlib
import json
import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from daybook.app.ledger.audit import audit
from daybook.app.ledger.export import manifest_of
from daybook.app.ledger.forms import Form, line_of, read_line
from daybook.app.ledger.heads import kept_heads, sign_heads
from daybook.app.ledger.signature import Signer
from daybook.checkpoints.postgres import Postgres
from daybook.graph.settings.environment import Settings
from daybook.state.effects.keys import canonical
from daybook.state.errors import DaybookError
from tests.apart.forgery.conftest import FEW
from tests.apart.forgery.hostile import THINGS
from tests.integration.test_export import daybook, exported, threads  # noqa: F401

SEED = 20_261_129

Wreck = Callable[[list[bytes], random.Random], list[bytes]]

BYTES = (
    b"\xff\xfe",
    b"\xed\xa0\x80",
    b"\0",
    b"\r",
    b"\n",
    b"\n\n",
    b"\xef\xbb\xbf",
    b" ",
    b"{",
    b",",
)
TEXTS = (
    *(b"NaN", b"Infinity", b"-0", b"1e999", b'"\\ud800"', b"9" * 5_000, b"x" * 500_000),
    *(b"[" * 100_000, b"[" * 900 + b"]" * 900, b'{"a":' * 400 + b"1" + b"}" * 400, b"\xff" * 100),
)
"""What may stand where a value stood."""


def flipped(lines: list[bytes], choose: random.Random) -> list[bytes]:
    data = bytearray(b"".join(lines))
    data[choose.randrange(len(data))] ^= 1 << choose.randrange(8)
    return [bytes(data)]


def cut(lines: list[bytes], choose: random.Random) -> list[bytes]:
    data = b"".join(lines)
    return [data[: choose.randrange(len(data))]]


def spliced(lines: list[bytes], choose: random.Random) -> list[bytes]:
    data = b"".join(lines)
    at = choose.randrange(len(data))
    return [data[:at], choose.choice((*BYTES, *TEXTS)), data[at:]]


def moved(lines: list[bytes], choose: random.Random) -> list[bytes]:
    lines = [*lines]
    one = lines.pop(choose.randrange(len(lines)))
    for _ in range(choose.randrange(3)):
        lines.insert(choose.randrange(len(lines) + 1), one)
    return lines


def of_another_value(lines: list[bytes], choose: random.Random) -> list[bytes]:
    """Put something else where a value of a line stands, or the same name twice."""
    lines = [*lines]
    at = choose.randrange(len(lines))
    try:
        row = json.loads(lines[at])
    except ValueError:
        return flipped(lines, choose)
    name = choose.choice([*row])
    pair = canonical({name: row[name]})[1:-1].encode()
    value = choose.choice((*TEXTS, json.dumps(choose.choice(THINGS)).encode()))
    other = json.dumps(name).encode() + b":" + value
    lines[at] = lines[at].replace(
        pair, choose.choice((other, other + b"," + pair, pair + b"," + pair))
    )
    return lines


WRECKS: tuple[Wreck, ...] = (flipped, cut, spliced, moved, of_another_value)


@pytest.fixture
def count(request: pytest.FixtureRequest) -> int:
    """Return how many are to be tried."""
    return int(request.config.getoption("--requests", default=FEW))


async def wrecked(of: bytes, count: int, tried: Callable[[bytes], None]) -> None:
    choose, lines = random.Random(SEED), of.splitlines(keepends=True)
    for number in range(count):
        made = b"".join(WRECKS[number % len(WRECKS)](lines, choose))
        if made != of:
            tried(made)


@pytest.mark.parametrize("which", ["file", "manifest"])
@pytest.mark.parametrize("form", Form)
async def test_no_hostile_export_is_accepted(
    threads: None,  # noqa: F811
    settings: Settings,
    tmp_path: Path,
    count: int,
    form: Form,
    which: str,
):
    if form is Form.PARQUET:
        pytest.importorskip("pyarrow")
    # Bytes of Parquet that hold no entry may be others.
    is_loose = which == "file" and form is Form.PARQUET
    file = await exported(settings, tmp_path / "x", form=form, payloads=True, key=tmp_path / "key")
    own = Signer(tmp_path / "key").public_key
    target = file if which == "file" else manifest_of(file)

    def tried(made: bytes) -> None:
        target.write_bytes(made)
        try:
            found = audit(file, own)
        except DaybookError:
            return
        # A payload that was taken out is counted as one that was erased.
        assert found.faults or is_loose or (which == "file" and found.erased), made[:300]

    await wrecked(target.read_bytes(), count, tried)


async def test_a_hostile_manifest_whose_sum_is_right_is_answered_in_words(
    threads: None,  # noqa: F811
    settings: Settings,
    tmp_path: Path,
    count: int,
):
    """Without a signature anybody can make one up; what is checked then is only said of it."""
    file = await exported(settings, tmp_path / "x", payloads=True)
    header, *spans, seal = map(json.loads, manifest_of(file).read_bytes().splitlines())
    choose = random.Random(SEED)
    for _ in range(count):
        lines = [dict(one) for one in (header, *spans)]
        one = choose.choice(lines)
        name = choose.choice([*one])
        if choose.random() < 0.2:
            del one[name]
        else:
            one[name] = choose.choice((*THINGS, "00", "x", 4, -4))
        text = b"".join(f"{canonical(line)}\n".encode() for line in lines)
        sealed = {**seal, "sha256": hashlib.sha256(text).hexdigest()}
        if choose.random() < 0.2:
            sealed.pop(choose.choice([*sealed]))
            sealed[choose.choice([*sealed])] = choose.choice(THINGS)
        manifest_of(file).write_bytes(text + f"{canonical(sealed)}\n".encode())
        assert all(len(fault) < 1_000 for fault in audit(file).faults)


async def test_no_hostile_journal_holds_a_head_that_was_not_signed(
    threads: None,  # noqa: F811
    postgres: Postgres,
    tmp_path: Path,
    count: int,
):
    key, journal = tmp_path / "key", tmp_path / "heads"
    for _ in range(3):
        await sign_heads(postgres, key, str(journal))
    own, of = Signer(key).public_key, journal.read_bytes()
    signed = {*kept_heads(of.decode().splitlines(keepends=True), public_key=own)}

    def tried(made: bytes) -> None:
        lines = made.decode(errors="replace").splitlines(keepends=True)
        with suppress(DaybookError):
            assert {*kept_heads(lines, public_key=own)} <= signed

    await wrecked(of, count, tried)


async def test_hostile_files_end_the_command_with_one_and_no_traceback(
    threads: None,  # noqa: F811
    settings: Settings,
    postgres: Postgres,
    tmp_path: Path,
):
    file = await exported(settings, tmp_path / "x")
    await sign_heads(postgres, tmp_path / "key", str(tmp_path / "heads"))
    for target in (file, manifest_of(file), tmp_path / "heads"):
        whole = target.read_bytes()
        target.write_bytes(b'{"format":' + b"[" * 100_000 + b"\xff\n" + whole)
        ended = daybook("no url", "verify-export", str(file), "--heads", str(tmp_path / "heads"))
        assert (ended.returncode, "Traceback" in ended.stderr) == (1, False), ended.stderr
        target.write_bytes(whole)


def test_a_long_value_is_read_back_from_csv(tmp_path: Path):
    row: dict[str, Any] = {"seq": 1, "payload": {"text": "x" * 150_000}}
    line = line_of(row, Form.CSV, [*row])
    assert read_line(line, Form.CSV, [*row]) == row
