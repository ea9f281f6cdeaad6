r"""Conversations with the stand-in as tables: what is said, what it calls, what it answers.

A dialogue is its title after `#` and a line for each turn; ` / ` stands between turns of which
nothing is held. After `##`, each line is a dialogue of its own, which begins as the others do. A
line of `:` says how things stand, one of `=` what a tool answers from then on (`\n` ends a line).

Behind a sentence: `->` its calls with their arguments, `..->` the last of them, `->>` their names,
`~>` a part of their arguments, `!->` what is not called, `~` a part of the answer (`~ ...` its
end), `!~` what it does not hold, `==` all of it, `&` the cart after it, `*` how often the model is
asked.
"""

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest

from tests.words.shop_talk import BOOTS, ShopTalk, fill, needs_what_is_missing

SIGNS = re.compile(r" (->>|~>|!->|\.\.->|->|!~|~|==|&|\*)(?= |$)")


def _needs(talk: ShopTalk, _: str) -> None:
    talk.user, talk.answers["checkout"] = "ben", needs_what_is_missing
    talk.cart["BOOT-004"] = 1


BEGINNINGS: dict[str, Callable[[ShopTalk, str], Any]] = {
    "cart": lambda talk, text: setattr(talk, "cart", _cart(text)),
    "order": lambda talk, text: talk.orders.append(text),
    "bound": lambda talk, text: setattr(talk, "offered", text.split()),
    "asked": lambda talk, text: talk.questions.update([tuple(text.split(" ", 1))]),
    "said": lambda talk, text: talk.say(text),
    "filled": lambda talk, text: fill(talk),
    "ben's choices": _needs,
    **{
        name: partial(lambda name, talk, text: setattr(talk, name, text), name)
        for name in ("digest", "flow", "pending", "since", "superseded", "user")
    },
}
BEGIN = re.compile(rf"({'|'.join(BEGINNINGS)})(?: |$)(.*)", re.DOTALL)


def dialogues(text: str) -> pytest.MarkDecorator:
    """Parametrise a test with the dialogues of a text."""
    told = dict(_told(text))
    return pytest.mark.parametrize("lines", told.values(), ids=list(told))


def _told(text: str) -> Iterator[tuple[str, list[str]]]:
    for signs, title, body in re.findall(r"^(##?) (.+)\n((?:[^#\n].*\n)+)", text, re.MULTILINE):
        lines = body.splitlines()
        if signs == "#":
            yield title, lines
            continue
        begin = [line for line in lines if line.startswith((": ", "= "))]
        for line in lines[len(begin) :]:
            yield f"{title} [{SIGNS.split(line)[0]}]", [*begin, line]


def held(lines: list[str], talk: ShopTalk) -> None:
    """Lead a dialogue, and hold what comes of each turn against what its line says."""
    for line in lines:
        sign, _, rest = line.replace("\\n", "\n").partition(" ")
        if sign == ":":
            for phrase in rest.split("; "):
                begin = BEGIN.fullmatch(phrase)
                assert begin, f"no beginning: {phrase}"
                BEGINNINGS[begin[1]](talk, begin[2])
        elif sign == "=":
            name, _, said = rest.partition(" ")
            talk.answers[name] = partial(lambda said, args: said, said)
        else:
            *before, last = line.replace("\\n", "\n").split(" / ")
            for sentence in before:
                _say(talk, sentence)
            _hold(talk, last)


def _say(talk: ShopTalk, sentence: str) -> str:
    return talk.say(BOOTS if sentence == "BOOTS" else sentence)


def _hold(talk: ShopTalk, line: str) -> None:
    sentence, *held = SIGNS.split(line)
    answer = _say(talk, sentence.strip())
    names = [name for name, _ in talk.calls]
    for sign, said in zip(held[::2], map(str.strip, held[1::2]), strict=True):
        match sign:
            case "->":
                assert list(_written(talk)) == list(filter(None, said.split("; ")))
            case "..->":
                assert list(_written(talk))[-1] == said
            case "->>":
                assert names == said.split()
            case "~>":
                assert any(said in str(args) for _, args in talk.calls)
            case "!->":
                assert not {*names} & {*said.split()}
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
