"""Names of cells, as a person types them: one that is none is told as that, whatever is wrong."""

import pytest

from evals.crash.cells import Cell
from tests.strangers.cells import read
from tests.strangers.judge import Verdict


@pytest.mark.parametrize(
    "name",
    [
        "nonsense",
        "",
        "purchase.keyed.nonsense",
        "a.b.undisturbed",
        "purchase.keyed.killed:x",
        "purchase.keyed.performed:nonsense",
    ],
)
def test_what_names_no_cell_of_the_crash_matrix_is_said(name: str):
    with pytest.raises(ValueError, match="names no cell: SCRIPT"):
        Cell.read(name)


@pytest.mark.parametrize(
    "name",
    [
        "nonsense",
        "a.b.undisturbed",
        "slack.bought.nonsense",
        "slack.bought.killed:nonsense",
        "slack.bought.performed:nonsense",
        "slack.bought.fault:charge:nonsense",
    ],
)
def test_what_names_no_cell_of_the_strangers_is_said(name: str):
    with pytest.raises(ValueError, match="names no cell: SERVICE"):
        read(name)


def test_a_cell_is_read_by_the_name_that_it_has():
    for name in ("slack.bought.fault:charge:late", "slack.undone.performed:refund"):
        assert read(name).name == name
    for name in ("purchase.keyed.performed:charges", "cancelled.blind.late:orders"):
        assert Cell.read(name).name == name


def test_a_kill_that_never_came_shows_nothing():
    missed = [
        Verdict(read(name), 0, 0, 0, 0, (), kills=0).is_missed
        for name in ("slack.bought.killed:before_commit:nosuch#99", "slack.bought.undisturbed")
    ]
    assert missed == [True, False]
