"""What an answer says is so, as far as is known, and was let through to the person."""

from __future__ import annotations

from functools import lru_cache

from daybook.tools.said.check import untrue_in

from daybook.app.grading.steps.background import Background
from daybook.app.grading.steps.trajectory import Step, Trajectory
from daybook.app.grading.verdict import Check, Finding

_LONGEST = 160
"""Characters of words that are quoted."""

UNSHOWN = "Not shown to the person"
"""How a finding begins that is about words which were refused."""


def check(trajectory: Trajectory, step: Step) -> Finding | None:
    """Find an answer that contradicts what was known then, read or not.

    Words that were refused before anybody read them are the model's fault too. Where its prompt
    cannot be shown again, what was shown is not judged.
    """
    if step.kind != "answer":
        return None
    found = [f"{UNSHOWN}: {_quoted(text)}: {' '.join(why)}" for text, why in step.unsaid]
    if step.background is not None:
        text = step.args.get("text", "")
        found += [f"{_quoted(said)}: {so}" for said, so in _untrue(text, step.background)]
    return Finding(Check.SAID, "\n".join(dict.fromkeys(found))) if found else None


@lru_cache(maxsize=8_192)
def _untrue(text: str, background: Background) -> tuple[tuple[str, str], ...]:
    return tuple((one.text, one.so) for one in untrue_in(text, background.known))


def _quoted(text: str) -> str:
    line = " ".join(text.split())
    return f"“{line if len(line) <= _LONGEST else f'{line[: _LONGEST - 3]}...'}”"
