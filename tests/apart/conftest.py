"""Tests of true processes: commands, servers, browsers and notebooks. `make apart` runs them."""

from typing import Any

import pytest

from tests.apart.terminal import terminal  # noqa: F401
from tests.opened import provider, runners, runners_processes, standing_in, wire  # noqa: F401


def _of(name: str) -> Any:
    """Make the fixture of a person; the one without a name or a token is called nobody."""
    return pytest.fixture(lambda people: people[name], name=name or "nobody")


ada, ben, cleo, dora, otto, nobody = map(_of, ("ada", "ben", "cleo", "dora", "otto", ""))
