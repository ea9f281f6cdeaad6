"""The classes of faults, each with the check that must find it."""

from __future__ import annotations

from daybook.app.grading.verdict import Check
from evals.steps.faults.approvals import (
    approval_removed,
    approved_by_the_wrong_person,
    approved_too_late,
    question_overtaken,
)
from evals.steps.faults.calls import (
    argument_missing,
    argument_of_wrong_type,
    argument_unknown,
    no_such_tool,
    out_of_position,
)
from evals.steps.faults.effects import executed_twice, other_evidence
from evals.steps.faults.fault import Fault
from evals.steps.faults.needless import change_unneeded, read_unneeded
from evals.steps.faults.repeated import (
    error_repeated,
    operation_done_twice,
    read_duplicated,
    write_duplicated,
)
from evals.steps.faults.sources import (
    built_on_a_wrong_step,
    invented_date,
    invented_figure,
    invented_identifier,
    stale_read_used,
)

FAULTS: tuple[Fault, ...] = (
    Fault("tool out of position", Check.ALLOWED, out_of_position),
    Fault("no such tool", Check.ALLOWED, no_such_tool),
    Fault("argument missing", Check.VALID, argument_missing),
    Fault("argument of the wrong type", Check.VALID, argument_of_wrong_type),
    Fault("argument unknown", Check.VALID, argument_unknown),
    Fault("identifier invented", Check.GROUNDED, invented_identifier),
    Fault("price or amount invented", Check.GROUNDED, invented_figure),
    Fault("date invented", Check.GROUNDED, invented_date),
    Fault("stale read used", Check.FRESH, stale_read_used),
    Fault("approval removed", Check.APPROVED, approval_removed),
    Fault("approved after it was sent", Check.APPROVED, approved_too_late),
    Fault("approved by the wrong person", Check.APPROVED, approved_by_the_wrong_person),
    Fault("question not waited for", Check.APPROVED, question_overtaken),
    Fault("write duplicated", Check.DUPLICATE, write_duplicated),
    Fault("operation done twice", Check.DUPLICATE, operation_done_twice),
    Fault("read duplicated", Check.DUPLICATE, read_duplicated),
    Fault("error repeated", Check.REPEATED, error_repeated),
    Fault("read not needed", Check.NEEDED, read_unneeded),
    Fault("write not needed", Check.NEEDED, change_unneeded),
    Fault("other evidence", Check.DECLARED, other_evidence),
    Fault("executed twice", Check.DECLARED, executed_twice),
    Fault("built on a wrong step", None, built_on_a_wrong_step),
)
