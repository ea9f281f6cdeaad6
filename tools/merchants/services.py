"""The services of the tools: the merchants by name, the wallet, and their guarantees."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from daybook.state.effects.guarantees import Guarantees
from daybook.state.errors import ToolRefused
from daybook.tools.merchants.merchant import Merchant
from daybook.tools.merchants.wallet import Wallet

KEPT = timedelta(hours=24)
"""The minimum time for which the protocol makes a merchant keep keys."""

LATE = timedelta(seconds=30)
"""The default time after a lost answer in which a merchant may still carry out a Complete."""


Told = Callable[[str, str], Awaitable[Mapping[str, Any] | None]]
"""Returns what a merchant told of the order that came of a checkout: merchant, checkout_id."""


async def _nothing_told(merchant: str, checkout_id: str) -> None:
    return None


@dataclass(frozen=True)
class MerchantServices:
    """The clients of the domain.

    Attributes:
        late: how late after a lost answer a merchant may still carry out what was asked of it.
        told: what merchants told by themselves, of events that were verified.
    """

    merchants: Sequence[Merchant]
    wallet: Wallet
    late: timedelta = LATE
    told: Told = _nothing_told

    def merchant(self, name: str) -> Merchant:
        """Return a merchant by its name.

        Raises:
            ToolRefused: there is no such merchant.
        """
        for one in self.merchants:
            if one.name == name:
                return one
        there = ", ".join(self.names) or "none: set DAYBOOK_MERCHANTS"
        raise ToolRefused(f"Unknown merchant {name}. The merchants are: {there}.", code="not_found")

    @property
    def names(self) -> list[str]:
        """Return the names of the merchants."""
        return [one.name for one in self.merchants]

    @property
    def guarantees(self) -> dict[str, Guarantees]:
        """Return what merchants promise of each kind of effect.

        Of sessions the key is believed: what is done twice there holds goods for a while and runs
        out by itself, and a merchant that does so keeps nobody from the others. Of orders it is
        not: there are merchants that take the payment before they keep the key. So a Complete is
        looked up first, and the same bytes are sent again under the same key only where a look
        after `late` shows that nothing came of it.
        """
        return {
            "sessions": Guarantees(
                honours_key=True, keys_hoped=True, retention=KEPT, settle=self.late
            ),
            "orders": Guarantees(settle=self.late),
        }

    async def close(self) -> None:
        """Close the connections."""
        await asyncio.gather(*(one.close() for one in self.merchants))
