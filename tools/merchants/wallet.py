"""The wallet of instruments and addresses: the only place with secrets that are never stored.

The model, the ledger, traces and logs are given ids and labels. What is behind them leaves the
wallet at the moment of sending, and goes into that one request.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from daybook.state.errors import ConfigurationError, ToolRefused


class Instrument(BaseModel):
    """Something to pay with, as far as it may be shown.

    Attributes:
        handler_id: of the payment handler that knows it.
        label: for a person, such as "Visa ending in 4242".
    """

    model_config = ConfigDict(frozen=True)

    id: str = Field(min_length=1, max_length=100)
    handler_id: str = Field(min_length=1, max_length=200)
    type: str = Field(min_length=1, max_length=100)
    label: str = Field(max_length=100)


class Address(BaseModel):
    """A place to deliver to, as far as it may be shown."""

    model_config = ConfigDict(frozen=True)

    id: str = Field(min_length=1, max_length=100)
    label: str = Field(max_length=100)


class Wallet(Protocol):
    """What pays, and where it is delivered to. Bring one of your own for real money."""

    async def instruments(self, user_id: str) -> list[Instrument]:
        """Return what a person can pay with."""
        ...

    async def addresses(self, user_id: str) -> list[Address]:
        """Return where things can be delivered to."""
        ...

    async def buyer(self, user_id: str) -> Mapping[str, Any] | None:
        """Return what a merchant is told of the person: names, email; None for nothing."""
        ...

    async def address(self, user_id: str, address_id: str) -> Mapping[str, Any]:
        """Return a postal address, in the fields of the protocol.

        Raises:
            ToolRefused: there is no such address.
        """
        ...

    async def credential(
        self, user_id: str, instrument_id: str, checkout_id: str, key: str
    ) -> Mapping[str, Any]:
        """Return the credential with which one checkout is paid.

        Args:
            key: of the operation. Asked again with it, it must return the same: a request that is
                repeated has the same bytes, or the merchant takes it for another one.

        Raises:
            ToolRefused: there is none.
        """
        ...


class _Card(Instrument):
    credential: dict[str, Any] = Field(repr=False)


class _Place(Address):
    address: dict[str, str] = Field(repr=False)


class _Owner(BaseModel):
    buyer: dict[str, Any] | None = Field(default=None, repr=False)
    instruments: tuple[_Card, ...] = ()
    addresses: tuple[_Place, ...] = ()


class FileWallet:
    """A wallet in a file of JSON: for tests and for credentials of a sandbox.

    The file holds `{"ada": {"buyer": {...}, "instruments": [{"id", "handler_id", "type", "label",
    "credential"}], "addresses": [{"id", "label", "address"}]}}`, by the person's name; "*" is
    everybody's.

    Args:
        path: None for no wallet: merchants can be looked at, and nothing can be paid.

    Raises:
        ConfigurationError: the file cannot be read, or is no such thing.
    """

    def __init__(self, path: Path | None) -> None:
        try:
            given = json.loads(path.read_text()) if path is not None else {}
            self._owners = {name: _Owner.model_validate(one) for name, one in given.items()}
        except (OSError, ValueError, AttributeError, ValidationError) as error:
            # No word of what it holds: pydantic would repeat it.
            raise ConfigurationError(
                f"The wallet at {path} cannot be read ({type(error).__name__}). Nothing was "
                "started; check DAYBOOK_WALLET. docs/merchants.md describes the file."
            ) from None

    async def instruments(self, user_id: str) -> list[Instrument]:
        """Return what a person can pay with."""
        there = self._owner(user_id).instruments
        return [Instrument(**one.model_dump(exclude={"credential"})) for one in there]

    async def addresses(self, user_id: str) -> list[Address]:
        """Return where things can be delivered to."""
        there = self._owner(user_id).addresses
        return [Address(**one.model_dump(exclude={"address"})) for one in there]

    async def buyer(self, user_id: str) -> Mapping[str, Any] | None:
        """Return what a merchant is told of the person."""
        return self._owner(user_id).buyer

    async def address(self, user_id: str, address_id: str) -> Mapping[str, Any]:
        """Return a postal address; its id goes along, as merchants want one."""
        for one in self._owner(user_id).addresses:
            if one.id == address_id:
                return {"id": one.id, **one.address}
        raise ToolRefused(f"There is no address {address_id} in the wallet.")

    async def credential(
        self, user_id: str, instrument_id: str, checkout_id: str, key: str
    ) -> Mapping[str, Any]:
        """Return the credential of an instrument, the same for every checkout."""
        for one in self._owner(user_id).instruments:
            if one.id == instrument_id:
                return one.credential
        raise ToolRefused(f"There is no instrument {instrument_id} in the wallet.")

    def _owner(self, user_id: str) -> _Owner:
        return self._owners.get(user_id) or self._owners.get("*") or _Owner()
