"""The error tree: drawn once at the top of its file, and true."""

import inspect
import re

import pytest

from daybook.state import errors
from daybook.state.errors import ChoiceNeeded, DaybookError

ERRORS = [
    kind
    for _, kind in inspect.getmembers(errors, inspect.isclass)
    if kind.__module__ == "daybook.state.errors"
]


def drawn() -> list[tuple[str, str]]:
    """Read the tree: each error with the one that it stands below."""
    above: list[tuple[int, str]] = []
    pairs = []
    for row in (errors.__doc__ or "").splitlines():
        found = re.match(r"([│├└─ ]*)([A-Z]\w+)", row)
        if found is None or "." in row.split()[0]:
            continue
        depth, name = len(found[1]), found[2]
        above = [(d, n) for d, n in above if d < depth]
        if above:
            pairs.append((name, above[-1][1]))
        if above or name == "DaybookError":
            above.append((depth, name))
    return pairs


def test_every_error_stands_in_the_tree_below_its_base():
    real = [
        (kind.__name__, kind.__bases__[0].__name__) for kind in ERRORS if kind is not DaybookError
    ]
    assert sorted(drawn()) == sorted(real)


@pytest.mark.parametrize("kind", ERRORS)
def test_every_error_is_one_of_ours(kind: type[Exception]):
    assert issubclass(kind, DaybookError)


def test_a_choice_names_what_is_needed_and_keeps_what_there_is():
    needed = ChoiceNeeded({"card_id": ["c1 visa", "c2 visa"], "address_id": ["a1 home"]})
    assert str(needed) == "needs card_id; needs address_id"
    assert needed.choices == {"card_id": ("c1 visa", "c2 visa"), "address_id": ("a1 home",)}
