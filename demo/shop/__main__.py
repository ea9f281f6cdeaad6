import argparse
import asyncio
import logging
import sys
from pathlib import Path

from daybook.demo.shop.seeded.catalogue import PRODUCTS
from daybook.demo.shop.server import Options, serve


def parse(arguments: list[str]) -> Options:
    """Read the command line; argparse ends the process when it makes no sense."""
    parser = argparse.ArgumentParser(
        prog="python -m daybook.demo.shop", description="Run the demo shop."
    )
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8700, help="HTTP port, 0 picks a free one")
    parser.add_argument("--smtp-port", type=int, default=8725, help="0 picks a free one")
    parser.add_argument("--db", type=Path, required=True, help="the SQLite file, created if new")
    parser.add_argument("--ignore-keys", action="store_true", help="ignore Idempotency-Key")
    parser.add_argument(
        "--sells",
        action="append",
        default=[],
        choices=sorted({one.category for one in PRODUCTS}),
        help="this category alone; may be given more often",
    )
    return Options(**vars(parser.parse_args(arguments)))


def main() -> int:
    """Run the shop; return the exit code."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING)
    options = parse(sys.argv[1:])
    try:
        asyncio.run(serve(options))
    except (OSError, RuntimeError) as error:
        sys.stderr.write(f"The shop cannot run: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
