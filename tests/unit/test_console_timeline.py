"""The ledger of a plan as rows: crash, retry, probe and compensation are told apart."""

import pytest

from daybook.app.console.timeline import Timeline, timeline_of
from daybook.state.ledger.recovery import Event
from evals.protocol.parts import CHARGE, MAIL, ORDER, RESERVE
from tests.unit.paper import Paper, approved


def told(paper: Paper) -> Timeline:
    return timeline_of(paper.plan, paper.entries, paper.now)


def marks(found: Timeline, name: str) -> str:
    """Return what the rows of a step show, in order."""
    (rows,) = [one.rows for one in found.steps if one.step.name == name]
    return " ".join(row.mark for row in rows)


def answered(paper: Paper) -> None:
    paper.done("order")


def found_after_a_crash(paper: Paper) -> None:
    paper.claimed("order")
    paper.later(1)
    paper.looked("order", Event.FOUND, result={"id": 1})


def crashed_and_sent_again(paper: Paper) -> None:
    paper.claimed("order")
    paper.later(1)
    paper.done("order")


def without_an_answer(paper: Paper) -> None:
    paper.attempted("order", Event.UNANSWERED)
    paper.looked("order", Event.ABSENT)
    paper.done("order")


def in_doubt(paper: Paper) -> None:
    paper.attempted("order", Event.UNANSWERED)
    paper.write(Event.IN_DOUBT, paper.step("order"))
    said = {"result": {"reference": ""}}
    paper.write(Event.HAPPENED, paper.step("order"), author="cleo", role="clerk", payload=said)


@pytest.mark.parametrize(
    ("happens", "shown", "counts"),
    [
        (answered, "sent done", {}),
        (found_after_a_crash, "sent crash probe", {"crash": 1, "probe": 1}),
        (crashed_and_sent_again, "sent crash sent done", {"crash": 1, "retry": 1}),
        (without_an_answer, "sent silent absent sent done", {"retry": 1, "probe": 1}),
        (in_doubt, "sent silent doubt person", {"in doubt": 1}),
    ],
)
def test_crash_retry_probe_and_doubt_are_told_apart(happens, shown: str, counts: dict[str, int]):
    paper = approved(ORDER)
    happens(paper)
    found = told(paper)
    assert marks(found, "order") == f"intended {shown}"
    assert found.counts == counts


def test_a_decline_closes_the_action_and_what_was_done_is_undone():
    paper = approved(RESERVE, CHARGE, ORDER, MAIL)
    paper.done("reserve")
    paper.attempted("charge", Event.DECLINED)
    paper.follow()
    paper.undone("reserve")
    paper.write(Event.ENDED)
    found = told(paper)
    assert [one.state for one in found.outcomes] == ["void"]
    assert found.counts == {"compensation": 1}
    assert marks(found, "reserve") == "intended sent done undo undone"
    assert marks(found, "charge") == "intended sent refused refused"
    assert marks(found, "mail") == "intended void"
