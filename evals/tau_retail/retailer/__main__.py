import argparse
import sys
from pathlib import Path

from evals.tau_retail.retailer.server import Options, serve


def parse(arguments: list[str]) -> Options:
    """Read the command line; argparse ends the process when it makes no sense."""
    parser = argparse.ArgumentParser(
        prog="python -m evals.tau_retail.retailer", description="Run the retailer of tau-bench."
    )
    parser.add_argument("--data", type=Path, required=True, help="the folder with db.json")
    parser.add_argument("--db", type=Path, required=True, help="the SQLite file, created if new")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0, help="0 picks a free one")
    return Options(**vars(parser.parse_args(arguments)))


def main() -> int:
    """Run the retailer; return the exit code."""
    try:
        serve(parse(sys.argv[1:]))
    except (OSError, RuntimeError) as error:
        sys.stderr.write(f"The retailer cannot run: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
