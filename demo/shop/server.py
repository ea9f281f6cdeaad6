import asyncio
from dataclasses import dataclass
from pathlib import Path

from daybook.demo.listening import announce, bound, http_server, place, stopped_by_signals
from daybook.demo.shop.database import Database
from daybook.demo.shop.door.application import application
from daybook.demo.shop.door.connection import LineProtocol
from daybook.demo.shop.goods.products import searchable
from daybook.demo.shop.goods.search import Search
from daybook.demo.shop.mail.post_office import reception
from daybook.demo.shop.seeded import seed
from daybook.demo.shop.settings import initial
from daybook.demo.shop.ucp.later import finish
from daybook.demo.shop.ucp.told.teller import tell
from daybook.demo.shop.world import World


@dataclass(frozen=True)
class Options:
    """Say where the shop listens and where it keeps its file; port 0 picks a free one."""

    host: str
    port: int
    smtp_port: int
    db: Path
    ignore_keys: bool
    sells: list[str]


async def serve(options: Options) -> None:
    """Serve HTTP and SMTP until SIGTERM or SIGINT.

    One JSON line on stdout says where, once both listen. Raises OSError when a port is taken and
    RuntimeError when the file is another schema's.
    """
    stop = stopped_by_signals()
    database = Database(options.db)
    await database.open()
    try:
        settings = initial(options.ignore_keys, options.sells)
        await database.transact(lambda opened: seed.keep(opened, settings.sells))
        search = Search(await database.transact(searchable))
        await listen(options, World(database, search, settings, settings), stop)
    finally:
        await database.close()


async def listen(options: Options, world: World, stop: asyncio.Event) -> None:
    """Open both servers, say where they are and close them when `stop` is set."""
    loop = asyncio.get_running_loop()
    http_socket = bound(options.host, options.port)
    smtp_socket = bound(options.host, options.smtp_port)
    smtp = await loop.create_server(lambda: reception(world), sock=smtp_socket)
    http = http_server(application(world), http=LineProtocol)
    announce(
        shop_url=place("http", options.host, http_socket),
        smtp_url=place("smtp", options.host, smtp_socket),
    )
    serving = asyncio.create_task(http.serve(sockets=[http_socket]))
    stopping = asyncio.create_task(stop.wait())
    beside = {asyncio.create_task(tell(world)), asyncio.create_task(finish(world))}
    await asyncio.wait({serving, stopping}, return_when=asyncio.FIRST_COMPLETED)
    # Whoever waits in a fault is let go, without an effect, so that the servers can close.
    world.ended.set()
    for one in beside:
        one.cancel()
    await asyncio.wait(beside)
    smtp.close()
    http.should_exit = True
    await serving
