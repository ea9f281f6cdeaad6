"""All errors of Daybook, re-exported from `daybook.state.errors`."""

from daybook.state.errors import *  # noqa: F403
