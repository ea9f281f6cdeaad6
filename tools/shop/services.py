"""The services of the shop's tools: the shop over HTTP, and its mail server."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from pydantic import BaseModel, Field, ValidationError

from daybook.state.clock import SYSTEM, Clock
from daybook.state.effects.guarantees import Guarantees
from daybook.state.errors import ServiceUnavailable, ToolRefused
from daybook.tools.services.contract import Contract
from daybook.tools.services.http import HttpService
from daybook.tools.services.mail import MailService

SHOP_CONTRACT = Contract(
    name="the shop",
    declined={402, 404, 409},
    turned_away={400, 405, 413, 422, "not_found"},
    not_done={"unavailable"},
    key_reused={"key_reused"},
    code=(("error",),),
    message=(("message",),),
)
"""Its noes (402, 404, 409) are what it stores under a key where an endpoint stores failures. What
is malformed, or of no known path, is turned away before keys are looked at. It says `unavailable`
before anything is done. How an endpoint treats keys, the shop tells at run time
(`reach_shop`)."""

# Besides the shop's own lag: what the network may still carry, and how late a look-up may be.
_NETWORK = timedelta(seconds=0.5)


@dataclass(frozen=True)
class ShopServices:
    """The clients of the shop domain.

    Attributes:
        currency: the shop's currency, ISO 4217.
        guarantees: what the shop promises of each kind of effect, by endpoint name.
        shop_id: tells this shop from every other one; None if it does not say.
    """

    shop: HttpService
    mail: MailService
    currency: str
    guarantees: dict[str, Guarantees]
    shop_id: str | None = None

    async def close(self) -> None:
        """Close the connections."""
        await self.shop.close()


class _Endpoint(BaseModel):
    """What the shop promises of one kind of effect. Nothing is read into it: "no" is no false."""

    honours_key: bool = Field(strict=True)
    stores_failures: bool = Field(strict=True)
    retention_seconds: float = Field(ge=0)


class _Promises(BaseModel):
    """The answer of GET /capabilities."""

    currency: str = Field(pattern="^[A-Z]{3}$")
    settle_seconds: float = Field(ge=0)
    shop_id: str | None = None
    endpoints: dict[str, _Endpoint]


async def reach_shop(shop_url: str, smtp_url: str, clock: Clock = SYSTEM) -> ShopServices:
    """Connect to a shop and ask what it promises.

    Raises:
        ServiceUnavailable: the shop cannot be reached, or what answers is no shop.
    """
    shop = HttpService(shop_url, SHOP_CONTRACT, clock=clock)
    try:
        promises = _Promises.model_validate(await shop.get("/capabilities"))
    except BaseException as error:
        await shop.close()
        if not isinstance(error, ToolRefused | ValidationError):
            raise
        raise ServiceUnavailable(
            f"The server at {shop_url} is not a shop: it does not answer GET /capabilities. "
            "Nothing was changed; check SHOP_URL."
        ) from error
    return ShopServices(
        shop=shop,
        mail=MailService(smtp_url),
        currency=promises.currency,
        guarantees=_guarantees(promises),
        shop_id=promises.shop_id,
    )


def _guarantees(promises: _Promises) -> dict[str, Guarantees]:
    settle = timedelta(seconds=promises.settle_seconds) + _NETWORK
    return {
        name: Guarantees(
            honours_key=endpoint.honours_key,
            stores_failures=endpoint.stores_failures,
            retention=timedelta(seconds=endpoint.retention_seconds),
            settle=settle,
        )
        for name, endpoint in promises.endpoints.items()
    }
