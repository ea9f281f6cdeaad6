"""Commands that show threads: ledger, verify, progress; unknown ids, and text of strangers."""

import subprocess
import sys
from pathlib import Path

import pytest

from daybook.app import cli
from daybook.checkpoints.postgres import Postgres
from daybook.state.plain import printable
from daybook.state.prompt.progress import parse
from tests.apart.terminal import Terminal
from tests.conftest import Agent, Shop
from tests.conversation import Conversation
from tests.integration.test_ledger_commands import tampered, two_threads
from tests.integration.test_memory import a_fact, shopped
from tests.integration.warm_commands import PATIENCE, ROOT


@pytest.fixture
async def command(postgres: Postgres, postgres_url: str, shop: Shop):
    await two_threads(postgres)
    terminal = Terminal(postgres_url, shop)
    try:
        yield terminal
    finally:
        terminal.end()


async def test_the_command_fails_where_a_chain_is_broken(command: Terminal, postgres_url: str):
    assert command.run("ledger", "verify") == (
        "2 threads, 7 entries: every chain verifies.\n",
        "",
        0,
    )
    await tampered(postgres_url, "update ledger_event set author = 'x' where thread_id = 't-ada'")
    out, err, code = command.run("ledger", "verify")
    assert (err, code) == ("", 1)
    assert "1 of 2 threads does not verify." in out


async def test_heads_are_kept_in_a_file_and_compared_with(
    command: Terminal, postgres_url: str, tmp_path: Path
):
    kept = f"{tmp_path}/heads"
    assert command.run("ledger", "verify", "--heads", kept)[1:] == ("", 0)
    assert command.run("ledger", "verify", "--against", kept)[1:] == ("", 0)
    await tampered(postgres_url, "delete from ledger_event where thread_id = 't-ada'")
    out, _, code = command.run("ledger", "verify", "--against", kept, "--heads", kept)
    assert code == 1
    assert "thread t-ada: entry 4 is missing" in out
    assert command.run("ledger", "verify", "--against", kept)[2] == 1, "they were left alone"
    assert command.run("ledger", "verify", "t-bea", "--against", kept)[2] == 2


# Python writes at once with the first, and with the second when the process ends.
BUFFERS = pytest.mark.parametrize("unbuffered", ["1", ""])


@BUFFERS
def test_a_reader_that_leaves_early_gets_no_traceback(command: Terminal, unbuffered: str):
    command.environment["PYTHONUNBUFFERED"] = unbuffered
    process = command.start("ledger", "t-ada")
    assert process.stdout is not None
    process.stdout.close()
    _, err = process.communicate(timeout=60)
    assert (err, process.returncode) == ("", 1)


@BUFFERS
def test_what_could_not_be_printed_is_no_success_and_no_traceback(
    command: Terminal, unbuffered: str
):
    for said, redirected in (("no space left", ">/dev/full"), ("", ">&-")):
        ended = subprocess.run(
            ["sh", "-c", f'exec "$0" -m daybook.app ledger t-ada {redirected}', sys.executable],
            cwd=ROOT,
            env={**command.environment, "PYTHONUNBUFFERED": unbuffered},
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert ended.returncode == 1
        assert said in ended.stderr
        assert len(ended.stderr.splitlines()) == (1 if said else 0), ended.stderr


async def test_the_terminal_starts_from_another_thread_and_lists_what_is_kept(
    agent: Agent, shop: Shop, terminal: Terminal
):
    old = await shopped(agent)
    out, err, code = terminal.run("chat", "--fresh-from", old.thread_id, lines=["show my cart"])
    assert (err, code) == ("", 0)
    assert f"Started from {old.thread_id}" in out
    assert "SOCK-001" in out
    new = next(line for line in out.splitlines() if line.startswith("thread ")).split()[1]
    stored, _, _ = terminal.run("progress", new, "--version", "1")
    there = parse(terminal.run("progress", old.thread_id)[0])
    assert parse(stored).facts == there.facts
    # A handle is a thread's own: here it opens nothing, or later something else.
    assert (len(there.reads), parse(stored).reads) == (1, ())
    _, err, code = terminal.run("progress", new, "--version", "7")
    assert code == 1
    assert "has no version 7" in err
    _, err, code = terminal.run("progress", "no-such")
    assert code == 1
    assert "Thread no-such not found" in err


NOSUCH = "nosuch-1"

UNKNOWN: dict[str, list[list[str]]] = {
    "again": [[NOSUCH]],
    "chat": [["--fresh-from", NOSUCH]],
    "delegate": [["--end", "99"]],
    "event": [[NOSUCH, '{"type": "remove", "sku": "SOCK-002"}']],
    "forget": [[NOSUCH, "--yes"]],
    "ledger print": [[NOSUCH], [NOSUCH, "--json"]],
    "ledger open": [[NOSUCH], [NOSUCH, "--json"]],
    "ledger failed": [[NOSUCH]],
    "ledger verify": [[NOSUCH]],
    "ledger rebuild": [[NOSUCH]],
    "lessons drop": [[NOSUCH], ["checkout", "--error", NOSUCH]],
    "memory": [["--user", NOSUCH]],
    "memory forget": [[NOSUCH], ["--all", "--user", NOSUCH]],
    "probe-check": [[NOSUCH, "{}", "--yes"], [NOSUCH, "{}", "--yes", "--json"]],
    "progress": [[NOSUCH], [NOSUCH, "--version", "1"]],
    "reconcile": [[NOSUCH], [NOSUCH, "--apply"]],
    "stop": [[NOSUCH], [NOSUCH, "--role", "clerk"]],
    "threads": [["--user", NOSUCH]],
    "token": [["--revoke", NOSUCH]],
    "tool": [[NOSUCH], [NOSUCH, "--off", "--why", "x"]],
    "grade": [[NOSUCH], [NOSUCH, "--json"]],
    "verify-export": [[NOSUCH]],
}
"""Command to arguments that name something that is not there."""

NAMES_NOTHING = {
    "demo": "starts a purchase of its own",
    "doctor": "looks at everything",
    "export": "of everything",
    "ledger sign": "of everything",
    "lessons": "lists all",
    "memory set": "whoever is named is known from then on",
    "mcp inspect": "takes the address of a server",
    "metrics": "of everything",
    "migrate": "of everything",
    "notifications": "of everything",
    "new": "takes the name of what is not there yet",
    "policy": "of everything",
    "policy test": "takes a file of plans",
    "recovery": "a table",
    "rekey": "of everything",
    "retention": "of everything",
    "serve": "takes a place to listen at",
    "shop": "takes a place to listen at",
    "tools": "of everything",
    "worker": "looks for threads itself",
}
"""Command to why it takes no id of what must be there."""


def commands() -> set[str]:
    """Name the commands of the command line, those of a group with its name before them."""
    found = set()
    for name in cli.COMMANDS:
        within = getattr(cli.command(name), "commands", {})
        found |= {f"{name} {one}" for one in within}
        if not within or cli.command(name).invoke_without_command:
            found.add(name)
    return found


def test_every_command_is_looked_at():
    assert commands() == {*UNKNOWN, *NAMES_NOTHING}


CODES = {"probe-check": 2}
"""Exit codes that are not 1: there 1 says that something which is declared does not hold."""


@pytest.mark.parametrize("command", UNKNOWN)
def test_an_unknown_id_is_an_error_in_words(terminal: Terminal, command: str):
    for args in UNKNOWN[command]:
        out, err, code = terminal.run(*command.split(), *args)
        assert code == CODES.get(command, 1), (args, out, err)
        assert err.strip()
        assert "Traceback" not in err


HOSTILE = (
    "Sock [/bold]\x1b[2J\x1b]52;c;ZXZpbA==\x07\x9b31m\u202e\u2066 [link=http://evil]x[/link]"
    "\x1b]8;;http://evil\x1b\\y"
)
COMMANDS = (
    *("threads", "threads --json", "memory", "lessons", "policy", "unsettled", "failed"),
    *("ledger THREAD", "ledger THREAD --json", "progress THREAD", "grade THREAD"),
    *("grade THREAD --json", "ledger HOSTILE", "chat --thread THREAD --user ada", "doctor"),
    *("retention", "reconcile --thread THREAD", "token --list"),
)


async def test_no_command_shows_more_than_text(terminal: Terminal, agent: Agent, shop: Shop):
    await agent.resources.postgres.memory.put("ada", a_fact("note", "[/bold]"))
    talk = Conversation(agent.graph)
    agent.model.then(
        [("search_products", {"query": HOSTILE}), ("add_to_cart", {"sku": HOSTILE})],
        [("get_reviews", {"sku": "BOOT-001"}), (HOSTILE, {})],
        f"Here: {HOSTILE}",
    )
    await talk.say(f"I want {HOSTILE}")
    agent.model.then([("add_to_cart", {"sku": "BOOT-001"})], [("checkout", {})])
    assert (await talk.say(f"buy {HOSTILE}")).interrupts
    seen, named = "", {"THREAD": talk.thread_id, "HOSTILE": HOSTILE}
    for command in COMMANDS:
        words = [named.get(word, word) for word in command.split()]
        out, err, _ = terminal.run(*words, lines=["later", "/quit"])
        for shown in (out, err):
            assert printable(shown) == shown, words
        assert "MarkupError" not in err
        assert "Traceback" not in err
        seen += out
    assert seen.count("[/bold]") > 5
