"""Run the command line: as `daybook`, or as `python -m daybook`."""

from __future__ import annotations

import sys

from daybook.state.errors import NotInstalled
from daybook.state.extras import from_extra


def main() -> None:
    """Run the command line, or say what it needs."""
    try:
        with from_extra():
            from daybook.app import cli
    except NotInstalled as missing:
        sys.exit(str(missing))
    cli.main()


if __name__ == "__main__":
    main()
