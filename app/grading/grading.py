"""Grade the steps of a thread: which are wrong, which are built on them, and the wasted tokens."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from daybook.app.grading.checks import BEFORE, CHECKS, sources_of
from daybook.app.grading.identifiers import Token, argument_tokens, text_of, tokens_of
from daybook.app.grading.trajectory import Outcome, Step, Trajectory
from daybook.app.grading.verdict import Check, Finding, Grade, Score, Verdict

_FOR_NOTHING: Mapping[Outcome, str] = {
    "refused": "It was refused.",
    "asked": "A question to the user came first.",
    "failed": "It failed.",
    "undone": "It was undone.",
    "void": "It was never sent.",
    "in_doubt": "Whether it happened is in doubt.",
    "open": "It is not finished.",
    "erased": "Its data was erased: it cannot be judged.",
}


def grade(trajectory: Trajectory) -> Grade:
    """Return one verdict for each step."""
    verdicts: dict[str, Verdict] = {}
    judged = trajectory.judged
    for step in judged:
        found = () if step.outcome == "erased" else findings(trajectory, step, CHECKS)
        bad = [key for key, verdict in verdicts.items() if _is_bad(verdict)]
        tainted = tainted_by(trajectory, step, bad)
        verdicts[step.key] = _verdict(step, found, tainted)
        if step.parent and tainted:
            # A plan is tainted by what its effects are built on.
            whole = verdicts[step.parent]
            all_of_it = tuple(dict.fromkeys((*whole.tainted_by, *tainted)))
            mine = tuple(key for key in all_of_it if not key.startswith(f"{step.parent}:"))
            verdicts[step.parent] = _verdict(
                trajectory.step(step.parent), whole.findings, mine or whole.tainted_by
            )
    wrong = [key for key, verdict in verdicts.items() if verdict.score == -1]
    return Grade(
        thread_id=trajectory.thread_id,
        steps=tuple(judged),
        verdicts=tuple(verdicts.values()),
        root_cause=wrong[0] if wrong else None,
        wasted_tokens=_wasted(trajectory, verdicts),
        tokens=sum(decision.tokens for decision in trajectory.decisions),
        notes=(*trajectory.notes, *_unfinished(verdicts)),
    )


def grade_proposal(trajectory: Trajectory, decided: int) -> tuple[Verdict, ...]:
    """Return a verdict for each call of a decision that is only proposed.

    Checks that need the outcome of a call or what came later are left out.

    Args:
        trajectory: the thread up to that decision.
        decided: its ledger entry.
    """
    calls = [one for one in trajectory.steps if one.decided == decided]
    past = [one for one in trajectory.steps if one.decided < decided]
    verdicts = grade(replace(trajectory, steps=tuple(past))).verdicts
    bad = [verdict.step for verdict in verdicts if _is_bad(verdict)]
    return tuple(
        _verdict(
            step,
            findings(trajectory, step, BEFORE),
            tainted_by(trajectory, step, bad),
            is_proposed=True,
        )
        for step in calls
    )


def findings(trajectory: Trajectory, step: Step, checks: Iterable[Check]) -> tuple[Finding, ...]:
    """Return what some checks find in a step, in their order."""
    found = (CHECKS[check](trajectory, step) for check in checks)
    return tuple(one for one in found if one is not None)


def tainted_by(trajectory: Trajectory, step: Step, bad: Collection[str]) -> tuple[str, ...]:
    """Return the keys of the bad steps that a step is built on, in order.

    It is built on one where an identifier, amount or handle in its arguments, or a binding, comes
    from that step alone: from its result, or from the arguments of a change. What the user said,
    what the prompt showed before the bad step, and what a good step returned, does not.

    Args:
        bad: keys of wrong and tainted steps.
    """
    past = [one for one in trajectory.before(step) if one.key in bad]
    if not past:
        return ()
    free = [
        source.tokens
        for source in sources_of(trajectory, step)
        if source.is_message or (source.step and source.step not in bad)
    ]
    tokens = [
        one for one in argument_tokens(step.args) if not any(src.contains(one) for src in free)
    ]
    bound = {f"{step.parent}:{name}" for names in step.binds.values() for name in names}
    return tuple(
        one.key
        for one in past
        if one.key in bound or any(_provides(trajectory, one, token) for token in tokens)
    )


def _provides(trajectory: Trajectory, bad: Step, token: Token) -> bool:
    """Tell whether a token was unknown before a bad step and is in its result or change."""
    if bad.outcome in ("refused", "asked", "void") or tokens_of(bad.shown).contains(token):
        return False
    given = text_of(dict(bad.args)) if bad.acts else ""
    return tokens_of(f"{trajectory.texts[bad.key]} {given}").contains(token)


def _is_bad(verdict: Verdict) -> bool:
    return verdict.score == -1 or verdict.is_tainted


def _verdict(
    step: Step, found: Sequence[Finding], tainted: tuple[str, ...], is_proposed: bool = False
) -> Verdict:
    score: Score = 1
    why = ""
    wrong = [finding for finding in found if finding.is_wrong]
    if wrong:
        score, why = -1, wrong[0].why
    elif tainted:
        score, why = 0, f"It is built on {', '.join(tainted)}."
    elif found:
        score, why = 0, found[0].why
    elif step.outcome in _FOR_NOTHING and not is_proposed:
        score, why = 0, _FOR_NOTHING[step.outcome]
    return Verdict(step.key, score, tuple(found), tainted, why)


def _unfinished(verdicts: Mapping[str, Verdict]) -> list[str]:
    """Return a note on the steps that are graded before they are finished."""
    early = (_FOR_NOTHING["open"], _FOR_NOTHING["in_doubt"])
    count = sum(verdict.why in early for verdict in verdicts.values())
    note = f"Steps not finished: {count}. Until then they count as for nothing."
    return [note] if count else []


def _wasted(trajectory: Trajectory, verdicts: Mapping[str, Verdict]) -> int:
    """Return the tokens of the decisions whose steps are all wrong or tainted."""
    calls: dict[int, list[Verdict]] = {}
    for step in trajectory.judged:
        if not step.parent:
            calls.setdefault(step.decided, []).append(verdicts[step.key])
    return sum(
        decision.tokens
        for decision in trajectory.decisions
        if (of_it := calls.get(decision.seq)) and all(map(_is_bad, of_it))
    )
