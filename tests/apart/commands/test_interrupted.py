"""Ctrl-C or a closed window while an effect is sent: the call is finished, and nothing in doubt."""

import signal
import subprocess

import pytest

from daybook.state.ledger.recovery import Event
from tests.apart.terminal import PATIENCE, Terminal
from tests.conftest import Agent, Shop
from tests.purchases import LONG, PURCHASE, hurry, met

THREAD = ("chat", "--thread", "t-mail")


async def sending_a_mail(terminal: Terminal, shop: Shop) -> subprocess.Popen[str]:
    """Start a chat whose purchase is done but for the mail, which the server holds back."""
    shop.fault("mail", "slow", seconds=LONG)
    process = terminal.start(*THREAD)
    terminal.type(process, "add BOOT-001\ncheck out\ny\n")
    await met(shop)
    return process


def finishing(process: subprocess.Popen[str]) -> None:
    """Press Ctrl-C, and wait until the chat says that it finishes the call."""
    process.send_signal(signal.SIGINT)
    assert process.stderr is not None
    while "Finishing the call" not in (line := process.stderr.readline()):
        assert line


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGHUP])
async def test_a_mail_that_is_being_sent_is_finished_and_recorded(
    terminal: Terminal, shop: Shop, agent: Agent, sent: signal.Signals
):
    process = await sending_a_mail(terminal, shop)
    if sent == signal.SIGINT:
        finishing(process)
    else:
        process.send_signal(sent)
    hurry(shop)
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 128 + sent
    entries = await agent.resources.postgres.ledger.entries("t-mail")
    told = [one.event for one in entries if (one.op or "").endswith("send_email")]
    assert told[-1] is Event.ACKNOWLEDGED
    assert shop.happened() == PURCHASE
    out, err, code = terminal.run(*THREAD)
    assert (err, code) == ("", 0)
    assert "Your order is placed" in out
    assert shop.happened() == PURCHASE


async def test_a_second_ctrl_c_ends_at_once(terminal: Terminal, shop: Shop):
    process = await sending_a_mail(terminal, shop)
    finishing(process)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "mail" not in shop.happened()
