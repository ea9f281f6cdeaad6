"""`daybook probe-check`, as a process at the demo shop: what it asks, prints and refuses."""

import json
from collections.abc import Iterator

import pytest

from tests.apart.terminal import Terminal
from tests.conftest import Shop
from tests.integration.keyboard import Keyboard

BOOTS = json.dumps({"sku": "BOOT-001", "quantity": 1, "unit_price": 9890, "currency": "USD"})


@pytest.fixture
def terminal(postgres_url: str, shop: Shop) -> Iterator[Terminal]:
    terminal = Terminal(postgres_url, shop)
    try:
        yield terminal
    finally:
        terminal.end()


def test_the_shop_holds_what_it_promises_and_nothing_is_left(terminal: Terminal, shop: Shop):
    words = ("probe-check", "reserve_inventory", BOOTS, "--user", "ada", "--yes", "--json")
    out, err, code = terminal.run(*words)
    assert code == 0, out
    assert f"will really be done at {shop.url}, for ada" in err
    told = json.loads(out)
    verdicts = {one["what"]: one["verdict"] for one in told["findings"]}
    assert set(verdicts.values()) == {"held"}, verdicts
    assert {"honours_key", "settle", "probe", "undo", "evidence"} <= set(verdicts)
    assert told["left"] == []
    assert shop.happened() == ["reserve", "reserve", "release", "release"]
    out, err, code = terminal.run("threads", "--json")
    assert (out, err, code) == ("", "", 0)


def test_a_person_is_asked_and_what_does_not_hold_is_said_with_exit_1(
    terminal: Terminal, shop: Shop
):
    words = ("probe-check", "reserve_inventory", BOOTS, "--user", "ada")
    with Keyboard(terminal.environment, *words) as person:
        assert f"at {shop.url}, for ada" in person.sees("do it? (y/n) ")
        assert shop.happened() == []
        # It has said by now that it honours keys.
        shop.keys(honour=False)
        person.type("y")
        out, code = person.leaves()
    assert code == 1, out
    assert "NOT held      honours_key" in out
    assert shop.happened().count("reserve") == shop.happened().count("release") == 3
