"""All errors of Daybook: `daybook.state.errors`, by a shorter name."""

from daybook.state.errors import *  # noqa: F403
