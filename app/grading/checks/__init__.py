"""The checks: each a pure function of a trajectory and one of its steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from daybook.app.grading.checks import (
    allowed,
    approved,
    asked,
    declared,
    duplicate,
    fresh,
    grounded,
    needed,
    repeated,
    said,
    valid,
)
from daybook.app.grading.steps.trajectory import Step, Trajectory
from daybook.app.grading.verdict import Check, Finding

Checking: TypeAlias = Callable[[Trajectory, Step], Finding | None]

CHECKS: Mapping[Check, Checking] = {
    Check.ALLOWED: allowed.check,
    Check.VALID: valid.check,
    Check.GROUNDED: grounded.check,
    Check.FRESH: fresh.check,
    Check.APPROVED: approved.check,
    Check.DUPLICATE: duplicate.check,
    Check.REPEATED: repeated.check,
    Check.NEEDED: needed.check,
    Check.DECLARED: declared.check,
    Check.SAID: said.check,
    Check.ASKED: asked.check,
}

BEFORE = (
    Check.ALLOWED,
    Check.VALID,
    Check.GROUNDED,
    Check.FRESH,
    Check.APPROVED,
    Check.DUPLICATE,
    Check.REPEATED,
    Check.ASKED,
)
"""The checks that need neither the outcome of a call nor what came later."""

OF_ANSWERS = (Check.SAID,)
"""The checks of what calls nothing; the others are about calls and effects."""
