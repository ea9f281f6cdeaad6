"""Judge whether what was shown is what is promised."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evals.demo.sides import Side


@dataclass(frozen=True)
class Claim:
    """One thing that the demo says, and whether it is so."""

    said: str
    holds: bool


def judge(daybook: Side, loop: Side, charge: Sequence[Mapping[str, Any]]) -> list[Claim]:
    """Judge both sides.

    Args:
        charge: the entries of Daybook's ledger about the charge, in order.
    """
    ours, theirs = daybook.record, loop.record
    events = [entry["event"] for entry in charge]
    return [
        Claim(
            "Both were killed by SIGKILL when the card was charged, and finished when they were "
            "started again",
            daybook.killed.was_killed
            and loop.killed.was_killed
            and daybook.finished.code == loop.finished.code == 0,
        ),
        Claim(
            "Daybook charged once, ordered once, mailed once, and holds no stock",
            [one["effect"] for one in ours.effects] == ["reserve", "charge", "order", "mail"]
            and ours.holds_left == 0,
        ),
        Claim(
            "Its ledger held intent and attempt before the kill; afterwards the charge was looked "
            "up by its key, and not sent again",
            events == ["intended", "attempted", "found"]
            and charge[1]["at"] < daybook.killed.at < charge[2]["at"],
        ),
        Claim(
            "Its model was not asked in order to recover: only once more, for its last sentence",
            daybook.repeated == 0 and daybook.calls == daybook.calls_before + 1,
        ),
        Claim(
            "The loop ordered once too, and charged twice",
            theirs.count("charge") == 2 and theirs.count("order") == 1,
        ),
    ]
