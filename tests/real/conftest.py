"""Tests on real time: processes that are killed or suspended, and deadlines that the kernel keeps.

Budgets are generous here, and what is asserted is an order or a count.
"""

from tests.opened import provider, runners, runners_parent, standing_in, wire  # noqa: F401
