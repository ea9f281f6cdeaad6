"""Read a grammar written as text, and parse tokens by it.

The notation is that of parsing expression grammars (Bryan Ford, "Parsing Expression Grammars",
2004): `/` is an ordered choice, `?` `*` `+` repeat greedily, `&` and `!` look ahead. Results are
kept per rule and position (packrat), so parsing takes linear time in the length of the text.

    Name <- expression      a rule; its name begins with a capital and continues in lower case
    word                    the token with this text
    ','                     the mark with this text
    NUMBER                  any token of this kind
    ANY, END, NOUN, ...     a named test of one token, given by the caller
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


@dataclass(frozen=True)
class _Expression:
    """A choice, sequence, repetition, look-ahead, reference or terminal."""

    sign: str
    text: str = ""
    parts: tuple["_Expression", ...] = ()


_Result = tuple[int, tuple[Node, ...]]
_TERMS: Final = re.compile(r"\s*(?:(#[^\n]*)|(\w+)\s*<-|('[^']*'|\w+|[/?*+&!()]))")


class Grammar:
    """A grammar that was read from text.

    Raises ValueError when the text cannot be read or uses a rule that it does not define.
    """

    def __init__(self, text: str, tests: Mapping[str, Test]) -> None:
        self._tests = dict(tests)
        self._rules = {name: _Reader(terms).choice() for name, terms in _split(text).items()}
        for name, expression in self._rules.items():
            self._check(name, expression)

    def parse(self, rule: str, tokens: Sequence[Token]) -> Node | None:
        """Match `rule` from the first token on; None when it does not match."""
        result = _Run(self._rules, self._tests, tokens).rule(rule, 0)
        return result[1][0] if result is not None else None

    def _check(self, rule: str, expression: _Expression) -> None:
        name = expression.text
        if expression.sign == "rule" and name not in self._rules:
            raise ValueError(f"rule {rule} uses {name}, which is not defined")
        if expression.sign == "test" and not (name in self._tests or name in {*Kind, "ANY", "END"}):
            raise ValueError(f"rule {rule} uses {name}, which is no kind of token")
        for part in expression.parts:
            self._check(rule, part)


def _split(text: str) -> dict[str, list[str]]:
    rules: dict[str, list[str]] = {}
    terms: list[str] = []
    position = 0
    text = text.rstrip()
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

    def choice(self) -> _Expression:
        options = [self._sequence()]
        while self._peek() == "/":
            self.at += 1
            options.append(self._sequence())
        return options[0] if len(options) == 1 else _Expression("/", parts=tuple(options))

    def _sequence(self) -> _Expression:
        parts = []
        while self._peek() not in ("", "/", ")"):
            parts.append(self._prefixed())
        return _Expression("seq", parts=tuple(parts))

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
            inner = self.choice()
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
    known: dict[tuple[str, int], _Result | None] = field(default_factory=dict)

    def rule(self, name: str, at: int) -> _Result | None:
        key = (name, at)
        if key not in self.known:
            result = self._match(self.rules[name], at)
            if result is not None:
                end, inside = result
                result = end, (Node(name, self.tokens[at:end], inside),)
            self.known[key] = result
        return self.known[key]

    def _match(self, expression: _Expression, at: int) -> _Result | None:
        sign = expression.sign
        if sign == "text":
            found = at < len(self.tokens) and self.tokens[at].text == expression.text
            return (at + 1, ()) if found else None
        if sign == "test":
            return self._test(expression.text, at)
        if sign == "rule":
            return self.rule(expression.text, at)
        if sign == "seq":
            return self._sequence(expression.parts, at)
        if sign == "/":
            options = (self._match(part, at) for part in expression.parts)
            return next((result for result in options if result is not None), None)
        if sign in ("&", "!"):
            seen = self._match(expression.parts[0], at) is not None
            return (at, ()) if seen == (sign == "&") else None
        return self._repeat(expression, at)

    def _test(self, name: str, at: int) -> _Result | None:
        if name == "END":
            return (at, ()) if at == len(self.tokens) else None
        if at == len(self.tokens):
            return None
        token = self.tokens[at]
        passed = name == "ANY" or token.kind == name
        if not passed and name in self.tests:
            passed = self.tests[name](token)
        return (at + 1, ()) if passed else None

    def _sequence(self, parts: Sequence[_Expression], at: int) -> _Result | None:
        nodes: tuple[Node, ...] = ()
        for part in parts:
            result = self._match(part, at)
            if result is None:
                return None
            at, found = result
            nodes += found
        return at, nodes

    def _repeat(self, expression: _Expression, at: int) -> _Result | None:
        nodes: tuple[Node, ...] = ()
        count = 0
        most = 1 if expression.sign == "?" else len(self.tokens) + 1
        while count < most:
            result = self._match(expression.parts[0], at)
            if result is None or (result[0] == at and count > 0):
                break
            at, nodes = result[0], nodes + result[1]
            count += 1
        return None if expression.sign == "+" and count == 0 else (at, nodes)
