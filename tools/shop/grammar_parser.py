"""Read a grammar written as text, and parse tokens by it.

The notation is that of parsing expression grammars (Bryan Ford, "Parsing Expression Grammars",
2004): `/` is a choice, `?` `*` `+` repeat, `&` and `!` look ahead.

    Name <- expression      a rule; its name begins with a capital and continues in lower case
    word                    the token with this text
    ','                     the mark with this text
    NUMBER                  any token of this kind
    ANY, END, NOUN, ...     a named test of one token, given by the caller

Unlike a PEG, a choice does not commit: every end that an expression can reach is kept, the
preferred one first (earlier alternatives before later ones, more repetitions before fewer), and one
tree for each end. Results are kept per rule and position, so the time is polynomial in the length
of the text.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from tools.shop.grammar_tokens import Kind, Token

Test = Callable[[Token], bool]


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


@dataclass(frozen=True, eq=False)
class _Expression:
    """A choice, sequence, repetition, look-ahead, reference or terminal."""

    sign: str
    text: str = ""
    parts: tuple["_Expression", ...] = ()


_Ends = dict[int, tuple[Node, ...]]
_TERMS: Final = re.compile(r"\s*(?:(#[^\n]*)|(\w+)\s*<-|('[^']*'|\w+|[/?*+&!()]))")
_NAMED: Final = frozenset({*Kind, "ANY", "END"})


class Grammar:
    """A grammar that was read from text.

    Raises ValueError when the text cannot be read or uses a name that nothing defines.
    """

    def __init__(self, text: str, tests: Mapping[str, Test]) -> None:
        self._tests = dict(tests)
        self._rules = {name: _Reader(terms).whole() for name, terms in _split(text).items()}
        for name, expression in self._rules.items():
            self._check(name, expression)

    def parse(self, rule: str, tokens: Sequence[Token]) -> Node | None:
        """Match `rule` with all the tokens; None when it does not match."""
        ends = _Run(self._rules, self._tests, tokens).rule(rule, 0)
        return ends[len(tokens)][0] if len(tokens) in ends else None

    def _check(self, rule: str, expression: _Expression) -> None:
        name = expression.text
        if expression.sign == "rule" and name not in self._rules:
            raise ValueError(f"rule {rule} uses {name}, which is not defined")
        if expression.sign == "test" and name not in self._tests and name not in _NAMED:
            raise ValueError(f"rule {rule} uses {name}, which is no kind of token")
        for part in expression.parts:
            self._check(rule, part)


def _split(text: str) -> dict[str, list[str]]:
    rules: dict[str, list[str]] = {}
    terms: list[str] = []
    position, text = 0, text.rstrip()
    while position < len(text):
        match = _TERMS.match(text, position)
        if match is None:
            raise ValueError(f"unreadable grammar: {text[position : position + 40]!r}")
        position = match.end()
        _, name, term = match.groups()
        if name is not None:
            if name in rules:
                raise ValueError(f"rule {name} is defined twice")
            terms = rules[name] = []
        elif term is not None:
            terms.append(term)
    return rules


@dataclass
class _Reader:
    """Reads one rule's right side by recursive descent."""

    terms: list[str]
    at: int = 0

    def whole(self) -> _Expression:
        expression = self._choice()
        if self._peek():
            raise ValueError(f"{self._peek()!r} stands after the end of a rule")
        return expression

    def _choice(self) -> _Expression:
        options = [self._sequence()]
        while self._peek() == "/":
            self.at += 1
            options.append(self._sequence())
        return options[0] if len(options) == 1 else _Expression("/", parts=tuple(options))

    def _sequence(self) -> _Expression:
        parts = []
        while self._peek() not in ("", "/", ")"):
            parts.append(self._prefixed())
        return parts[0] if len(parts) == 1 else _Expression("seq", parts=tuple(parts))

    def _prefixed(self) -> _Expression:
        if self._peek() in ("&", "!"):
            sign = self._take()
            return _Expression(sign, parts=(self._suffixed(),))
        return self._suffixed()

    def _suffixed(self) -> _Expression:
        expression = self._primary()
        while self._peek() in ("?", "*", "+"):
            expression = _Expression(self._take(), parts=(expression,))
        return expression

    def _primary(self) -> _Expression:
        term = self._take()
        if term == "(":
            inner = self._choice()
            if self._take() != ")":
                raise ValueError("a bracket is not closed")
            return inner
        if term.startswith("'"):
            return _Expression("text", term[1:-1])
        if term.isupper() and len(term) > 1:
            return _Expression("test", term)
        if term[0].isupper():
            return _Expression("rule", term)
        if not term[0].isalnum():
            raise ValueError(f"{term!r} stands where a word or a rule must")
        return _Expression("text", term)

    def _peek(self) -> str:
        return self.terms[self.at] if self.at < len(self.terms) else ""

    def _take(self) -> str:
        term = self._peek()
        if not term:
            raise ValueError("a rule ends too early")
        self.at += 1
        return term


@dataclass
class _Run:
    """One parse: the tokens and what is already known of them."""

    rules: Mapping[str, _Expression]
    tests: Mapping[str, Test]
    tokens: Sequence[Token]
    known: dict[tuple[str, int], _Ends] = field(default_factory=dict)
    repeated: dict[tuple[_Expression, int], _Ends] = field(default_factory=dict)

    def rule(self, name: str, at: int) -> _Ends:
        key = (name, at)
        if key not in self.known:
            self.known[key] = {
                end: (Node(name, self.tokens[at:end], inside),)
                for end, inside in self._match(self.rules[name], at).items()
            }
        return self.known[key]

    def _match(self, expression: _Expression, at: int) -> _Ends:
        sign = expression.sign
        if sign == "text":
            found = at < len(self.tokens) and self.tokens[at].text == expression.text
            return {at + 1: ()} if found else {}
        if sign == "rule":
            return self.rule(expression.text, at)
        if sign == "seq":
            return self._sequence(expression.parts, at)
        if sign == "/":
            return self._choice(expression.parts, at)
        if sign == "test":
            return self._test(expression.text, at)
        if sign in ("&", "!"):
            seen = bool(self._match(expression.parts[0], at))
            return {at: ()} if seen == (sign == "&") else {}
        return self._repeat(expression, at)

    def _test(self, name: str, at: int) -> _Ends:
        if name == "END":
            return {at: ()} if at == len(self.tokens) else {}
        if at == len(self.tokens):
            return {}
        token = self.tokens[at]
        test = self.tests.get(name)
        passed = name == "ANY" or token.kind == name or (test is not None and test(token))
        return {at + 1: ()} if passed else {}

    def _sequence(self, parts: Sequence[_Expression], at: int) -> _Ends:
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

    def _choice(self, options: Sequence[_Expression], at: int) -> _Ends:
        reached: _Ends = {}
        for option in options:
            for end, nodes in self._match(option, at).items():
                reached.setdefault(end, nodes)
        return reached

    def _repeat(self, expression: _Expression, at: int) -> _Ends:
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
