"""Parse tokens by a grammar.

Unlike a parsing expression grammar, whose notation it is written in (`notation`), a choice
does not commit: every end that an expression can reach is kept, the preferred one first (earlier
alternatives before later ones, more repetitions before fewer), and one tree for each end. Results
are kept per rule and position, so the time is polynomial in the length of the text.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from daybook.demo.model.grammar.language.tokens import Kind, Token
from daybook.demo.model.grammar.language.written.notation import Expression, read_rules
from daybook.demo.model.grammar.language.written.starts import Start, starts_of

Test = Callable[[Token], bool]

_NAMED: Final = frozenset({*Kind, "ANY", "END"})


@dataclass(frozen=True)
class Node:
    """One matched rule: its name, the tokens that it covers, and the rules matched inside."""

    name: str
    tokens: Sequence[Token]
    inside: tuple["Node", ...] = ()

    def all(self, *names: str) -> Iterator["Node"]:
        """Yield the outermost nodes of these names, this one excluded, from left to right."""
        for node in self.inside:
            if node.name in names:
                yield node
            else:
                yield from node.all(*names)

    def one(self, *names: str) -> "Node | None":
        """Return the first of `all`, or None."""
        return next(self.all(*names), None)


class Grammar:
    """A grammar that was read from text.

    Raises ValueError when the text cannot be read or uses a name that nothing defines.
    """

    def __init__(self, text: str, tests: Mapping[str, Test]) -> None:
        self._tests = dict(tests)
        self._rules = read_rules(text)
        for name, expression in self._rules.items():
            self._check(name, expression)
        self._starts = starts_of(self._rules)

    def parse(self, rule: str, tokens: Sequence[Token]) -> Node | None:
        """Match `rule` with all the tokens; None when it does not match."""
        ends = _Run(self._rules, self._starts, self._named(tokens), tokens).rule(rule, 0)
        return ends[len(tokens)][0] if len(tokens) in ends else None

    def _named(self, tokens: Sequence[Token]) -> list[frozenset[str]]:
        """Return for each token the named tests that it passes, and for the end its own."""
        passed = [
            frozenset({"ANY", token.kind, *(n for n, test in self._tests.items() if test(token))})
            for token in tokens
        ]
        return [*passed, frozenset({"END"})]

    def _check(self, rule: str, expression: Expression) -> None:
        name = expression.text
        if expression.sign == "rule" and name not in self._rules:
            raise ValueError(f"rule {rule} uses {name}, which is not defined")
        if expression.sign == "test" and name not in self._tests and name not in _NAMED:
            raise ValueError(f"rule {rule} uses {name}, which is no kind of token")
        for part in expression.parts:
            self._check(rule, part)


_Ends = dict[int, tuple[Node, ...]]


@dataclass
class _Run:
    """One parse: the tokens and what is already known of them."""

    rules: Mapping[str, Expression]
    starts: Mapping[Expression, Start]
    passed: Sequence[frozenset[str]]
    tokens: Sequence[Token]
    known: dict[tuple[str, int], _Ends] = field(default_factory=dict)
    repeated: dict[tuple[Expression, int], _Ends] = field(default_factory=dict)

    def rule(self, name: str, at: int) -> _Ends:
        key = (name, at)
        if key not in self.known:
            self.known[key] = {
                end: (Node(name, self.tokens[at:end], inside),)
                for end, inside in self._match(self.rules[name], at).items()
            }
        return self.known[key]

    def _match(self, expression: Expression, at: int) -> _Ends:
        if not self.starts[expression].fits(self._text(at), self.passed[at]):
            return {}
        sign = expression.sign
        if sign in ("text", "test"):
            return {at + 1: ()} if expression.text != "END" else self._end(at)
        if sign == "rule":
            return self.rule(expression.text, at)
        if sign == "seq":
            return self._sequence(expression.parts, at)
        if sign == "/":
            return self._choice(expression.parts, at)
        if sign in ("&", "!"):
            seen = bool(self._match(expression.parts[0], at))
            return {at: ()} if seen == (sign == "&") else {}
        return self._repeat(expression, at)

    def _text(self, at: int) -> str:
        return self.tokens[at].text if at < len(self.tokens) else ""

    def _end(self, at: int) -> _Ends:
        return {at: ()} if at == len(self.tokens) else {}

    def _sequence(self, parts: Sequence[Expression], at: int) -> _Ends:
        reached: _Ends = {at: ()}
        for part in parts:
            further: _Ends = {}
            for end, nodes in reached.items():
                for next_end, found in self._match(part, end).items():
                    further.setdefault(next_end, nodes + found)
            if not further:
                return further
            reached = further
        return reached

    def _choice(self, options: Sequence[Expression], at: int) -> _Ends:
        reached: _Ends = {}
        for option in options:
            for end, nodes in self._match(option, at).items():
                reached.setdefault(end, nodes)
        return reached

    def _repeat(self, expression: Expression, at: int) -> _Ends:
        key = (expression, at)
        if key not in self.repeated:
            reached: _Ends = {}
            for end, nodes in self._match(expression.parts[0], at).items():
                again = expression.sign != "?" and end > at
                # After the first time, "+" may stop as "*" may: only the first one is required.
                more = self._repeat(expression, end) if again else {}
                for next_end, found in more.items():
                    reached.setdefault(next_end, nodes + found)
                reached.setdefault(end, nodes)
            if expression.sign != "+":
                reached.setdefault(at, ())
            self.repeated[key] = reached
        return self.repeated[key]
