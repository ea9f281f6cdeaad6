"""Signed heads are kept as objects of a store, one a line, which nobody here can overwrite."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from daybook.app.ledger.heads import kept_heads, sign_heads
from daybook.app.ledger.signature import Signer
from daybook.checkpoints.postgres import Postgres
from daybook.state.errors import DaybookError
from evals.protocol.parts import ORDER
from tests.integration.s3_server import SECRET, Store, s3_server
from tests.integration.test_export import daybook
from tests.ledger.book import opened, someone

TO = "s3://audit/daybook/heads"


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """Let a store listen, which the standard variables name."""
    with s3_server() as one:
        for name, value in one.variables.items():
            monkeypatch.setenv(name, value)
        yield one


@pytest.fixture
async def key(postgres: Postgres, tmp_path: Path) -> Path:
    """Name a key, where one thread has some entries."""
    await opened(postgres.ledger, someone("ada", "t-ada"), ORDER)
    return tmp_path / "key"


async def signed(postgres: Postgres, key: Path, rounds: int = 1) -> None:
    for _ in range(rounds):
        await sign_heads(postgres, key, TO)
        await postgres.clock.sleep(60)


async def test_each_line_is_an_object_and_all_in_their_order_are_the_journal(
    postgres: Postgres, key: Path, store: Store
):
    await signed(postgres, key, 3)
    own = Signer(key).public_key
    names = [f"/audit/daybook/heads/{own[:16]}/{at:012}.json" for at in (1, 2, 3)]
    assert [*store.objects] == names
    lines = [store.objects[name].decode() for name in sorted(names)]
    assert {one.head.thread_id for one in kept_heads(lines, public_key=own)} == {"t-ada"}
    assert "".join(lines) == (key.parent / "key.heads.jsonl").read_text()


async def test_whoever_loses_or_rewrites_the_journal_cannot_overwrite_what_was_kept(
    postgres: Postgres, key: Path, store: Store
):
    await signed(postgres, key, 2)
    before = dict(store.objects)
    for file in key.parent.glob("key.heads.*"):
        file.unlink()
    for _ in range(2):
        with pytest.raises(
            DaybookError, match=r"has a different \w+/0{11}1.json than this journal"
        ):
            await signed(postgres, key)
    assert store.objects == before


async def test_an_object_whose_reply_was_lost_is_no_other_one_when_it_is_sent_again(
    postgres: Postgres, key: Path, store: Store
):
    await signed(postgres, key)
    store.loses = 9
    with pytest.raises(DaybookError, match=r"s3://audit/daybook/heads.* did not accept"):
        await signed(postgres, key)
    store.loses = 0
    await signed(postgres, key)
    assert len(store.objects) == 3


async def test_a_store_that_overwrites_is_no_place_for_heads(
    postgres: Postgres, key: Path, store: Store
):
    store.overwrites = True
    for _ in range(2):
        with pytest.raises(DaybookError, match="ignores If-None-Match"):
            await signed(postgres, key)


async def test_who_is_refused_tells_no_secret_and_sends_all_of_it_later(
    postgres: Postgres, key: Path, store: Store, monkeypatch: pytest.MonkeyPatch
):
    with monkeypatch.context() as patch:
        patch.setenv("AWS_SECRET_ACCESS_KEY", SECRET.lower())
        with pytest.raises(DaybookError, match=r"PermissionDenied.* sent with the next") as refused:
            await signed(postgres, key)
        # A store elsewhere is asked by https alone.
        patch.setenv("AWS_ENDPOINT_URL_S3", "http://192.0.2.1:9")
        with pytest.raises(DaybookError, match="did not accept"):
            await signed(postgres, key)
    assert SECRET.lower() not in str(refused.value)
    assert store.objects == {}
    await signed(postgres, key)
    assert [len(json.loads(line)["heads"]) for line in store.objects.values()] == [1, 1, 1]


@pytest.mark.parametrize("moment", ["after_commit:heads/signed", "after_reply:heads/sent"])
async def test_who_signs_is_killed_and_each_line_is_kept_once(
    postgres_url: str, key: Path, store: Store, moment: str
):
    words = ("ledger", "sign", "--key", str(key), "--to", TO)
    for _ in range(2):
        assert daybook(postgres_url, *words, DAYBOOK_DIE_AT=moment).returncode == -9
    ended = daybook(postgres_url, *words)
    assert (ended.returncode, ended.stderr) == (0, "")
    kept = b"".join(store.objects[name] for name in sorted(store.objects)).decode()
    assert kept == (key.parent / "key.heads.jsonl").read_text()
    assert len([*kept_heads(kept.splitlines(keepends=True))]) == len(store.objects) == 3


@pytest.mark.parametrize("wrong", ["s3://", "s3:///x", "s3://a:b@bucket/x", "PUT s3://bucket/x"])
async def test_what_names_no_bucket_is_refused(postgres: Postgres, key: Path, wrong: str):
    with pytest.raises(DaybookError, match=r"s3://BUCKET/PREFIX\. Nothing was signed"):
        await sign_heads(postgres, key, wrong)
