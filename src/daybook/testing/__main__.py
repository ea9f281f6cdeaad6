"""Run a crash matrix from the command line; exit with 1 if a cell was not as promised."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from daybook.state.errors import DaybookError
from daybook.testing.matrix import Options, crash_matrix
from daybook.testing.provider_process import load


def main() -> int:
    """Kill an effect at every moment there is, before providers that misbehave."""
    parser = argparse.ArgumentParser(prog="python -m daybook.testing", description=main.__doc__)
    parser.epilog = (
        "It needs a Postgres: --database, or the embedded one, which comes with "
        "pip install 'daybook-agent[embedded]'"
    )
    parser.add_argument("subject", help="the effect, as module:name")
    parser.add_argument("given", type=json.loads, help="its arguments, as JSON")
    parser.add_argument(
        "--environment", default="PROVIDER_URL", help="variable with the provider's address"
    )
    parser.add_argument("--behaviour", action="append", help="only these providers")
    parser.add_argument("--database", help="URL of a server where databases can be created")
    parser.add_argument("--junit", type=Path, help="write a JUnit file")
    told = parser.parse_args()
    options: Options = {"environment": told.environment}
    if told.behaviour:
        options["behaviours"] = told.behaviour
    if told.database:
        options["database_url"] = told.database
    try:
        report = crash_matrix(load(told.subject), told.given, **options)
    except DaybookError as error:
        sys.exit(str(error))
    report.show()
    if told.junit:
        report.junit(told.junit)
    return int(not report.ok)


if __name__ == "__main__":
    sys.exit(main())
