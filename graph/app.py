"""The demo shop: what langgraph.json exports, and what commands serve where no domain is named.

The server loads this module once, by its dotted name.
"""

from __future__ import annotations

from graph.resources import open_resources
from graph.serve import served
from graph.settings import SHOP_VARIABLES, settings_from
from graph.shop_checks import shop_checks
from tools.shop.domain import SHOP

graph, checkpointer = served(
    SHOP,
    lambda: open_resources(settings_from()),
    checks=shop_checks,
    variables=SHOP_VARIABLES,
)
