"""`daybook ledger` and `ledger verify` as commands: exit codes, pipes, full disks, width."""

import subprocess
import sys

import pytest

from daybook.checkpoints.postgres import Postgres
from tests.apart.test_cli import Terminal
from tests.conftest import Shop
from tests.integration.test_ledger_verify import tampered, two_threads
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
    for said, redirected in (("no space is left there", ">/dev/full"), ("", ">&-")):
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


def test_no_line_of_the_ledger_is_wider_than_120_columns(command: Terminal):
    out, _, _ = command.run("ledger", "t-ada")
    lines = out.splitlines()
    assert max(map(len, lines)) <= 120
    assert [line.split()[0] for line in lines if line[4].strip()] == ["1", "2", "3", "4"]
