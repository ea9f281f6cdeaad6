"""What langgraph.json exports: the shop's graph and its checkpointer.

The server loads this module once, by its dotted name.
"""

from __future__ import annotations

from graph.resources import open_resources
from graph.serve import served
from graph.settings import settings_from
from tools.shop.domain import SHOP

graph, checkpointer = served(SHOP, lambda: open_resources(settings_from()))
