"""Count what a search by a pattern costs: a matcher that backtracks as `re` does, and counts.

`re` itself cannot be asked, and a clock tells of the machine. It knows what our patterns use.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

ONE_SIGN = (op.LITERAL, op.NOT_LITERAL, op.IN, op.ANY)
NODE = tuple[Any, Any]


class Search:
    """Find all that a pattern matches in a text.

    Attributes:
        steps: places at which a part of the pattern was held against the text.
    """

    def __init__(self, pattern: re.Pattern[str], text: str) -> None:
        self.steps = 0
        self._text = text
        tree = parser.parse(pattern.pattern, pattern.flags)
        self._nodes, self._flags = list(tree), tree.state.flags
        self._state = tree.state
        self._signs: dict[int, Callable[[str], Any]] = {}

    def spans(self) -> list[tuple[int, int]]:
        """Return where it matches, as `finditer` does."""
        found, at = [], 0
        while at <= len(self._text):
            end = next(self._sequence(self._nodes, at), None)
            if end is None:
                at += 1
                continue
            found.append((at, end))
            at = end if end > at else at + 1
        return found

    def _sequence(self, nodes: Sequence[NODE], at: int) -> Iterator[int]:
        if not nodes:
            yield at
            return
        for after in self._node(nodes[0], at):
            yield from self._sequence(nodes[1:], after)

    def _node(self, node: NODE, at: int) -> Iterator[int]:
        self.steps += 1
        kind, about = node
        if kind in ONE_SIGN:
            if at < len(self._text) and self._fits(node, self._text[at]):
                yield at + 1
        elif kind is op.AT:
            if re.compile({op.AT_BOUNDARY: r"\b", op.AT_END_STRING: r"\Z"}[about]).match(
                self._text, at
            ):
                yield at
        elif kind is op.SUBPATTERN:
            yield from self._sequence(list(about[3]), at)
        elif kind is op.BRANCH:
            for branch in about[1]:
                yield from self._sequence(list(branch), at)
        elif kind in (op.ASSERT, op.ASSERT_NOT):
            direction, inner = about
            begins = at if direction > 0 else at - inner.getwidth()[0]
            ends = self._sequence(list(inner), begins) if begins >= 0 else iter(())
            if (next(ends, None) is not None) is (kind is op.ASSERT):
                yield at
        elif kind is op.POSSESSIVE_REPEAT:
            least, most, inner = about
            count = 0
            while count < most and (end := next(self._sequence(list(inner), at), at)) > at:
                at, count = end, count + 1
            if count >= least:
                yield at
        else:
            assert kind in (op.MAX_REPEAT, op.MIN_REPEAT), kind
            yield from self._repeated(about, at, 0, is_lazy=kind is op.MIN_REPEAT)

    def _repeated(self, about: Any, at: int, count: int, *, is_lazy: bool) -> Iterator[int]:
        """Repeat without recursion on signs: a text is longer than a stack is deep."""
        least, most, inner = about
        ends = [self._sequence(list(inner), at)]
        places = [at]
        if is_lazy:
            while True:
                if len(places) > least:
                    yield places[-1]
                if len(places) > most:
                    return
                after = next(self._sequence(list(inner), places[-1]), None)
                if after is None or after == places[-1]:
                    return
                places.append(after)
        while ends:
            after = next(ends[-1], None) if len(ends) <= most else None
            if after is None or after == places[-1]:
                if len(ends) > least:
                    yield places[-1]
                ends.pop()
                places.pop()
            else:
                places.append(after)
                ends.append(self._sequence(list(inner), after))

    def _fits(self, node: NODE, sign: str) -> bool:
        fits = self._signs.get(id(node[1]))
        if fits is None:
            one = parser.SubPattern(self._state, [node])
            compiled = re._compiler.compile(one, self._flags)  # type: ignore[attr-defined]
            fits = self._signs[id(node[1])] = compiled.match
        return fits(sign) is not None
