"""What the tools reach: the merchants by their names, and the wallet."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from daybook.state.errors import ToolRefused
from daybook.tools.merchants.merchant import Merchant
from daybook.tools.merchants.wallet import Wallet


@dataclass(frozen=True)
class MerchantServices:
    """The clients of the domain."""

    merchants: Sequence[Merchant]
    wallet: Wallet

    def merchant(self, name: str) -> Merchant:
        """Return a merchant by its name.

        Raises:
            ToolRefused: there is no such merchant.
        """
        for one in self.merchants:
            if one.name == name:
                return one
        raise ToolRefused(f"There is no merchant {name}. There is: {', '.join(self.names)}.")

    @property
    def names(self) -> list[str]:
        """Return the names of the merchants."""
        return [one.name for one in self.merchants]

    async def close(self) -> None:
        """Close the connections."""
        await asyncio.gather(*(one.close() for one in self.merchants))
