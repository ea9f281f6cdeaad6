"""Each rule taken away: the model finds the trace that is behind it, and the real rule stops it."""

import pytest

from evals.protocol.search import Searched, What, search
from tests.model.mutants import TRACES, Trace


@pytest.mark.parametrize("trace", TRACES, ids=lambda trace: trace.name.replace(" ", "_"))
def test_a_rule_that_is_taken_away_is_missed(trace: Trace):
    found = search(trace.mutant(), most=50_000)
    assert found.wrong == trace.wrong, str(found)
    assert _refused(trace.real(), found.trace) == trace.refused


def _refused(model: Searched, trace: tuple[What, ...]) -> What | None:
    """Let the same happen where the rule is in force, and return what cannot; None does no harm."""
    world = model.first()
    for what in trace:
        possible = [one for one in model.next(world) if one.what == what]
        if not possible:
            return what
        assert model.wrong_page(world, possible[0]) is None
        world = possible[0].world
        assert model.wrong_state(world) is None
    return None
