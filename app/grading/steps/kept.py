"""Keep what threads were graded, so that the next grade tells what is different.

One small file a thread, below the data folder. It holds scores and the names of checks: no
argument, no word that anybody said, and the thread's name as a hash.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel

from daybook.app.grading.steps.trajectory import Step
from daybook.app.grading.verdict import Grade, Verdict
from daybook.state.telemetry.spans import shown_id


class Kept(BaseModel, frozen=True):
    """What is kept of a grade.

    Attributes:
        steps: key to tool, score, and the checks that found something; what a domain names an
            effect by may be what a person typed, so that a key with more than plain signs is a
            hash.
        wasted, tokens: as `Grade` has them.
    """

    steps: Mapping[str, tuple[str, int, tuple[str, ...]]]
    wasted: int
    tokens: int


@dataclass(frozen=True)
class Difference:
    """Say what is different from the last grade that was different.

    Attributes:
        changed: key, tool, score before and now.
        new: keys of steps that were not there.
        gone: how many are there no more.
        wasted: tokens wasted then and now.
    """

    changed: tuple[tuple[str, str, int, int], ...]
    new: tuple[str, ...]
    gone: int
    wasted: tuple[int, int]


class _File(BaseModel):
    """What stands in a file: the last grade, and the last one that was different."""

    now: Kept | None = None
    before: Kept | None = None


def kept(grade: Grade) -> Kept:
    """Return what is kept of a grade."""
    steps = {shown_id(step.key): _outline(step, verdict) for step, verdict in grade.judged}
    return Kept(steps=steps, wasted=grade.wasted_tokens, tokens=grade.tokens)


def _outline(step: Step, verdict: Verdict) -> tuple[str, int, tuple[str, ...]]:
    # A model may call what there is not, by whatever name.
    tool = step.tool if step.kind != "unknown" else "no such tool"
    return tool, verdict.score, tuple(found.check.value for found in verdict.findings)


def compared(grade: Grade, before: Kept) -> Difference:
    """Compare a grade with an earlier one."""
    was = [(step, before.steps.get(shown_id(step.key)), now) for step, now in grade.judged]
    return Difference(
        changed=tuple(
            (step.key, step.tool, then[1], now.score)
            for step, then, now in was
            if then is not None and then[1] != now.score
        ),
        new=tuple(step.key for step, then, _ in was if then is None),
        gone=len(before.steps.keys() - kept(grade).steps.keys()),
        wasted=(before.wasted, grade.wasted_tokens),
    )


def difference(home: Path, tenant: str, name: str, grade: Grade) -> Difference | None:
    """Keep a grade, and say what is different from the last one; None where there is none.

    The same grade again is compared with the same one as before: looking twice changes nothing.

    Args:
        home: the data folder.
        name: of the thread, or of a set.
    """
    file = _file(home, tenant, name)
    now, held = kept(grade), _read(file)
    if now != held.now:
        held = _File(now=now, before=held.now)
        _write(file, held)
    return compared(grade, held.before) if held.before else None


def _file(home: Path, tenant: str, name: str) -> Path:
    hashed = hashlib.sha256(f"{tenant}\n{name}".encode()).hexdigest()[:32]
    return home / "grades" / f"{hashed}.json"


def _read(file: Path) -> _File:
    """Read what is kept; what cannot be read is as if it were not there."""
    try:
        return _File.model_validate_json(file.read_bytes())
    except (OSError, ValueError):
        return _File()


def _write(file: Path, held: _File) -> None:
    """Replace the file at once: another process may read it, or write it too."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=file.parent, delete=False) as new:
        new.write(held.model_dump_json())
    os.replace(new.name, file)
