"""Servers that are started as a command: by mcpServers, with what they are given, once, and ended."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from daybook import Registry, mcp
from daybook.app.mcp import inspect
from daybook.state.clock import SYSTEM
from daybook.state.effects.deadline import Deadline
from daybook.state.effects.outcome import Unknown
from daybook.state.errors import DeclarationError, ServiceUnavailable
from daybook.tools.mcp.configuration import server_from
from daybook.tools.mcp.connection import Connection
from daybook.tools.mcp.results import judged, words_of
from tests.conversation import answer_of
from tests.mcp.agent import BARE, Shown, office_agent, provable, shown_at
from tests.mcp.office import DIES, DIES_FIRST, done
from tests.mcp.test_effects import in_doubt
from tests.shop_process import PATIENCE, ROOT


@pytest.fixture
def book(tmp_path: Path) -> Path:
    return tmp_path / "book.jsonl"


@pytest.fixture
def config(tmp_path: Path, book: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write a file as other clients have it."""
    monkeypatch.setenv("OFFICE_TOKEN", "t-0123456789")
    monkeypatch.setenv("OURS_ALONE", "s-0123456789")
    entry = {
        "command": sys.executable,
        "args": ["-m", "tests.mcp.office", str(book), "${HOW:-stdio}"],
        "env": {"TOKEN": "${OFFICE_TOKEN}", "PYTHONPATH": str(ROOT)},
    }
    file = tmp_path / "mcp.json"
    servers = {"office": entry, "other": {"url": "https://other.example/mcp"}}
    file.write_text(json.dumps({"mcpServers": servers}))
    return file


@pytest.fixture
async def shown(config: Path) -> Shown:
    return await shown_at({"mcpServers": {"it": entries(config)["office"]}})


def entries(config: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(config.read_text())["mcpServers"]
    return found


def happened(book: Path, what: str) -> list[dict[str, Any]]:
    return [one for one in done(book) if one["what"] == what]


async def has_ended(pid: int) -> None:
    """Wait until a process is no more."""
    async with SYSTEM.timeout(PATIENCE):
        while is_alive(pid):
            await SYSTEM.sleep(0.01)


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def test_an_effect_is_done_once_and_the_model_reads_what_it_returned(
    postgres_url: str,
    config: Path,
    shown: Shown,
    book: Path,
    capfd: pytest.CaptureFixture[str],
):
    declared = provable("office_")
    async with office_agent(postgres_url, config, shown, declared, "office") as agent:
        talk = await agent.asked("office_book_room", room="Barn", title="with t-0123456789")
        said = answer_of(await talk.approve())
        assert said.startswith("office_book_room confirmed: done, it returned {")
        data = json.loads(said.partition("returned ")[2])
        [booked] = happened(book, "booked")
        repeated = json.dumps(booked)
        assert "t-0123456789" in repeated
        assert data == json.loads(repeated.replace("t-0123456789", "[hidden]"))
        rooms = await agent.says(talk, "office_list_rooms", day="2031-05-06")
        assert "Barn" in answer_of(rooms)
    [_, started] = happened(book, "started")
    await has_ended(started["pid"])
    assert started["env"]["TOKEN"] == "t-0123456789"
    assert "OURS_ALONE" not in started["env"]
    assert "a word to nobody" not in capfd.readouterr().err


@pytest.mark.parametrize("room", [DIES, DIES_FIRST])
async def test_a_process_that_dies_in_the_middle_leaves_a_doubt_and_is_started_again(
    postgres_url: str, config: Path, shown: Shown, book: Path, room: str
):
    async with office_agent(postgres_url, config, shown, BARE, "office") as agent:
        talk = await agent.asked("office_book_room", room=room, title="Review")
        await talk.approve()
        assert await in_doubt(talk)
        assert len(happened(book, "booked") + happened(book, "died")) == 1
        assert await agent.server.changes() == [], "it is started again"


async def test_a_process_that_died_behind_the_effect_is_looked_up_and_not_asked_again(
    postgres_url: str, config: Path, shown: Shown, book: Path
):
    declared = provable("office_")
    async with office_agent(postgres_url, config, shown, declared, "office") as agent:
        talk = await agent.asked("office_book_room", room=DIES, title="Review")
        await talk.approve()
        assert "found" in await agent.steps(talk)
    assert len(happened(book, "booked")) == 1


WATCHED = """
import asyncio, sys
from daybook.tools.mcp.configuration import server_from
from daybook.tools.mcp.connection import Connection

async def main():
    await Connection(server_from(sys.argv[1], "office")).tools()
    print("open", flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""


async def test_a_server_ends_when_we_are_killed(config: Path, book: Path):
    ours = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", WATCHED, str(config)), stdout=asyncio.subprocess.PIPE
    )
    assert ours.stdout is not None
    assert await ours.stdout.readline() == b"open\n"
    ours.kill()
    await ours.wait()
    [started] = happened(book, "started")
    await has_ended(started["pid"])


async def test_it_is_looked_at_and_written_down_by_its_file(config: Path, tmp_path: Path):
    file = tmp_path / "office.json"
    given: dict[str, Any] = {"token_from": None, "declared": None, "write": str(file)}
    assert await inspect(str(config), server="office", **given)
    one = mcp(config, file, name="office")
    assert await one.changes() == []
    await one.close()
    # Beside it, another server's tools of the same names.
    other = mcp({"mcpServers": {"second": entries(config)["office"]}}, file)
    registry = Registry((*one.offered, *other.offered))
    assert {"office_book_room", "second_book_room"} <= set(registry.names)


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("/no/such/program", "FileNotFoundError.*run its command by hand"),
        ("true", "run its command by hand"),
    ],
)
async def test_what_does_not_start_is_said_in_a_sentence(command: str, why: str):
    server = mcp({"mcpServers": {"office": {"command": command}}}, [])
    with pytest.raises(ServiceUnavailable, match=why):
        await server.changes()
    await server.close()


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        ({"command": "x", "env": {"A": "${NOT_SET_ANYWHERE}"}}, "NOT_SET_ANYWHERE, which is not"),
        ({}, 'either "command"'),
        ({"command": "x", "args": "-y it"}, '"args" as a list'),
        ({"url": "https://x.example", "type": "sse"}, '"sse" is not supported'),
        ({"url": "https://me:secret@x.example"}, "contains a user name or token"),
    ],
)
def test_an_entry_that_cannot_be_used_is_said_in_a_sentence(entry: dict[str, Any], why: str):
    with pytest.raises(DeclarationError, match=why) as refused:
        server_from({"mcpServers": {"x": entry}})
    assert "secret" not in str(refused.value)


def test_several_servers_want_a_name_and_a_file_wants_to_be_one(config: Path):
    with pytest.raises(DeclarationError, match="one of mcpServers: office, other"):
        server_from(config)
    assert server_from(str(config), "other").url == "https://other.example/mcp"
    with pytest.raises(DeclarationError, match="is not a readable JSON file"):
        server_from("nowhere.json")
    with pytest.raises(DeclarationError, match='has no "mcpServers"'):
        server_from({"servers": {}})


BY_HAND = """
import json, os, sys

def answers(asked, **said):
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], **said}), flush=True)

print("a word that is no JSON", flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    match asked["method"]:
        case "initialize":
            version = asked["params"]["protocolVersion"]
            about = {"name": "by hand", "version": "1"}
            found = {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": about}
            answers(asked, result=found)
        case "tools/list":
            one = {"name": "whoami", "inputSchema": {"type": "object"}}
            answers(asked, result={"tools": [one]})
        case "tools/call" if asked["params"]["arguments"].get("hangs"):
            sys.stdin.read()
        case "tools/call":
            said = f"{os.getpid()} {os.environ['TOKEN']}"
            answers(asked, result={"content": [{"type": "text", "text": said}]})
        case other if "id" in asked:
            answers(asked, error={"code": -32601, "message": other})
"""


@pytest.mark.parametrize("args", [["--api-key", "k-0123456789"], ["-e", "API_KEY=k-0123456789"]])
def test_what_is_secret_in_the_arguments_of_a_command_is_hidden_too(args: list[str]):
    server = server_from({"mcpServers": {"it": {"command": "x", "args": ["-y", *args]}}})
    assert server.secrets == ("k-0123456789",)
    assert "k-0123456789" not in repr(server)


async def test_one_without_a_ping_is_kept_and_one_that_hangs_is_started_again(tmp_path: Path):
    (tmp_path / "by_hand.py").write_text(BY_HAND)
    secret = 'a "quoted" secret'
    entry = {
        "command": sys.executable,
        "args": [str(tmp_path / "by_hand.py")],
        "env": {"TOKEN": secret.replace(" ", "-")},
        # What other clients write there too.
        **{"url": None, "headers": None, "disabled": False, "input": "${NOT_SET_ANYWHERE}"},
    }
    connection = Connection(server_from({"mcpServers": {"it": entry}}), seconds=PATIENCE)

    async def asked() -> str:
        came = await connection.read("whoami", {}, lambda shown: None)
        return words_of(came)

    first = await asked()
    assert first.endswith(" [hidden]")
    assert await asked() == first
    deadline = Deadline(SYSTEM.monotonic() + 1)
    unknown = await connection.send(
        *("whoami", {"hangs": True}),
        deadline=deadline,
        expect=lambda shown: None,
        judged=lambda came: judged(came, declines=False),
    )
    assert isinstance(unknown, Unknown)
    assert (await asked()).split()[0] != first.split()[0]
    await connection.close()
