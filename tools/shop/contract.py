"""What the demo shop's answers prove; its README lists them."""

from __future__ import annotations

from typing import Final

from daybook.tools.services.contract import Contract

SHOP_CONTRACT: Final = Contract(
    name="the shop",
    declined={402, 404, 409},
    turned_away={400, 405, 413, 422, "not_found"},
    not_done={"unavailable"},
    key_reused={"key_reused"},
    compares="key_and_body",
    code=(("error",),),
    message=(("message",),),
)
"""Its noes (402, 404, 409) are what it stores under a key where an endpoint stores failures. What
is malformed, or of no known path, is turned away before keys are looked at. It says `unavailable`
before anything is done. How an endpoint treats keys, the shop tells at run time
(`daybook.tools.shop.services`)."""
