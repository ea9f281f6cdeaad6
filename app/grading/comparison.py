"""Compare a grade with the last one of the same thread.

Grades are stored in one small file a thread, below the data folder. It holds scores and the names
of checks: no argument, no message, and the thread's id as a hash.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel

from daybook.app.grading.trajectory import Step
from daybook.app.grading.verdict import Grade, Verdict
from daybook.state.telemetry.spans import shown_id


class Summary(BaseModel, frozen=True):
    """The part of a grade that is stored.

    Attributes:
        steps: key to tool, score, and the checks with findings; the name of an effect may be user
            input, so a key with other than plain characters is a hash.
        wasted, tokens: as in `Grade`.
    """

    steps: Mapping[str, tuple[str, int, tuple[str, ...]]]
    wasted: int
    tokens: int


@dataclass(frozen=True)
class Difference:
    """The difference between a grade and the last one that differed.

    Attributes:
        changed: key, tool, score before and now.
        new: keys of new steps.
        gone: number of steps that are gone.
        wasted: wasted tokens before and now.
    """

    changed: tuple[tuple[str, str, int, int], ...]
    new: tuple[str, ...]
    gone: int
    wasted: tuple[int, int]


class _File(BaseModel):
    """The content of a file: the last grade, and the last one that differed from it."""

    now: Summary | None = None
    before: Summary | None = None


def summary_of(grade: Grade) -> Summary:
    """Return the part of a grade that is stored."""
    steps = {shown_id(step.key): _outline(step, verdict) for step, verdict in grade.judged}
    return Summary(steps=steps, wasted=grade.wasted_tokens, tokens=grade.tokens)


def _outline(step: Step, verdict: Verdict) -> tuple[str, int, tuple[str, ...]]:
    # A model may call a tool that does not exist by any name.
    tool = step.tool if step.kind != "unknown" else "no such tool"
    return tool, verdict.score, tuple(found.check.value for found in verdict.findings)


def compare(grade: Grade, before: Summary) -> Difference:
    """Compare a grade with an earlier one."""
    was = [(step, before.steps.get(shown_id(step.key)), now) for step, now in grade.judged]
    return Difference(
        changed=tuple(
            (step.key, step.tool, then[1], now.score)
            for step, then, now in was
            if then is not None and then[1] != now.score
        ),
        new=tuple(step.key for step, then, _ in was if then is None),
        gone=len(before.steps.keys() - summary_of(grade).steps.keys()),
        wasted=(before.wasted, grade.wasted_tokens),
    )


def difference(home: Path, tenant: str, name: str, grade: Grade) -> Difference | None:
    """Store a grade and return its difference from the last one; None where there is none.

    An unchanged grade is compared with the same one as before: grading twice changes nothing.

    Args:
        home: the data folder.
        name: the thread's id.
    """
    file = _file(home, tenant, name)
    now, stored = summary_of(grade), _read(file)
    if now != stored.now:
        stored = _File(now=now, before=stored.now)
        _write(file, stored)
    return compare(grade, stored.before) if stored.before else None


def _file(home: Path, tenant: str, name: str) -> Path:
    hashed = hashlib.sha256(f"{tenant}\n{name}".encode()).hexdigest()[:32]
    return home / "grades" / f"{hashed}.json"


def _read(file: Path) -> _File:
    """Return the content of a file; an unreadable file counts as missing."""
    try:
        return _File.model_validate_json(file.read_bytes())
    except (OSError, ValueError):
        return _File()


def _write(file: Path, stored: _File) -> None:
    """Replace the file atomically: another process may read or write it at the same time."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=file.parent, delete=False) as new:
        new.write(stored.model_dump_json())
    os.replace(new.name, file)
