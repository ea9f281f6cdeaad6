"""Print what became of the turns: of each half, and of each subject."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table

from evals.talk.judging import Judged, Verdict

LEAST = 0.9
"""The share of turns that are right, or answered by a sensible question."""

LOST = 0.01
"""The share of answers of which the check of words may take out something, though they are so."""


def show(name: str, turns: Sequence[Judged], console: Console) -> bool:
    """Print one half's shares; return whether they are enough and nothing was changed wrongly."""
    table = Table(title=name, box=box.SIMPLE, title_justify="left")
    table.add_column("subject")
    for column in ("turns", *(verdict.value for verdict in Verdict), "wrong effects"):
        table.add_column(column, justify="right")
    subjects: dict[str, list[Judged]] = {}
    for one in turns:
        subjects.setdefault(one.subject, []).append(one)
    for subject, some in subjects.items():
        table.add_row(subject, *_cells(some))
    if len(subjects) > 1:
        table.add_section()
        table.add_row("all", *_cells(turns))
    console.print(table)
    share = _share(turns, Verdict.RIGHT) + _share(turns, Verdict.ASKED)
    wrong = sum(one.wrong_effect for one in turns)
    console.print(
        f"{share:.1%} of {len(turns)} turns right or asked about sensibly (at least {LEAST:.0%}); "
        f"{wrong} wrong effects on the cart (none is allowed)."
    )
    lost = sum(bool(one.happened.lost) for one in turns)
    console.print(
        f"{lost} of {len(turns)} answers, which are so, lost something to the check of words "
        f"(at most {LOST:.0%})."
    )
    return share >= LEAST and not wrong and lost <= LOST * len(turns)


def show_failing(turns: Sequence[Judged], console: Console) -> None:
    """Print what went wrong, turn by turn."""
    for one in turns:
        if one.verdict in (Verdict.RIGHT, Verdict.ASKED) and not one.wrong_effect:
            continue
        mark = " WRONG EFFECT" if one.wrong_effect else ""
        console.print(
            f"\n[{one.scene.scene}, turn {one.number + 1}] {one.verdict}{mark}: {one.why}\n"
            f"  said: {one.said}\n  calls: {', '.join(one.happened.calls) or 'none'}",
            markup=False,
        )
        answer = one.happened.answer.replace("\n", "\n    ")
        console.print(f"    {answer[:700]}", markup=False, soft_wrap=True)


def _cells(turns: Sequence[Judged]) -> list[str]:
    counts = [sum(one.verdict is verdict for one in turns) for verdict in Verdict]
    shares = [f"{count} ({count / len(turns):.0%})" for count in counts]
    return [str(len(turns)), *shares, str(sum(one.wrong_effect for one in turns))]


def _share(turns: Sequence[Judged], verdict: Verdict) -> float:
    return sum(one.verdict is verdict for one in turns) / max(1, len(turns))
