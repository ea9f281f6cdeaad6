"""Buying from merchants: the exports for langgraph.json."""

from __future__ import annotations

from daybook.graph.merchants.events import ROUTES, Polls
from daybook.graph.merchants.resources import (
    MERCHANT_VARIABLES,
    merchant_checks,
    merchants_from,
    open_resources,
    unread_by,
)
from daybook.graph.serve import served
from daybook.graph.settings.environment import settings_from
from daybook.tools.merchants.domain import MERCHANTS

_NONE = (
    "No merchant is set: this server was started without DAYBOOK_MERCHANTS. Nothing was done; set "
    "it to the URLs of merchants, separated by spaces, and restart the server."
)

graph, checkpointer = served(
    MERCHANTS,
    lambda: open_resources(settings_from(), merchants_from()),
    checks=merchant_checks,
    variables=MERCHANT_VARIABLES,
    routes=ROUTES,
    chore=Polls(),
    warns=lambda: unread_by(merchants_from()),
    if_closed=_NONE,
)
