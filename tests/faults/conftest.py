"""Tests of what fails and is taken up again, in one process, with everything real but time."""

from tests.in_virtual_time import no_news, pytest_asyncio_loop_factories  # noqa: F401
from tests.opened import provider, standing_in, wire  # noqa: F401
