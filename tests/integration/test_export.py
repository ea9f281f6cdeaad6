"""An export is checked by what is in it, and whatever is changed of it shows; so do signed heads."""

import asyncio
import json
import os
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest

from daybook.app.ledger.audit import audit
from daybook.app.ledger.export import Wanted, export, manifest_of
from daybook.app.ledger.forms import Form, line_of
from daybook.app.ledger.heads import Signed, keep_signing, kept_heads, sign_heads
from daybook.app.ledger.listing import verify
from daybook.app.ledger.signature import Signer
from daybook.checkpoints.ledger.chain import link
from daybook.checkpoints.ledger.ledger import KeptHead
from daybook.checkpoints.people.erasure import everything, open_eraser
from daybook.checkpoints.postgres import Postgres
from daybook.graph.settings.environment import Settings
from daybook.state.effects.keys import canonical
from daybook.state.errors import DaybookError
from evals.protocol.parts import ORDER, RESERVE
from tests.cases.test_cases import Bank
from tests.conftest import Agent
from tests.integration.test_ledger_commands import ALL_TABLES, tampered
from tests.integration.test_programs import State, fresh, graph_of
from tests.integration.warm_commands import warm_commands
from tests.ledger.book import claims, opened, someone
from tests.purchases import bought, shop_database
from tests.unit.http_server import says, serving

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "operations.md").read_text()

Lines = list[bytes]


@pytest.fixture
async def house(agent: Agent, paying: Bank) -> str:
    """Return the thread of a purchase at the shop, beside which a program with a `Ledger` has paid."""
    talk = await bought(agent)

    async def node(state: State) -> State:
        return {"came": await paying.pay("bob")}

    await graph_of(paying.ledger, node).ainvoke({}, fresh())
    return talk.thread_id


@pytest.fixture
async def threads(postgres: Postgres) -> None:
    """Let three threads have some entries each."""
    for user in ("ada", "bea", "cyd"):
        await opened(postgres.ledger, someone(user, f"t-{user}"), RESERVE, ORDER)


async def exported(settings: Settings, to: Path, *, resumes: bool = False, **wanted: Any) -> Path:
    key = wanted.pop("key", None)
    asked = {"since": None, "until": None, "form": Form.JSONL, "payloads": False} | wanted
    await export(settings, Wanted(settings.tenant, **asked), to, key=key, resumes=resumes)
    return to


async def count(url: str, table: str) -> int:
    async with await psycopg.AsyncConnection.connect(url) as conn:
        [row] = await (await conn.execute(f"select count(*) from {table}")).fetchall()  # type: ignore[arg-type]
        return int(row[0])


@pytest.mark.parametrize("form", Form)
async def test_what_all_programs_of_a_tenant_did_is_exported_and_verified_from_the_file_alone(
    house: str, settings: Settings, postgres_url: str, tmp_path: Path, form: Form
):
    if form is Form.PARQUET:
        pytest.importorskip("pyarrow")
    key = tmp_path / "key"
    for payloads in (False, True):
        file = tmp_path / f"{payloads}.{form}"
        await exported(settings, file, form=form, payloads=payloads, key=key)
        found = audit(file, (tmp_path / "key.pub").read_text().strip())
        assert found.faults == []
        assert (found.threads, found.entries) == (2, await count(postgres_url, "ledger_event"))
        assert found.payloads == (await count(postgres_url, "ledger_payload") if payloads else 0)
        assert (b"card_ada_1" in file.read_bytes()) is payloads
        assert [one.stat().st_mode & 0o777 for one in (file, manifest_of(file))] == [0o600] * 2
        header, *spans, seal = map(json.loads, manifest_of(file).read_text().splitlines())
        assert (header["version"], header["tenant"], header["from"]) == (1, "default", None)
        assert seal["public_key"] == Signer(key).public_key
        assert {house} < {one["thread_id"] for one in spans}
        assert all(one["hash"] == one["head_hash"] for one in spans)
    assert key.stat().st_mode & 0o777 == 0o600
    assert not any(".part" in name or name.startswith(".") for name in os.listdir(tmp_path))


def changed(lines: Lines, number: int, **values: Any) -> Lines:
    row = json.loads(lines[number])
    line = line_of(row | values, "jsonl", [*row])
    return [*lines[:number], line, *lines[number + 1 :]]


def swapped(lines: Lines, one: int, other: int) -> Lines:
    lines = [*lines]
    lines[one], lines[other] = lines[other], lines[one]
    return lines


def rewritten(lines: Lines) -> Lines:
    """Change the first entry, and compute all hashes of its thread anew."""
    hash_ = b""
    for at in range(4):
        author = {"author": "eve"} if at == 0 else {}
        hash_ = link(json.loads(lines[at]) | author, hash_)
        lines = changed(lines, at, hash=hash_.hex(), **author)
    return lines


OF_ADA = "thread t-ada: "
TAMPERED: dict[str, tuple[Callable[[Lines], Lines], str]] = {
    "changed": (lambda it: changed(it, 2, author="eve"), f"{OF_ADA}entry 3: the entry was changed"),
    "later": (
        lambda it: changed(it, 3, at="2026-01-01T00:00:00.000000+00:00"),
        f"{OF_ADA}entry 4: the entry was changed",
    ),
    "rewritten": (rewritten, f"{OF_ADA}entry 4: its hash is not the head's"),
    "removed": (lambda it: [*it[:1], *it[2:]], f"{OF_ADA}entry 3: entry 2 is missing"),
    "first removed": (lambda it: it[1:], f"{OF_ADA}entry 2: entry 1 is missing"),
    "last removed": (lambda it: [*it[:3], *it[4:]], f"{OF_ADA}The head is at entry 4"),
    "added": (lambda it: [*it[:4], it[3], *it[4:]], f"{OF_ADA}entry 4: entry 5 is missing"),
    "reordered": (lambda it: swapped(it, 1, 2), f"{OF_ADA}entry 3: entry 2 is missing"),
    "thread removed": (lambda it: it[4:], f"{OF_ADA}The head is at entry 4"),
    "thread moved": (lambda it: [*it[4:], *it[:4]], f"{OF_ADA}it is not in the manifest"),
    "thread added": (lambda it: [*it, *changed(it[:1], 0, thread_id="t-x")], "thread t-x: it is"),
    "cut": (lambda it: it[:9], "thread t-cyd: The head is at entry 4"),
    "cut in a line": (lambda it: [*it[:-1], it[-1][:40]], "incomplete"),
    "payload changed": (
        lambda it: changed(it, 1, payload={"amount": 1}),
        f"{OF_ADA}entry 2: the payload was changed",
    ),
    "written otherwise": (lambda it: [it[0].replace(b":", b": ", 1), *it[1:]], "incomplete"),
    "no object": (lambda it: [b"[]\n", *it], "incomplete"),
}


@pytest.mark.parametrize("how", TAMPERED)
async def test_what_was_changed_in_an_export_is_named(
    threads: None, settings: Settings, tmp_path: Path, how: str
):
    file = await exported(settings, tmp_path / "x", payloads=True, key=tmp_path / "key")
    lines = file.read_bytes().splitlines(keepends=True)
    assert len(lines) == 12
    tamper, named = TAMPERED[how]
    file.write_bytes(b"".join(tamper(lines)))
    assert any(named in fault for fault in audit(file).faults), audit(file).faults


async def test_the_program_of_the_page_checks_an_export_without_daybook(
    house: str, settings: Settings, tmp_path: Path
):
    file = await exported(settings, tmp_path / "x", payloads=True)
    program = PAGE.partition("```python\n")[2].partition("```")[0]
    assert ran("-I", "-c", program, str(file)).stdout == "every chain verifies\n"
    whole = file.read_bytes()
    for wrong in (whole.replace(b"card_ada_1", b"card_ada_2", 1), whole + b"{}\n", whole[:-100]):
        file.write_bytes(wrong)
        assert ran("-I", "-c", program, str(file)).returncode == 1


@pytest.mark.parametrize(
    ("begin", "change", "named"),
    [
        ('{"columns', ("default", "other"), "was changed or truncated"),
        ('{"first', ('"last":4', '"last":3'), "was changed or truncated"),
        ('{"entries', ('"entries":12', '"entries":11'), "its signature does not match"),
        ('{"entries', ('"public_key":"', '"public_key":"00'), "its signature does not match"),
        ('{"entries', ('"signature"', '"another"'), "it is not signed"),
    ],
)
async def test_a_manifest_that_was_changed_or_signed_by_another_key_is_named(
    threads: None,
    settings: Settings,
    tmp_path: Path,
    begin: str,
    change: tuple[str, str],
    named: str,
):
    file = await exported(settings, tmp_path / "x", key=tmp_path / "key")
    lines = manifest_of(file).read_text().splitlines(keepends=True)
    at = next(at for at, line in enumerate(lines) if line.startswith(begin))
    mine = [*lines]
    mine[at] = lines[at].replace(*change)
    assert mine != lines
    manifest_of(file).write_text("".join(mine))
    assert [named in fault for fault in audit(file).faults] == [True]
    manifest_of(file).write_text("".join([*lines[:2], lines[-1]]))
    assert "truncated" in audit(file).faults[0]
    manifest_of(file).write_text("".join(lines))
    other = Signer(tmp_path / "other").public_key
    assert "another key" in audit(file, other).faults[0]
    unsigned = await exported(settings, tmp_path / "unsigned")
    assert audit(unsigned).faults == []
    assert "not signed" in audit(unsigned, other).faults[0]


async def test_what_the_database_had_lost_when_it_was_exported_is_named(
    threads: None, settings: Settings, postgres_url: str, tmp_path: Path
):
    for table in ALL_TABLES:
        await tampered(postgres_url, f"delete from {table} where thread_id = 't-cyd'")
    await tampered(postgres_url, "delete from ledger_event where thread_id = 't-ada' and seq = 4")
    await tampered(postgres_url, "delete from ledger_event where thread_id = 't-bea'")
    faults = "\n".join(audit(await exported(settings, tmp_path / "x")).faults)
    assert "missing from the database at the export: 1" in faults
    assert "thread t-ada: entry 3: the chain ended here when it was exported" in faults
    assert "thread t-bea: " in faults


@pytest.mark.parametrize("form", [Form.JSONL, Form.CSV])
async def test_an_export_that_was_killed_after_any_byte_goes_on_to_the_same_file(
    threads: None, settings: Settings, postgres: Postgres, tmp_path: Path, form: Form
):
    file = await exported(settings, tmp_path / "x", form=form, payloads=True)
    whole, manifest = file.read_bytes(), manifest_of(file).read_bytes()
    await opened(postgres.ledger, someone("dan", "t-dan"), ORDER)
    for at in range(0, len(whole) + 1, 149):
        file.unlink()
        (tmp_path / "x.part").write_bytes(whole[:at])
        with pytest.raises(DaybookError, match="--resume to continue"):
            await exported(settings, file, form=form, payloads=True)
        await exported(settings, file, form=form, payloads=True, resumes=True)
        assert (file.read_bytes(), manifest_of(file).read_bytes()) == (whole, manifest)
    await exported(settings, file, form=form, payloads=True, resumes=True)
    with pytest.raises(DaybookError, match="another tenant, range"):
        await exported(settings, file, form=form, resumes=True)
    assert file.read_bytes() == whole


def daybook(url: str, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    out, err, code = warm_commands().run(words, {**os.environ, **more, "DATABASE_URL": url}, "")
    return subprocess.CompletedProcess(words, code, out, err)


def ran(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False)


async def test_an_export_that_got_a_sigkill_after_each_part_is_gone_on_with_by_the_command(
    postgres: Postgres, settings: Settings, postgres_url: str, tmp_path: Path
):
    await filled(postgres_url, threads=3, each=400)
    file, key = tmp_path / "x.jsonl", tmp_path / "key"
    words = "export", "--out", str(file), "--key", str(key)
    dies = {"DAYBOOK_DIE_AT": "after_commit:exported"}
    for lines in (500, 1_000, 1_200):
        assert daybook(postgres_url, *words, "--resume", **dies).returncode == -9
        assert not file.exists()
        assert (tmp_path / "x.jsonl.part").read_bytes().count(b"\n") == lines
    ended = daybook(postgres_url, *words, "--resume")
    assert "3 threads, 1,200 entries of default" in ended.stdout, ended.stderr
    other = await exported(settings, tmp_path / "y", key=key)
    assert other.read_bytes() == file.read_bytes()
    # Without a database, and without settings that could be read.
    checks = "verify-export", str(file), "--public-key", f"{key}.pub"
    ended = daybook("no url", *checks)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "1,200 entries of default" in ended.stdout
    file.write_bytes(file.read_bytes()[:-1])
    ended = daybook("no url", *checks)
    assert (ended.returncode, "failed the check" in ended.stdout) == (1, True)


async def filled(url: str, *, threads: int, each: int) -> None:
    """Write threads with long chains, as a ledger does that has run for years."""
    fixed = dict.fromkeys(
        ("turn_id", "plan_id", "op", "gen", "attempt", "role", "deadline_at", "settle_at")
    )
    at = datetime(2026, 1, 1, tzinfo=UTC)
    async with await psycopg.AsyncConnection.connect(url) as conn, conn.cursor() as cursor:
        about = {"tenant_id": "default", "user_id": "ada", "ledger_version": 1, "author": "ada"}
        for number in range(threads):
            thread, hash_ = f"t-{number}", b""
            whose = (thread, "default", "ada")
            await cursor.execute(
                "insert into daybook.thread (thread_id, tenant_id, user_id) values (%s, %s, %s)",
                whose,
            )
            rows = []
            for seq in range(1, each + 1):
                row = {**about, **fixed, "thread_id": thread, "seq": seq, "event": "applied"}
                row |= {"detail": {"call": str(seq), "note": "x" * 300}, "payload_hash": None}
                row |= {"at": at, "worker": "w"}
                hash_ = link(row, hash_)
                rows.append({**row, "hash": hash_, "detail": json.dumps(row["detail"])})
            names = [*rows[0]]
            into = f"copy daybook.ledger_event ({', '.join(names)}) from stdin"
            async with cursor.copy(into) as copy:
                for row in rows:
                    await copy.write_row([row[name] for name in names])
            await cursor.execute(
                "insert into daybook.thread_head (thread_id, tenant_id, user_id, seq, hash) "
                "values (%s, %s, %s, %s, %s)",
                (*whose, each, hash_),
            )


@pytest.mark.long
async def test_a_hundred_thousand_entries_are_exported_and_checked_in_little_memory(
    postgres: Postgres, settings: Settings, postgres_url: str, tmp_path: Path
):
    await filled(postgres_url, threads=20, each=5_000)
    tracemalloc.start()
    try:
        file = await exported(settings, tmp_path / "x")
        found = audit(file)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (found.faults, found.entries) == ([], 100_000)
    assert file.stat().st_size > 70_000_000
    assert most < 20_000_000


async def test_another_tenants_entries_are_in_no_export_and_no_heads_of_ours(
    threads: None, settings: Settings, postgres: Postgres, postgres_url: str, tmp_path: Path
):
    async with shop_database(postgres_url, "other") as other:
        await opened(other.ledger, someone("eve", "t-eve", tenant="other"), ORDER)
        await sign_heads(other, tmp_path / "key", str(tmp_path / "theirs"))
    ours = await exported(settings, tmp_path / "x", payloads=True)
    theirs = await exported(replace(settings, tenant="other"), tmp_path / "y", payloads=True)
    assert [(f.threads, f.faults) for f in map(audit, (ours, theirs))] == [(3, []), (1, [])]
    assert b"t-eve" not in ours.read_bytes() + manifest_of(ours).read_bytes()
    assert b"t-ada" not in theirs.read_bytes() + manifest_of(theirs).read_bytes()
    assert "t-ada" not in (tmp_path / "theirs").read_text()
    with pytest.raises(DaybookError, match="another tenant"):
        await verify(settings, None, against=lines_of(tmp_path / "theirs"))
    with pytest.raises(DaybookError, match="this tenant that this key signed"):
        await sign_heads(postgres, tmp_path / "key", str(tmp_path / "theirs"))


async def test_what_was_erased_is_in_no_export_and_its_chain_verifies(
    house: str, settings: Settings, postgres: Postgres, tmp_path: Path
):
    async with open_eraser(postgres) as eraser:
        await eraser.erase(house, everything)
    file = await exported(settings, tmp_path / "x", payloads=True)
    found = audit(file)
    assert (found.faults, found.erased > 5) == ([], True)
    assert b"card_ada_1" not in file.read_bytes()


async def test_an_encrypted_ledger_is_exported_readable_to_whom_has_the_key(
    settings: Settings, postgres_url: str, tmp_path: Path
):
    key = b"k" * 32
    async with shop_database(postgres_url, key=key) as postgres:
        await opened(postgres.ledger, someone("ada", "t-ada"), RESERVE, ORDER)
    file = await exported(replace(settings, aes_key=key), tmp_path / "x", payloads=True)
    found = audit(file)
    assert (found.faults, found.payloads) == ([], 3)
    assert b"daybook_sealed" not in file.read_bytes()
    await tampered(postgres_url, "update ledger_payload set salt = salt || salt")
    with pytest.raises(DaybookError, match="payload cannot be decrypted"):
        await exported(replace(settings, aes_key=key), tmp_path / "y", payloads=True)


async def test_a_period_is_exported_by_itself_with_the_hash_before_it(
    threads: None, settings: Settings, postgres: Postgres, tmp_path: Path
):
    dan = someone("dan", "t-dan")
    plan_id = await opened(postgres.ledger, dan, ORDER)
    await sign_heads(postgres, tmp_path / "key", str(tmp_path / "heads"))
    await postgres.clock.sleep(10)
    begun = await postgres.ledger.now()
    await postgres.clock.sleep(10)
    await claims(postgres.ledger, dan, plan_id, "order")
    await postgres.clock.sleep(10)
    ended = await postgres.ledger.now()
    for name, since, until, there in (
        ("before", None, begun, {"t-ada": 1, "t-bea": 1, "t-cyd": 1, "t-dan": 1}),
        ("in", begun, ended, {"t-dan": 4}),
        ("after", ended, None, {}),
    ):
        file = await exported(settings, tmp_path / name, since=since, until=until)
        assert audit(file, heads=kept_heads(lines_of(tmp_path / "heads"))).faults == []
        firsts = [json.loads(line) for line in lines_of(manifest_of(file))[1:-1]]
        assert {one["thread_id"]: one["first"] for one in firsts} == there
        assert {json.loads(line)["thread_id"] for line in lines_of(file)} == {*there}
    with pytest.raises(DaybookError, match="must be before"):
        await exported(settings, tmp_path / "turned", since=ended, until=begun)
    other = [Signed(KeptHead("t-dan", 3, "00"))]
    assert "a different entry was signed before" in audit(tmp_path / "in", heads=other).faults[0]


def lines_of(file: Path) -> list[str]:
    return file.read_text().splitlines(keepends=True)


async def test_a_chain_that_was_written_anew_shows_by_signed_heads_in_database_and_export(
    threads: None, settings: Settings, postgres: Postgres, postgres_url: str, tmp_path: Path, capsys
):
    key, journal = tmp_path / "key", tmp_path / "heads"
    assert await sign_heads(postgres, key, str(journal)) == 3
    assert await verify(settings, None, against=lines_of(journal))
    file = await exported(settings, tmp_path / "before")
    assert audit(file, heads=kept_heads(lines_of(journal))).faults == []
    for table in ALL_TABLES:
        await tampered(postgres_url, f"delete from {table} where thread_id in ('t-ada', 't-bea')")
    await tampered(postgres_url, "update ledger_total set threads = threads - 2")
    await opened(postgres.ledger, someone("ada", "t-ada"), RESERVE, ORDER)
    assert await sign_heads(postgres, key, str(journal)) == 2, "of the last ten minutes"
    assert await verify(settings, None)
    capsys.readouterr()
    assert not await verify(settings, None, against=lines_of(journal))
    out = capsys.readouterr().out
    assert "thread t-ada: entry 4 " in out
    assert "thread t-bea: entry 4 " in out
    assert "t-cyd" not in out
    file = await exported(settings, tmp_path / "after")
    assert audit(file).faults == []
    faults = "\n".join(audit(file, heads=kept_heads(lines_of(journal))).faults)
    assert "thread t-ada: entry 4: a different entry was signed here" in faults
    assert "thread t-bea: its head was signed earlier, but it is not in the export" in faults


async def test_a_journal_of_heads_that_was_rewritten_is_refused(
    threads: None, settings: Settings, postgres: Postgres, tmp_path: Path
):
    key, journal = tmp_path / "key", tmp_path / "heads"
    for _ in range(3):
        await sign_heads(postgres, key, str(journal))
        await postgres.clock.sleep(1_000)
    first, second, third = lines = lines_of(journal)
    assert [len(json.loads(line)["heads"]) for line in lines] == [3, 3, 0], (
        "of the last ten minutes, too"
    )
    own, other = Signer(key).public_key, Signer(tmp_path / "other")
    assert len([*kept_heads([first, second, second, third], public_key=own)]) == 6
    body = {n: v for n, v in json.loads(first).items() if n not in ("public_key", "signature")}
    forged = canonical(other.sign(body | {"heads": []})) + "\n"
    for wrong, why in (
        ([second, third], "Line 1 .* removed"),
        ([first, third], "Line 2 .* removed"),
        ([first, third, second], "Line 2 .* moved"),
        ([first.replace('"t-ada",4', '"t-ada",3'), second], "Line 1 .* does not match"),
        ([forged, second], "Line [12] .* another key"),
        (['{"thread_id": "t-ada", "seq": 1, "hash": "00"}'], "not signed"),
    ):
        with pytest.raises(DaybookError, match=why):
            [*kept_heads(wrong, public_key=own)]
    journal.write_text(first + second[:50])
    await sign_heads(postgres, key, str(journal))
    assert len([*kept_heads(lines_of(journal), public_key=own)]) == 6, "half a line was cut off"
    with pytest.raises(DaybookError, match="this key signed"):
        await sign_heads(postgres, tmp_path / "other", str(journal))


async def test_heads_are_signed_again_and_again_and_sent_until_they_are_taken(
    threads: None, postgres: Postgres, tmp_path: Path
):
    key, said = tmp_path / "key", list[str]()
    journal = tmp_path / "key.heads.jsonl"
    async with serving(says(503, "no"), says(200, ""), says(200, ""), says(200, "")) as served:
        url = f"{served.url}/hook?secret=hunter2"
        task = asyncio.create_task(
            keep_signing(postgres, key, url, timedelta(seconds=60), said.append)
        )
        while len(served.requests) < 4:
            await postgres.clock.sleep(30)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    assert "127.0.0.1 did not accept the signed heads (status 503)" in said[0]
    assert "hunter2" not in "".join(said)
    bodies = [text.rpartition("\r\n\r\n")[2] for text in served.requests]
    assert bodies == [lines_of(journal)[0], *lines_of(journal)[:3]]
    async with serving(says(200, "")) as served:
        await sign_heads(postgres, key, f"PUT {served.url}/heads.jsonl")
    assert served.requests[0].startswith("PUT /heads.jsonl")
    assert served.requests[0].endswith(journal.read_text())
    for wrong in ("http://example.com/x", "PUT ftp://example.com/x", "https:///x"):
        with pytest.raises(DaybookError, match=r"https:// URL .*Nothing was signed"):
            await sign_heads(postgres, key, wrong)
