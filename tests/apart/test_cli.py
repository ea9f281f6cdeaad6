"""The command line as processes: a script drives the chat, and kills it."""

import re
import signal

from tests.answers import APPROVE
from tests.apart.terminal import PATIENCE, Terminal
from tests.conftest import Agent, Shop
from tests.integration.keyboard import Keyboard
from tests.integration.runners import Runners, answers
from tests.purchases import PURCHASE, asked_to_buy

THE_MAIN_JOB = [
    "I need waterproof hiking boots under 150",
    "add the second one and two pairs of SOCK-002",
    "remove the socks",
    "find heavy wool socks",
    "check out",
    "y",
    "cancel that order",
    "y",
]


def test_a_script_shops_checks_out_and_cancels(terminal: Terminal, shop: Shop):
    out, err, code = terminal.run("chat", lines=THE_MAIN_JOB)
    assert (err, code) == ("", 0)
    assert shop.happened() == ["reserve", "charge", "order", "mail", "cancel", "refund"]
    order = re.search(r"order (DB-\d+)", out)
    assert order is not None
    assert f"order {order[1]} cancelled, 131.90 USD refunded" in out
    found = out.split("> find heavy wool socks")[1].split("> check out")[0]
    assert "SOCK-002" not in found
    assert re.search(r"\d\. ", found)


def test_a_question_at_the_end_of_the_input_waits_for_the_next_start(
    terminal: Terminal, shop: Shop
):
    out, _, code = terminal.run("chat", lines=["add BOOT-001", "check out"])
    assert code == 0
    assert "the question is still open" in out
    out, err, code = terminal.run("chat", lines=["maybe", "d", "y"])
    assert (err, code) == ("", 0)
    assert re.search(r"has waited since 20\S+ \S+ UTC: Check out for 98.90 USD", out)
    assert "That is not an answer" in out
    before, _, after = out.partition("details) d")
    assert "charge_payment" not in before
    assert "amount = 98.90 USD" in after
    assert shop.happened() == ["reserve", "charge", "order", "mail"]


def test_a_line_of_several_words_at_the_question_is_a_message_and_the_question_waits(
    terminal: Terminal, shop: Shop
):
    lines = ["add BOOT-001", "check out", "what is in my cart?", "y"]
    out, err, code = terminal.run("chat", lines=lines)
    assert (err, code) == ("", 0)
    answered = out.partition("what is in my cart?")[2]
    assert answered.index("BOOT-001") < answered.index("Approval needed")
    assert "Your order is placed" in answered
    assert shop.happened() == ["reserve", "charge", "order", "mail"]


def test_an_edit_in_the_terminal_buys_with_the_other_card(terminal: Terminal, shop: Shop):
    lines = ["add BOOT-001", "check out with card_ben_2 to addr_ben_2"]
    out, _, _ = terminal.run(
        "chat", "--user", "ben", lines=[*lines, "e card_id=card_nobody", "e card_id=card_ben_1"]
    )
    assert "cannot be applied" in out
    assert "charged to card_ben_1" in out
    assert shop.happened() == ["reserve", "charge", "order", "mail"]


def test_a_chat_that_is_killed_after_the_charge_is_finished_by_the_same_command(
    terminal: Terminal, shop: Shop
):
    shop.fault("orders", "slow", seconds=20)
    process = terminal.start("chat", "--thread", "t-killed")
    terminal.type(process, "add BOOT-001\ncheck out\ny\n", "place order: attempt 1")
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert shop.happened() == ["reserve", "charge"]
    shop.http.post("/admin/hurry").raise_for_status()
    out, err, code = terminal.run("chat", "--thread", "t-killed")
    assert (err, code) == ("", 0)
    assert "Continuing the interrupted turn" in out
    assert "Your order is placed" in out
    assert shop.happened() == ["reserve", "charge", "order", "mail"]


def test_an_event_from_a_second_terminal_is_known_to_the_next_answer(
    terminal: Terminal, shop: Shop
):
    first = terminal.start("chat", "--thread", "t-page")
    terminal.type(first, "add SOCK-002\n", "Total")
    event = '{"id": "click-1", "type": "remove", "sku": "SOCK-002"}'
    out, err, code = terminal.run("event", "t-page", event)
    assert (err, code) == ("", 0)
    assert "The cart is empty" in out
    asked = "what is in my cart?\nfind heavy wool socks\n"
    answers, _ = first.communicate(asked, timeout=PATIENCE)
    assert "Your cart is empty" in answers
    assert "SOCK-002" not in answers.split("what is in my cart?")[1]


LONG_LEASE = 300
"""Seconds: whoever is suspended is at work for as long as a slow terminal takes to start."""


async def test_a_question_that_another_terminal_has_answered_is_not_put_again(
    terminal: Terminal, agent: Agent, runners: Runners, shop: Shop
):
    """While the other one is at it nobody knows what is true; an empty line looks again."""
    talk = await asked_to_buy(agent)
    with Keyboard(terminal.environment, "chat", "--thread", talk.thread_id) as ben:
        ben.sees("approve?")
        approves = answers(talk.thread_id, APPROVE, lease=LONG_LEASE)
        (running,) = await runners.start(approves.stops("before_request:charge_payment"))
        await running.stopped()
        ben.type("y")
        ben.sees("Another process is working on the thread")
        assert "approve?" not in ben.sees("An empty line checks again.")
        assert "approve?" not in ben.sees("> ")
        ben.type("")
        assert "approve?" not in ben.sees("An empty line checks again.")
        running.wake()
        assert (await running.outcome()).flow == "ordered"
        ben.type("")
        ben.sees("order DB-")
        ben.sees("The cart is empty.")
    assert shop.happened() == PURCHASE
