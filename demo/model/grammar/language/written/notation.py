"""Read the notation of the grammar: the text of its rules becomes expressions.

The notation is that of parsing expression grammars (Bryan Ford, "Parsing Expression Grammars",
2004): `/` is a choice, `?` `*` `+` repeat, `&` and `!` look ahead.

    Name <- expression      a rule; its name begins with a capital and continues in lower case
    word                    the token with this text
    ','                     the mark with this text
    NUMBER                  any token of this kind
    ANY, END, NOUN, ...     a named test of one token, given by the caller
"""

import re
from dataclasses import dataclass
from typing import Final

_TERMS: Final = re.compile(r"\s*(?:(#[^\n]*)|(\w+)\s*<-|('[^']*'|\w+|[/?*+&!()]))")


@dataclass(frozen=True, eq=False)
class Expression:
    """A choice "/", a sequence "seq", a repetition, a look-ahead, a "rule", "text" or "test"."""

    sign: str
    text: str = ""
    parts: tuple["Expression", ...] = ()


def read_rules(text: str) -> dict[str, Expression]:
    """Read the rules of a grammar by their names.

    Raises ValueError when the text cannot be read.
    """
    return {name: _Reader(terms).whole() for name, terms in _split(text).items()}


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

    def whole(self) -> Expression:
        expression = self._choice()
        if self._peek():
            raise ValueError(f"{self._peek()!r} stands after the end of a rule")
        return expression

    def _choice(self) -> Expression:
        options = [self._sequence()]
        while self._peek() == "/":
            self.at += 1
            options.append(self._sequence())
        return options[0] if len(options) == 1 else Expression("/", parts=tuple(options))

    def _sequence(self) -> Expression:
        parts = []
        while self._peek() not in ("", "/", ")"):
            parts.append(self._prefixed())
        return parts[0] if len(parts) == 1 else Expression("seq", parts=tuple(parts))

    def _prefixed(self) -> Expression:
        if self._peek() in ("&", "!"):
            sign = self._take()
            return Expression(sign, parts=(self._suffixed(),))
        return self._suffixed()

    def _suffixed(self) -> Expression:
        expression = self._primary()
        while self._peek() in ("?", "*", "+"):
            expression = Expression(self._take(), parts=(expression,))
        return expression

    def _primary(self) -> Expression:
        term = self._take()
        if term == "(":
            inner = self._choice()
            self._take()  # The choice ends at ")" or, too early, at the end of the rule.
            return inner
        if term.startswith("'"):
            return Expression("text", term[1:-1])
        if term.isupper() and len(term) > 1:
            return Expression("test", term)
        if term[0].isupper():
            return Expression("rule", term)
        if not term[0].isalnum():
            raise ValueError(f"{term!r} stands where a word or a rule must")
        return Expression("text", term)

    def _peek(self) -> str:
        return self.terms[self.at] if self.at < len(self.terms) else ""

    def _take(self) -> str:
        term = self._peek()
        if not term:
            raise ValueError("a rule ends too early")
        self.at += 1
        return term
