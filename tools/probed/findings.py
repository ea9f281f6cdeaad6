"""What the rehearsals of an effect say of all that is declared of it. Pure."""

from __future__ import annotations

from daybook.tools.probed.answered import of_the_answer, of_the_reference, of_what_is_expected
from daybook.tools.probed.finding import Declared, Finding, Rehearsed
from daybook.tools.probed.looked import of_looking, of_rows, of_the_late, of_unused_keys
from daybook.tools.probed.repeated import (
    of_again,
    of_another_key,
    of_failures,
    of_harmless,
    of_other,
    of_retention,
)
from daybook.tools.probed.undone import of_the_undo


def findings(declared: Declared, tried: Rehearsed) -> list[Finding]:
    """Say what was seen of all that is declared; of an effect that was not done, only that."""
    if not tried.is_done:
        return [of_the_answer(tried.once)]
    found = [
        *([of_unused_keys(tried.unused)] if tried.unused else []),
        of_the_answer(tried.once),
        of_the_reference(declared, tried.once),
        of_what_is_expected("evidence", declared.evidence, tried.once),
        of_what_is_expected("owner", declared.owner, tried.once),
        of_looking(declared, tried.once),
        *of_rows(declared, tried.once),
        of_again(declared, tried.once),
        *of_harmless(declared, tried.once),
        of_other(declared, tried),
        *of_another_key(declared, tried.second),
        of_failures(declared, tried),
        of_the_undo(declared, tried.undone),
        of_the_late(declared, tried),
    ]
    if declared.guarantees.honours_key:
        found.append(of_retention(declared.guarantees.retention))
    return found
