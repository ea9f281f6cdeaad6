"""Tests of true processes: commands, servers, browsers and notebooks. `make apart` runs them."""

from tests.opened import provider, runners, runners_processes, standing_in, wire  # noqa: F401
