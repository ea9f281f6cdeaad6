"""Tests of true processes: commands, servers, browsers and notebooks. `make apart` runs them."""

from tests.apart.terminal import terminal  # noqa: F401
from tests.opened import provider, runners, runners_processes, standing_in, wire  # noqa: F401
