"""Tests of true processes: commands, servers, browsers and notebooks. `make apart` runs them."""

import pytest

from tests.apart.callers import Caller
from tests.apart.terminal import terminal  # noqa: F401
from tests.opened import provider, runners, runners_processes, standing_in, wire  # noqa: F401


@pytest.fixture
def ada(people: dict[str, Caller]) -> Caller:
    return people["ada"]


@pytest.fixture
def ben(people: dict[str, Caller]) -> Caller:
    return people["ben"]


@pytest.fixture
def cleo(people: dict[str, Caller]) -> Caller:
    return people["cleo"]


@pytest.fixture
def dora(people: dict[str, Caller]) -> Caller:
    return people["dora"]


@pytest.fixture
def otto(people: dict[str, Caller]) -> Caller:
    return people["otto"]


@pytest.fixture
def nobody(people: dict[str, Caller]) -> Caller:
    """Yield somebody without a name or a token."""
    return people[""]
