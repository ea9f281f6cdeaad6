"""The errors: all of one root."""

import inspect

import pytest

from daybook.state import errors
from daybook.state.errors import ChoiceNeeded, DaybookError

ERRORS = [
    kind
    for _, kind in inspect.getmembers(errors, inspect.isclass)
    if kind.__module__ == "daybook.state.errors"
]


@pytest.mark.parametrize("kind", ERRORS)
def test_every_error_is_one_of_ours(kind: type[Exception]):
    assert issubclass(kind, DaybookError)


def test_a_choice_names_what_is_needed_and_keeps_what_there_is():
    needed = ChoiceNeeded({"card_id": ["c1 visa", "c2 visa"], "address_id": ["a1 home"]})
    assert str(needed) == "needs card_id; needs address_id"
    assert needed.choices == {"card_id": ("c1 visa", "c2 visa"), "address_id": ("a1 home",)}
