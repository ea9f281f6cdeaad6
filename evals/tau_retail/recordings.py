"""The recordings that can be replayed, as scripts by their ids."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from evals.tau_retail.data import Recording, TauRetail
from evals.tau_retail.script import Script, script_of

EXACT: Recording = "recorded"
PARALLEL: Recording = "recorded_parallel"


@cache
def scripts_of(data: TauRetail, recording: Recording) -> Sequence[Script]:
    """Return the scripts of a recording, in its order."""
    writes = frozenset(spec.name for spec in data.tools if spec.is_write)
    return [script_of(run, writes) for run in data.runs(recording)]


def replayable(data: TauRetail) -> dict[str, Script]:
    """Return the scripts of all runs whose every result can be had again, by id."""
    both = (*scripts_of(data, EXACT), *scripts_of(data, PARALLEL))
    return {script.run_id: script for script in both}


def smoke(data: TauRetail) -> list[Script]:
    """Return the scripts of the runs that were picked to be few."""
    known = replayable(data)
    return [known[run_id] for run_id in data.smoke]
