"""What came of sending again: under the same key, another one, other arguments, after a no."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from daybook.state.effects.outcome import Confirmed, Declined, NotSent, Outcome
from daybook.state.effects.rehearsal import Observed, Rehearsal
from daybook.tools.probed.finding import (
    Declared,
    Finding,
    Rehearsed,
    Verdict,
    lasting,
    outcome_words,
    untried,
)
from daybook.tools.services.classify import is_reused
from daybook.tools.services.contract import Compared

_COMPARED: Mapping[Compared, str] = {
    "unsaid": "no",
    "key": "by key",
    "key_and_body": "by key and body",
}


def of_again(declared: Declared, once: Rehearsal) -> Finding:
    """Say whether what was sent twice under one key was done once."""
    what, promised = "honours_key", declared.guarantees.honours_key
    said = "yes" if promised else "no"
    again = next((one for one in once.seen if one.moment == "again" and one.outcome), None)
    if again is None or again.outcome is None:
        return Finding(what, said, "it was not sent again", Verdict.NOT_SEEN)
    new = once.wanted(once.new("again", "late"))
    if more := [*new, *once.twins("again", "late")]:
        seen = f"sent twice, it did it twice: {once.step.reference} and {', '.join(more)}"
        if not promised:
            return Finding(what, said, seen, Verdict.UNDECLARED)
        mend = "Declare honours_key=False, or mend `key_header` or `key_field` of the contract."
        return Finding(what, said, seen, Verdict.NOT_HELD, mend)
    if not _is_one(declared, once, again):
        seen = f"the second request: {outcome_words(again.outcome)}"
        if isinstance(again.outcome, Confirmed):
            seen = "confirmed again; nothing says whether that is the same effect"
        return Finding(what, said, seen, Verdict.NOT_SEEN)
    seen = f"sent twice, it did it once: {once.step.reference}"
    if promised:
        return Finding(what, said, seen, Verdict.HELD)
    mend = "It could be declared, with how long keys are kept: honours_key=True, retention=..."
    return Finding(what, said, seen, Verdict.UNDECLARED, mend)


def of_harmless(declared: Declared, once: Rehearsal) -> list[Finding]:
    """Say whether what is sent twice comes to once, where that is what keeps it from harm."""
    if declared.guarantees.late_sender != "harmless":
        return []
    what, said = "late_sender", "harmless"
    again = next((one for one in once.seen if one.moment == "again" and one.outcome), None)
    if again is None:
        return [Finding(what, said, "it was not sent again", Verdict.NOT_SEEN)]
    new = once.wanted(once.new("again", "late"))
    if more := [*new, *once.twins("again", "late")]:
        seen = f"sent twice, it did it twice: {once.step.reference} and {', '.join(more)}"
        mend = 'Declare late_sender="accepted", or "killed" where a child process may send it.'
        return [Finding(what, said, seen, Verdict.NOT_HELD, mend)]
    if not _is_one(declared, once, again):
        seen = "nothing says whether what was sent twice was done once"
        return [Finding(what, said, seen, Verdict.NOT_SEEN)]
    seen = f"sent twice, it did it once: {once.step.reference}"
    return [Finding(what, said, seen, Verdict.HELD)]


def _is_one(declared: Declared, once: Rehearsal, again: Observed) -> bool:
    """Tell whether what was sent twice was seen to be one effect."""
    if once.step.reference is None or declared.named is None:
        return False
    if isinstance(again.outcome, NotSent) or getattr(again.outcome, "at_the_door", False):
        # It was turned away before anybody looked at its key.
        return False
    if isinstance(again.outcome, Confirmed):
        return declared.named(again.outcome.result) == once.step.reference
    return any(one.judged.is_shown for one in once.looks("late"))


def of_other(declared: Declared, tried: Rehearsed) -> Finding:
    """Say what comes of other arguments under a key that was used."""
    what, said = "other arguments", _COMPARED[declared.compares]
    other = tried.other
    if other is None:
        seen = untried(tried, "--other JSON, arguments that differ")
        return Finding(what, said, seen, Verdict.NOT_SEEN)
    outcome, bound = other.outcomes[0], tried.once.step.reference
    if bound is None:
        seen = f"{outcome_words(outcome)}; nothing says whether that is another effect"
        return Finding(what, said, seen, Verdict.NOT_SEEN)
    names = other.answered
    more = (names | {*other.wanted(other.new("once", "late"))}) - {bound, *other.held}
    if other.is_bound and other.step.reference is not None:
        more |= {other.step.reference} - {bound}
    if more:
        seen = f"under the same key it did another effect: {', '.join(sorted(more))}"
        if not declared.guarantees.honours_key:
            return Finding(what, said, seen, Verdict.UNDECLARED)
        mend = "Declare Guarantees(honours_key=False): the key does not keep it from a second one."
        return Finding(what, said, seen, Verdict.NOT_HELD, mend)
    compared: Compared = "unsaid"
    if bound is not None and bound in names:
        seen, compared = f"the first result came back, {bound}", "key"
    elif is_reused(outcome):
        seen, compared = "refused, as a key that was used", "key_and_body"
    elif isinstance(outcome, Declined):
        seen = f"refused: {outcome_words(outcome)}"
        mend = (
            f"If that says that the key was used: key_reused={{{outcome.code!r}}} in its contract."
        )
        return Finding(what, said, seen, Verdict.NOT_SEEN, mend)
    else:
        mend = "If that says that the key was used, put its code into `key_reused`."
        return Finding(what, said, outcome_words(outcome), Verdict.NOT_SEEN, mend)
    if declared.compares == "unsaid":
        mend = f'It could be said in the contract: compares="{compared}".'
        return Finding(what, said, seen, Verdict.UNDECLARED, mend)
    if declared.compares == compared:
        return Finding(what, said, seen, Verdict.HELD)
    return Finding(
        what, said, seen, Verdict.NOT_HELD, f'Say compares="{compared}" in the contract.'
    )


def of_another_key(declared: Declared, second: Rehearsal | None) -> list[Finding]:
    """Say whether the same arguments under another key make another effect."""
    what, said = "another key", "reference"
    if second is None or declared.named is None:
        return []
    outcome, reference = second.outcomes[0], second.step.reference
    if "reference" in second.broken:
        mend = (
            "It is not unique, or the service takes an equal request for a repeated one: a second, "
            "wanted effect would be in doubt. Declare what names one effect alone."
        )
        return [Finding(what, said, second.doubts[0], Verdict.NOT_HELD, mend)]
    if reference is None:
        return [Finding(what, said, outcome_words(outcome), Verdict.NOT_SEEN)]
    return [Finding(what, said, f"it is another effect: {reference}", Verdict.HELD)]


def of_failures(declared: Declared, whole: Rehearsed) -> Finding:
    """Say whether a no is kept under its key."""
    what, promised = "stores_failures", declared.guarantees.stores_failures
    said, tried = "yes" if promised else "no", whole.declined
    if tried is None:
        seen = untried(whole, "--declined JSON, arguments that the sandbox declines")
        return Finding(what, said, seen, Verdict.NOT_SEEN)
    first, *more = tried.outcomes
    if not isinstance(first, Declined):
        seen = f"the arguments of --declined: {outcome_words(first)}"
        return Finding(what, said, seen, Verdict.NOT_SEEN)
    if first.at_the_door:
        seen = f"turned away at the door ({first.code}), which stores nothing"
        mend = "Give --declined arguments that are valid, and declined all the same."
        return Finding(what, said, seen, Verdict.NOT_SEEN, mend)
    if tried.is_bound:
        seen = f"declined ({first.code}), and then done under the same key: {tried.step.reference}"
        if not promised:
            return Finding(what, said, seen, Verdict.UNDECLARED)
        mend = (
            "Declare Guarantees(stores_failures=False): a no is final only where it is kept under "
            "its key."
        )
        return Finding(what, said, seen, Verdict.NOT_HELD, mend)
    last = more[-1] if more else first
    again = isinstance(more[0], Declined) and more[0].code == first.code if more else False
    if not again or not (is_reused(last) or _is_same_no(first, last)):
        seen = f"declined ({first.code}), and then: {'; '.join(map(outcome_words, more))}"
        return Finding(what, said, seen, Verdict.NOT_SEEN)
    if is_reused(last):
        seen = (
            f"declined ({first.code}), again, and its key takes no other arguments: whether it is "
            "kept, or made anew each time, does not show"
        )
        return Finding(what, said, seen, Verdict.NOT_SEEN)
    seen = f"declined ({first.code}), again, and good arguments under its key too"
    if promised:
        return Finding(what, said, seen, Verdict.HELD)
    mend = "It could be declared: stores_failures=True makes a no final at once."
    return Finding(what, said, seen, Verdict.UNDECLARED, mend)


def _is_same_no(first: Declined, last: Outcome) -> bool:
    return isinstance(last, Declined) and last.code == first.code


def of_retention(retention: timedelta) -> Finding:
    """Say that nobody waited for a key to be forgotten."""
    seen = "keys would have to be waited out"
    return Finding("retention", lasting(retention.total_seconds()), seen, Verdict.NOT_SEEN)
