"""What look-ups showed: under keys that were never used, at once, and late."""

from __future__ import annotations

from collections.abc import Sequence

from daybook.state.effects.evidence import Look
from daybook.state.effects.reference import shows
from daybook.state.effects.rehearsal import Rehearsal
from daybook.state.ledger.recovery import Event
from daybook.tools.probed.finding import (
    Declared,
    Finding,
    Rehearsed,
    Verdict,
    is_open,
    lasting,
    rows,
)

_AT_ONCE = 0.1
"""Seconds after an answer in which a look-up begins that is made at once."""


def of_unused_keys(looks: Sequence[Look]) -> Finding:
    """Say whether a look-up filters by its key."""
    what, declared = "unused key", "probe"
    if shown := [look for look in looks if look.matches]:
        return Finding(
            what,
            declared,
            f"the look-up of a key that was never used shows {rows(len(shown[0].matches))}",
            Verdict.NOT_HELD,
            "The look-up ignores its filter. Name the filter as the service does, or keep in "
            "`probe` only the rows that show ctx.key.",
        )
    if lost := _lost(looks):
        return Finding(what, declared, lost, Verdict.NOT_SEEN)
    return Finding(what, declared, "it shows nothing", Verdict.HELD)


def of_looking(declared: Declared, once: Rehearsal) -> Finding:
    """Say how late what was done is shown, beside D."""
    what, settle = "settle", declared.guarantees.settle
    said = "no" if settle is None else lasting(settle.total_seconds())
    if not declared.guarantees.provable:
        seen = "without a probe nobody sees when it is done"
        return Finding(what, said, seen, Verdict.NOT_SEEN)
    looked = once.looks("once")
    shown = next((one for one in looked if one.judged.is_shown or one.judged.doubt), None)
    if shown is not None:
        seen = f"shown {'at once' if shown.after < _AT_ONCE else f'after {shown.after:.1f} s'}"
        if settle is None:
            mend = (
                "It could be declared, if the service names a longest time: settle=timedelta(...)."
            )
            return Finding(what, said, seen, Verdict.UNDECLARED, mend)
        return Finding(what, said, seen, Verdict.HELD)
    if lost := _lost([one.look for one in looked if one.look is not None]):
        verdict = Verdict.NOT_HELD if "fails" in lost else Verdict.NOT_SEEN
        return Finding(what, said, lost, verdict, "Mend `probe`: it must return all matches.")
    later = any(one.judged.is_shown for one in once.looks("again", "late"))
    seen = f"not shown within {lasting(declared.waits)}{', but later' if later else ''}"
    mend = (
        "Declare a longer `settle`: what is not shown when it is over is taken for not done, and "
        "is sent again."
        if settle is not None
        else "Mend `probe`: what it does not show comes to a person each time."
    )
    return Finding(what, said, seen, Verdict.NOT_HELD, mend)


def of_rows(declared: Declared, once: Rehearsal) -> list[Finding]:
    """Say what the rows of the look-up tell, where it showed any."""
    bound = once.step.reference
    if not declared.guarantees.provable or bound not in once.rows:
        return []
    beside = [*once.new("once"), *(f"another {name}" for name in once.twins("once"))]
    one = (
        Finding(
            "one row",
            "probe",
            f"sent once, and beside {bound} it shows {', '.join(beside)}",
            Verdict.NOT_HELD,
            "See that `probe` shows what was done under its key alone, and each effect once.",
        )
        if beside
        else Finding("one row", "probe", f"{bound} alone", Verdict.HELD)
    )
    if shows(once.rows[bound], once.step.step_id):
        return [one, Finding("key in the row", "probe", "the row says our key", Verdict.HELD)]
    mend = (
        "Let the service keep ctx.key with the effect, and `probe` return it: without it no "
        "duplicate is undone by a machine; each is put to a person."
    )
    seen = "no field of the row says our key"
    return [one, Finding("key in the row", "no", seen, Verdict.UNDECLARED, mend)]


def of_the_late(declared: Declared, tried: Rehearsed) -> Finding:
    """Say whether more is shown when nothing may come any more."""
    what, settle = "late duplicates", declared.guarantees.settle
    said = "no" if settle is None else f"none after {lasting(settle.total_seconds())}"
    looked = [look for one in tried.all for look in one.looks("late")]
    if not looked:
        seen = "it was not waited for" if declared.guarantees.provable else "there is no probe"
        return Finding(what, said, seen, Verdict.NOT_SEEN)
    came = {name for one in tried.all for name in _unexplained(one, tried)}
    if came:
        mend = "Declare a longer `settle`, or none where nobody knows how late it may be done."
        seen = f"at the end it shows more: {', '.join(sorted(came))}"
        verdict = Verdict.NOT_HELD if settle is not None else Verdict.UNDECLARED
        return Finding(what, said, seen, verdict, mend)
    if lost := _lost([one.look for one in looked if one.look is not None]):
        return Finding(what, said, lost, Verdict.NOT_SEEN)
    seen = f"{lasting(declared.waits)} after the last one it shows nothing more"
    return Finding(what, said, seen, Verdict.HELD if settle is not None else Verdict.UNDECLARED)


def _unexplained(seen: Rehearsal, tried: Rehearsed) -> list[str]:
    """Name what is shown at the end and was neither sent nor expected by then.

    Of a request without an answer that tells, the effect may be seen at the end first.
    """
    known = {one.step.reference for one in tried.all}
    came = [name for name in seen.new("late") if name not in known] + seen.twins("late")
    under = [one for one in tried.all if one.step.step_id == seen.step.step_id]
    waited = sum(is_open(outcome) for one in under for outcome in one.outcomes)
    found = sum(is_open(one.outcomes[0]) and _found_at_once(one) for one in under)
    return came if len(came) > waited - found or seen.promised.honours_key else []


def _found_at_once(seen: Rehearsal) -> bool:
    return any(one.moment == "once" and one.judged.result is not None for one in seen.seen)


def _lost(looks: Sequence[Look]) -> str:
    """Say why nothing was seen, where no look-up could look."""
    if not looks or any(look.event is not Event.UNREACHABLE for look in looks):
        return ""
    fault = looks[-1].fault
    return f"`probe` fails ({fault})" if fault else "nobody answers the look-up"
