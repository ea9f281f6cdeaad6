"""What came of undoing an effect, twice under one key."""

from __future__ import annotations

from daybook.state.effects.outcome import Confirmed, Declined
from daybook.state.ledger.recovery import Event
from daybook.tools.probed.finding import Declared, Finding, Undone, Verdict, outcome_words, rows


def of_the_undo(declared: Declared, undone: Undone | None) -> Finding:
    """Say whether it was undone, and a second undo is known for one."""
    what, said = "undo", declared.undo or "no"
    if declared.undo is None:
        return Finding(what, said, "nothing undoes it: it stands", Verdict.UNDECLARED)
    if undone is None:
        seen = "nothing was found that may be undone by a machine"
        return Finding(what, said, seen, Verdict.NOT_SEEN)
    mend = f"Mend `args` or `settled_by` of the undo, or {declared.undo}: it is sent until done."
    if undone.impossible:
        return Finding(what, said, undone.impossible, Verdict.NOT_HELD, mend)
    first, *more = undone.outcomes
    if not undone.settled[0]:
        verdict = Verdict.NOT_HELD if isinstance(first, Declined) else Verdict.NOT_SEEN
        return Finding(what, said, f"not undone: {outcome_words(first)}", verdict, mend)
    if undone.is_shown is not None:
        return _looked_for(declared, is_shown=undone.is_shown)
    if len(undone.names) > 1:
        seen = f"undone twice: {', '.join(sorted(undone.names))}"
        mend = f"Declare of {declared.undo} how a second one is known: settled_by, a key, a probe."
        return Finding(what, said, seen, Verdict.NOT_HELD, mend)
    if more and not undone.settled[1]:
        seen = f"undone; a second undo: {outcome_words(more[0])}"
        verdict = Verdict.NOT_HELD if isinstance(more[0], Declined) else Verdict.NOT_SEEN
        if isinstance(more[0], Declined):
            mend = f"Write settled_by=frozenset({{{more[0].code!r}}}) if it says so."
        return Finding(what, said, seen, verdict, mend)
    if more and isinstance(more[0], Confirmed) and not undone.is_named:
        seen = f"undone; a second one was confirmed too{_afterwards(undone)}"
        mend = f"Declare a `reference` of {declared.undo}, or what refuses a second one."
        return Finding(what, said, seen, Verdict.NOT_SEEN, mend)
    how = outcome_words(more[0]) if more else ""
    seen = f"undone; a second one is settled ({how}){_afterwards(undone)}"
    return Finding(what, said, seen, Verdict.HELD)


def _looked_for(declared: Declared, *, is_shown: bool) -> Finding:
    what, said = "undo", declared.undo or "no"
    if is_shown:
        seen = "undone; its look-up shows it, so no second one is sent"
        return Finding(what, said, seen, Verdict.HELD)
    seen = "undone, and its look-up does not show it: a second one would be sent"
    mend = f"Mend `probe` of {declared.undo}, or declare how long it may lag: `settle`."
    return Finding(what, said, seen, Verdict.NOT_HELD, mend)


def _afterwards(undone: Undone) -> str:
    if undone.after is None or undone.after.event is Event.UNREACHABLE:
        return ""
    shown = rows(len(undone.after.matches)) if undone.after.matches else "nothing"
    return f"; the look-up of what was undone shows {shown}"
