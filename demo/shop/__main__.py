import argparse
import asyncio
import sys
from pathlib import Path

from daybook.demo.listening import announce, bound, http_server, run, serving, url_of
from daybook.demo.shop import database
from daybook.demo.shop.catalogue import CATEGORY_NAMES
from daybook.demo.shop.connection import LineProtocol
from daybook.demo.shop.database import Database
from daybook.demo.shop.goods import searchable
from daybook.demo.shop.mail import reception
from daybook.demo.shop.routes import application
from daybook.demo.shop.search import Search
from daybook.demo.shop.settings import initial
from daybook.demo.shop.ucp.events import Teller
from daybook.demo.shop.world import World


def parse(arguments: list[str]) -> argparse.Namespace:
    """Read the command line; argparse ends the process when it makes no sense."""
    parser = argparse.ArgumentParser(
        prog="python -m daybook.demo.shop", description="Run the demo shop."
    )
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8700, help="HTTP port, 0 picks a free one")
    parser.add_argument("--smtp-port", type=int, default=8725, help="0 picks a free one")
    parser.add_argument("--db", type=Path, required=True, help="the SQLite file, created if new")
    parser.add_argument("--ignore-keys", action="store_true", help="ignore Idempotency-Key")
    parser.add_argument("--any-agent", action="store_true", help="do not check agents' profiles")
    parser.add_argument(
        "--sells",
        action="append",
        default=[],
        choices=sorted(CATEGORY_NAMES),
        help="this category alone; may be given more often",
    )
    return parser.parse_args(arguments)


async def serve(options: argparse.Namespace) -> None:
    """Serve HTTP and SMTP until SIGTERM or SIGINT.

    One JSON line on stdout says where, once both listen. Raises OSError when a port is taken and
    RuntimeError when the file is another schema's.
    """
    file = Database(options.db)
    await file.open()
    try:
        settings = initial(options.ignore_keys, options.sells, options.any_agent)
        await file.transact(lambda opened: database.keep(opened, settings.sells))
        search = Search(await file.transact(searchable))
        world = World(file, search, settings, settings)
        await listen(options.host, options.port, options.smtp_port, world)
    finally:
        await file.close()


async def listen(host: str, port: int, smtp_port: int, world: World) -> None:
    """Open both servers, say where they are, and close them at the end."""
    loop = asyncio.get_running_loop()
    http_socket, smtp_socket = bound(host, port), bound(host, smtp_port)
    smtp = await loop.create_server(lambda: reception(world), sock=smtp_socket)
    http = http_server(application(world), http=LineProtocol)
    async with serving(http, http_socket) as stopped:
        announce(
            shop_url=url_of("http", host, http_socket), smtp_url=url_of("smtp", host, smtp_socket)
        )
        telling = asyncio.create_task(Teller(world).run())
        await stopped()
        # Whoever waits in a fault is let go, without an effect, so that the servers can close.
        world.ended.set()
        telling.cancel()
        await asyncio.wait({telling})
        smtp.close()


if __name__ == "__main__":
    sys.exit(run("shop", serve(parse(sys.argv[1:]))))
