"""Judge the steps of a thread: what is wrong, what is built on it, and what it wasted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from daybook.app.grading.checks import BEFORE, CHECKS, OF_ANSWERS
from daybook.app.grading.steps.trajectory import Outcome, Step, Trajectory
from daybook.app.grading.taint import tainted_by
from daybook.app.grading.verdict import Check, Finding, Grade, Score, Verdict

_FOR_NOTHING: Mapping[Outcome, str] = {
    "refused": "It was refused.",
    "asked": "A question came first.",
    "failed": "It failed.",
    "undone": "It was undone.",
    "void": "It was never sent.",
    "in_doubt": "Whether it happened is in doubt.",
    "open": "It is not over.",
    "erased": "What it was is erased: it cannot be judged.",
}


def grade(trajectory: Trajectory) -> Grade:
    """Give one verdict for each step."""
    verdicts: dict[str, Verdict] = {}
    judged = trajectory.judged
    for step in judged:
        found = () if step.outcome == "erased" else findings(trajectory, step, CHECKS)
        bad = [key for key, verdict in verdicts.items() if _is_bad(verdict)]
        tainted = tainted_by(trajectory, step, bad)
        verdicts[step.key] = _verdict(step, found, tainted)
        if step.parent and tainted:
            # What a plan does is what it is.
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
        notes=(*trajectory.notes, *_unfinished(trajectory, verdicts)),
    )


def grade_proposal(trajectory: Trajectory, step: Step) -> Verdict:
    """Judge a call that is only proposed, by what was known before it.

    Checks that need its outcome or what came later are left out.

    Args:
        trajectory: what happened before the call (`Trajectory.until`).
        step: the call: tool, arguments, and what its prompt showed.
    """
    past = grade(trajectory)
    bad = [verdict.step for verdict in past.verdicts if _is_bad(verdict)]
    whole = trajectory.with_steps(*trajectory.steps, step)
    found = findings(whole, step, BEFORE)
    return _verdict(step, found, tainted_by(whole, step, bad), is_proposed=True)


def findings(trajectory: Trajectory, step: Step, checks: Iterable[Check]) -> tuple[Finding, ...]:
    """Return what some checks find wrong with a step, in their order."""
    if step.kind == "answer":
        checks = OF_ANSWERS
    found = (CHECKS[check](trajectory, step) for check in checks)
    return tuple(one for one in found if one is not None)


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


def _unfinished(trajectory: Trajectory, verdicts: Mapping[str, Verdict]) -> list[str]:
    """Say how many steps are judged before they are over."""
    early = [_FOR_NOTHING["open"], _FOR_NOTHING["in_doubt"]]
    count = sum(verdicts[step.key].why in early for step in trajectory.steps)
    if not count:
        return []
    steps, s = ("1 step is", "s") if count == 1 else (f"{count} steps are", "")
    return [
        f"{steps} not over, and count{s} as for nothing until then: grade the thread again when it "
        "has ended."
    ]


def _wasted(trajectory: Trajectory, verdicts: Mapping[str, Verdict]) -> int:
    """Count the tokens of prompts on which nothing was decided but what is wrong or tainted."""
    calls: dict[int, list[Verdict]] = {}
    for step in trajectory.judged:
        if not step.parent:
            calls.setdefault(step.decided, []).append(verdicts[step.key])
    return sum(
        decision.tokens
        for decision in trajectory.decisions
        if (of_it := calls.get(decision.seq)) and all(map(_is_bad, of_it))
    )
