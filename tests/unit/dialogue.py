"""Conversations with the stand-in as tables: what is said, what it calls, what it answers.

A dialogue is its title after `#`, a line of `:` with how it begins, and a line for each turn; ` / `
stands between turns of which nothing is held. Behind a sentence: `->` its calls with their
arguments, `->>` the names of its calls, `~` a part of the answer (`~ ...` its end), `!~` what the
answer does not hold, `==` the whole answer, `&` the cart after it, `*` how often the model is asked.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.unit.shop_talk import BOOTS, ShopTalk

SIGNS = re.compile(r" (->>|->|!~|~|==|&|\*)(?= |$)")
BEGINNINGS: dict[str, Callable[[ShopTalk, str], None]] = {
    "cart": lambda talk, text: talk.cart.update(_cart(text)),
    "order": lambda talk, text: talk.orders.append(text),
    "user": lambda talk, text: setattr(talk, "user", text),
    "pending": lambda talk, text: setattr(talk, "pending", text),
}


def dialogues(text: str) -> pytest.MarkDecorator:
    """Parametrise a test with the dialogues of a text."""
    told = [block.split("\n") for block in re.split(r"^# ", text, flags=re.MULTILINE)[1:]]
    lines = [[line for line in block if line] for block in told]
    return pytest.mark.parametrize("lines", lines, ids=[block[0] for block in lines])


def held(lines: list[str], talk: ShopTalk) -> None:
    """Lead a dialogue, and hold what comes of each turn against what its line says."""
    for line in lines[1:]:
        if line.startswith(": "):
            for begin in line[2:].split("; "):
                name, _, value = begin.partition(" ")
                BEGINNINGS[name](talk, value)
            continue
        *before, last = line.split(" / ")
        for sentence in before:
            _say(talk, sentence)
        _hold(talk, last)


def _say(talk: ShopTalk, sentence: str) -> str:
    return talk.say(BOOTS if sentence == "BOOTS" else sentence)


def _hold(talk: ShopTalk, line: str) -> None:
    sentence, *held = SIGNS.split(line)
    answer = _say(talk, sentence.strip())
    for sign, said in zip(held[::2], map(str.strip, held[1::2]), strict=True):
        match sign:
            case "->":
                assert list(_written(talk)) == list(filter(None, said.split("; ")))
            case "->>":
                assert [name for name, _ in talk.calls] == said.split()
            case "~" if said.startswith("..."):
                assert answer.endswith(said.removeprefix("..."))
            case "~":
                assert said in answer
            case "!~":
                assert said not in answer
            case "==":
                assert answer == said
            case "&":
                assert talk.cart == _cart(said)
            case "*":
                assert talk.model_calls == int(said)


def _written(talk: ShopTalk) -> Iterator[str]:
    for name, args in talk.calls:
        given = ", ".join(f"{key}={_value(value)}" for key, value in args.items())
        yield f"{name} {given}".strip()


def _value(value: Any) -> str:
    return value if isinstance(value, str) else repr(value)


def _cart(text: str) -> dict[str, int]:
    return {sku: int(n) for sku, n in (line.split(" x") for line in text.split(", ") if line)}
