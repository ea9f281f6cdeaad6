"""Metrics in the form of Prometheus: at /metrics of the server, and by `daybook metrics`.

Read from Postgres when they are asked for: every process tells the same of the whole database, so
scrape one of them.
"""

from __future__ import annotations

from datetime import timedelta

from prometheus_client import generate_latest
from prometheus_client.exposition import choose_encoder
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from daybook.app.operating.scraper import Scraper
from daybook.app.output import tell
from daybook.app.server.refusals import REFUSALS, denied, refusal
from daybook.app.server.sign_in import signed_in
from daybook.graph.database import open_database
from daybook.graph.serve import all_at_work
from daybook.graph.settings.environment import Settings
from daybook.state.errors import NotSignedIn

_scrapers: list[Scraper] = []


async def metrics(request: Request) -> Response:
    """Answer GET /metrics: to operators, and to this machine while no token was ever made."""
    try:
        person = await signed_in(request.scope)
        if person is not None and person.role != "operator":
            denied("metrics", person)
            return PlainTextResponse("Metrics are for operators. Nothing was read.", 403)
        registry = await _scraper().scrape()
    except REFUSALS as error:
        if isinstance(error, NotSignedIn):
            denied("metrics")
        return refusal(error)
    encode, content_type = choose_encoder(request.headers.get("accept", ""))
    return Response(encode(registry), media_type=content_type)


def _scraper() -> Scraper:
    """Return what measures the database that the server has open."""
    first = all_at_work()[0]().postgres
    if not _scrapers or _scrapers[-1].postgres is not first:
        _scrapers[:] = [Scraper(first)]
    return _scrapers[-1]


async def print_metrics(settings: Settings) -> None:
    """Measure once, check every chain, and print it: for a textfile collector."""
    async with open_database(settings) as postgres:
        registry = await Scraper(postgres, lag=timedelta(0)).scrape(most=None)
    tell(generate_latest(registry).decode().removesuffix("\n"))
