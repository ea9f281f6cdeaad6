import argparse
import asyncio
import logging
import sys

from daybook.demo.model.server import serve


def main() -> int:
    """Run the stand-in; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m daybook.demo.model", description="Run the stand-in."
    )
    parser.add_argument("--port", type=int, default=8750, help="HTTP port, 0 picks a free one")
    port: int = parser.parse_args().port
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING)
    try:
        asyncio.run(serve(port))
    except OSError as error:
        sys.stderr.write(f"The stand-in cannot run: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
