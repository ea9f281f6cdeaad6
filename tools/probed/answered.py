"""What was shown of an effect that was sent once: which it is, and whose, and of what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from daybook.state.effects.evidence import Result, differs
from daybook.state.effects.outcome import Confirmed, Declined, NotSent, Unknown
from daybook.state.effects.rehearsal import Rehearsal
from daybook.tools.probed.finding import Declared, Finding, Verdict, outcome_words

_NOTICED = {
    "evidence": "`evidence` lets a wrong amount or instrument be noticed.",
    "owner": "`owner` lets an answer about another person be noticed.",
}


def of_the_answer(once: Rehearsal) -> Finding:
    """Say whether what was answered is understood."""
    what, declared, outcome = "answer", "contract", once.outcomes[0]
    if isinstance(outcome, Confirmed):
        return Finding(what, declared, "confirmed", Verdict.HELD)
    return Finding(what, declared, outcome_words(outcome), Verdict.NOT_SEEN, _mended_by(outcome))


def _mended_by(outcome: Declined | NotSent | Unknown) -> str:
    match outcome:
        case Declined(at_the_door=True):
            return "See that the credentials are the sandbox's, and the arguments such as it takes."
        case Declined():
            return "Give arguments that the sandbox takes."
        case NotSent():
            return "See that the sandbox runs and can be reached."
        case Unknown():
            return "Say in the service's contract what this answer proves."


def of_the_reference(declared: Declared, once: Rehearsal) -> Finding:
    """Say whether it is told which effect was done."""
    what = "reference"
    if declared.named is None:
        mend = 'Declare `reference="id"`: it tells one effect from another.'
        return Finding(what, "no", "nothing names what was done", Verdict.UNDECLARED, mend)
    twins = once.twins()
    if twins:
        seen = f"two rows that differ are named {twins[0]}"
        mend = "Declare what names one effect alone: a field, several fields or a function."
        return Finding(what, "yes", seen, Verdict.NOT_HELD, mend)
    # A doubt with what was shown is about evidence or owner.
    doubts = [one.judged.doubt for one in once.seen if one.judged.doubt and not one.judged.shown]
    if doubts:
        mend = (
            "Let `reference` name the same effect alike in the answer and in the row (a function "
            "brings both to one form): until then each comes to a person."
        )
        return Finding(what, "yes", doubts[0], Verdict.NOT_HELD, mend)
    if once.step.reference is None:
        return Finding(what, "yes", "nothing was shown that it could name", Verdict.NOT_SEEN)
    places = ["the answer"] if once.step.reference in once.answered else []
    places += ["the row"] if once.step.reference in once.rows else []
    seen = f"{' and '.join(places)} name{'s' if len(places) == 1 else ''} {once.step.reference}"
    return Finding(what, "yes", seen, Verdict.HELD)


def of_what_is_expected(what: str, wanted: Mapping[str, Any], once: Rehearsal) -> Finding:
    """Say whether what is shown is what was wanted: `evidence`, or `owner`."""
    if not wanted:
        return Finding(what, "no", "nothing is compared", Verdict.UNDECLARED, _NOTICED[what])
    said = ", ".join(wanted)
    shown: list[tuple[str, Result]] = []
    if isinstance(once.outcomes[0], Confirmed):
        shown.append(("answer", once.outcomes[0].result))
    name = once.named(shown[0][1]) if once.named is not None and shown else once.step.reference
    if name in once.rows or len(once.rows) == 1:
        shown.append(("row", once.rows.get(name or "", next(iter(once.rows.values())))))
    for place, result in shown:
        if wrong := differs(wanted, result):
            seen = f"the {place} shows {wrong}, and {dict(wanted)} was expected"
            mend = (
                "Compare what the service really shows, in its own form (cents, lower case): "
                "what differs comes to a person."
            )
            return Finding(what, said, seen, Verdict.NOT_HELD, mend)
    if not shown:
        return Finding(what, said, "nothing was shown", Verdict.NOT_SEEN)
    return Finding(
        what, said, f"shown in the {' and the '.join(p for p, _ in shown)}", Verdict.HELD
    )
