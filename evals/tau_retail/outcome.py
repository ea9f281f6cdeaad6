"""What came of one trial of a run, and the file in which outcomes are kept as they come."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from evals.tau_retail.judge import Check, Evidence, Failure, duplicates, judge
from evals.tau_retail.recordings import Script

_ORIGIN = "origin"
"""Beside a kept outcome: what code and data it came of."""


@dataclass(frozen=True)
class Outcome:
    """What came of one trial.

    Attributes:
        player: whose thread it was: "daybook", or that of an agent beside it.
        trial: 0 for one that was left undisturbed.
        kills: where each kill fell (see `evals.tau_retail.marks.Place`).
        duplicates: executions of writes beyond those that the record knows.
        repeats: requests that the retailer answered by their key, without doing anything.
        asked_again: how often the model was asked what it had been asked before.
        seconds: how long the undisturbed run took; 0 where it was disturbed.
    """

    player: str
    run_id: str
    source: str
    model: str
    trial: int
    calls: int
    writes: int
    failures: Sequence[Failure]
    kills: Sequence[str] = ()
    duplicates: int = 0
    repeats: int = 0
    asked_again: int = 0
    seconds: float = 0.0

    @property
    def is_passed(self) -> bool:
        """Tell whether everything is as recorded."""
        return not self.failures

    @property
    def failed(self) -> frozenset[Check]:
        """Name the checks that failed."""
        return frozenset(one.check for one in self.failures)

    @property
    def key(self) -> tuple[str, str, int]:
        """Name the trial."""
        return self.player, self.run_id, self.trial


def outcome_of(
    script: Script,
    evidence: Evidence,
    *,
    player: str,
    trial: int = 0,
    asked_again: int = 0,
    kills: Sequence[str] = (),
    seconds: float = 0.0,
) -> Outcome:
    """Judge a trial and write down what came of it."""
    return Outcome(
        player=player,
        run_id=script.run_id,
        source=script.source,
        model=script.model,
        trial=trial,
        calls=len(script.calls),
        writes=len(script.writes),
        failures=judge(script, evidence),
        kills=list(kills),
        duplicates=duplicates(script, evidence),
        repeats=evidence.repeats,
        asked_again=asked_again,
        seconds=round(seconds, 3),
    )


class Kept:
    """Keep outcomes in a file, one a line, so that a command that was ended goes on from there.

    Args:
        origin: names code and data as they are now; what came of others is not counted.
    """

    def __init__(self, file: Path, origin: str = "") -> None:
        self.file, self._origin = file, origin
        file.parent.mkdir(parents=True, exist_ok=True)
        self.outcomes = {one.key: one for one in _read(file, origin)}

    def keep(self, outcome: Outcome) -> None:
        """Keep one more."""
        self.outcomes[outcome.key] = outcome
        line = json.dumps({_ORIGIN: self._origin, **asdict(outcome)})
        with self.file.open("a", encoding="utf-8") as file:
            file.write(line + "\n")


def _read(file: Path, origin: str) -> Iterator[Outcome]:
    if not file.exists():
        return
    text = file.read_text(encoding="utf-8")
    whole, _, begun = text.rpartition("\n")
    if begun:
        # Whoever wrote it was killed there: the trial is made again.
        file.write_text(whole + "\n" if whole else "", encoding="utf-8")
    for line in whole.splitlines():
        told: dict[str, Any] = json.loads(line)
        if told.pop(_ORIGIN, "") == origin:
            found = [Failure(**{**one, "check": Check(one["check"])}) for one in told["failures"]]
            yield Outcome(**{**told, "failures": found})


_ROOT = Path(__file__).parents[2]
_CODE = ("state", "checkpoints", "tools", "nodes", "graph", "evals/tau_retail")
_LOCK = "requirements.lock"


def origin_of(data: Path) -> str:
    """Name code, pinned libraries and data: other ones have another name.

    Args:
        data: the folder of the recorded runs.
    """
    code = (path for folder in _CODE for path in (_ROOT / folder).rglob("*"))
    files = [path for path in code if path.suffix in (".py", ".sql")]
    files += [*_ROOT.glob(_LOCK), *(path for path in data.iterdir() if path.is_file())]
    named = hashlib.sha256()
    for path in sorted(files):
        named.update(f"{path.name} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return named.hexdigest()[:16]
