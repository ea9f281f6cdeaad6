"""Names of cells, as a person types them: one that is none is told as that, whatever is wrong."""

import pytest

from daybook.testing.judge import Verdict
from evals.crash.cells import Cell
from tests.strangers.matrix import parse

OF_CRASHES = [
    *("purchase.keyed.undisturbed", "purchase.keyed.performed:charges", "purchase.blind.waiting"),
    *("purchase.keyed.instant:17", "purchase.keyed.time-out:mail", "purchase.blind.late:holds"),
    "undone.blind.killed:before_commit:undo_attempted/charge_payment#2",
    "purchase.blind.twice:charges+before_look:charge_payment#1",
    *("cancelled.keyed.cancelled-after:place_order", "purchase.blind.outage:postgres+shop#3"),
]
OF_STRANGERS = ["slack.bought.fault:charge:late", "slack.undone.performed:refund"]


@pytest.mark.parametrize("name", [*OF_CRASHES, *OF_STRANGERS])
def test_a_cell_is_found_again_by_its_name(name: str):
    assert (parse if name in OF_STRANGERS else Cell.parse)(name).name == name


@pytest.mark.parametrize(
    "name",
    [
        *("nonsense", "", "purchase.keyed.nonsense", "a.b.undisturbed", "purchase.keyed.killed:x"),
        *("purchase.keyed.performed:nonsense", "purchase.both.waiting", "sale.keyed.waiting"),
        *("purchase.keyed.twice:charges", "purchase.keyed.instant:x", "purchase.keyed.outage:x#1"),
        *("slack.bought.nonsense", "slack.bought.killed:nonsense"),
        *("slack.bought.performed:nonsense", "slack.bought.fault:charge:nonsense"),
    ],
)
def test_what_names_no_cell_of_the_crash_matrix_or_of_the_strangers_is_said(name: str):
    with pytest.raises(ValueError, match="names no cell: SCRIPT"):
        Cell.parse(name)
    with pytest.raises(ValueError, match="names no cell: PROVIDER"):
        parse(name)


def test_a_kill_that_never_came_shows_nothing():
    missed = [
        Verdict(parse(name)).is_missed
        for name in ("slack.bought.killed:before_commit:nosuch#99", "slack.bought.undisturbed")
    ]
    assert missed == [True, False]
