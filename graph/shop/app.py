"""The demo shop: the exports for langgraph.json, and the default domain of commands.

The server loads this module once, by its dotted name.
"""

from __future__ import annotations

from daybook.graph.serve import served
from daybook.graph.settings.environment import SHOP_VARIABLES, settings_from
from daybook.graph.shop.resources import open_resources, shop_checks
from daybook.state.merchants.state import MerchantsState
from daybook.tools.checks.state import held_types
from daybook.tools.shop.domain import SHOP

graph, checkpointer = served(
    SHOP,
    # Where both graphs of langgraph.json are served, this one's checkpointer keeps both.
    lambda: open_resources(settings_from(), beside=held_types(MerchantsState)),
    checks=shop_checks,
    variables=SHOP_VARIABLES,
)
