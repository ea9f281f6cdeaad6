"""What is known in the tests of what is said: what was read, and what came of what was to be done."""

from daybook.tools.said.grammar.kinds import KINDS
from daybook.tools.said.known import Effect, Known, Outcome, known


def read(*results: str) -> Known:
    """Know what was read, of a shop's kinds of effects."""
    return known(results, [], kinds=KINDS[:6])


def came(outcome: Outcome, names: str, line: str, *results: str) -> Known:
    """Know of what was to be done in this turn, and what came of it."""
    effects = [
        Effect(kind, outcome, is_now=True, line=line, succeeded=outcome == "done")
        for kind in KINDS[:6]
        if kind.name in names.split()
    ]
    return known(results, [], effects=effects, kinds=KINDS[:6])
