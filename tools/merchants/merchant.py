"""One merchant: discovered, spoken to over its own binding, its answers verified and bounded."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

import httpx

from daybook.state.clock import SYSTEM, Clock
from daybook.state.effects.deadline import Deadline
from daybook.state.effects.exact import Inexact
from daybook.state.effects.outcome import NotSent, Outcome, Unknown
from daybook.state.errors import ServiceUnavailable, ToolRefused
from daybook.tools.merchants.ucp import orders, profile, signatures
from daybook.tools.merchants.ucp.answers import Unusable, at_home, refusal, taken
from daybook.tools.merchants.ucp.checkout import Checkout
from daybook.tools.merchants.ucp.operations import (
    OPERATIONS,
    Asked,
    Binding,
    Call,
    Mcp,
    Rest,
    as_json,
)
from daybook.tools.merchants.ucp.outcomes import is_no
from daybook.tools.merchants.ucp.profile import MerchantProfile
from daybook.tools.merchants.ucp.signatures import SigningKey
from daybook.tools.services.http import NOT_OF_THE_THING, HttpService
from daybook.tools.services.reply import Reply

_BINDINGS: Final[Mapping[str, Callable[[], Binding]]] = {"rest": Rest, "mcp": Mcp}

Judge = Callable[[Mapping[str, Any], int], Outcome]
"""Says what an answer of the merchant's own, with its status, proves."""

_SHORTEST, _LONGEST = timedelta(minutes=1), timedelta(hours=24)
"""For how long a profile is kept, whatever it says of itself."""

_MAX_AGE = re.compile(r"max-age=(\d{1,9})")

_READ_SECONDS = 10.0


@dataclass(frozen=True)
class _Known:
    profile: MerchantProfile
    service: HttpService
    binding: Binding
    read_at: datetime
    until: datetime


class Merchant:
    """A merchant that speaks the protocol.

    Args:
        url: such as https://shop.example.com.
        profile_url: of our own profile, which each request names.
        key: signs each request.
        transport: `rest` or `mcp`, where not the better one of those that it has is to be used.

    Raises:
        DeclarationError: the URL cannot be used.

    Attributes:
        name: its host, with its port where that is not the usual one.
    """

    def __init__(
        self,
        url: str,
        *,
        profile_url: str,
        key: SigningKey | None = None,
        transport: str | None = None,
        clock: Clock = SYSTEM,
    ) -> None:
        self._home = HttpService(url, seconds=_READ_SECONDS, clock=clock)
        self.url, self.name = url.rstrip("/"), httpx.URL(url).netloc.decode()
        self._profile_url, self._key, self._transport = profile_url, key, transport
        self._clock = clock
        self._known: _Known | None = None
        self._hiding = Hiding()

    def __repr__(self) -> str:
        """Name it."""
        return f"Merchant({self.name})"

    async def close(self) -> None:
        """Close the connections."""
        await self._home.close()
        if self._known is not None:
            await self._known.service.close()

    # -- what it is -------------------------------------------------------------------------------

    async def profile(self) -> MerchantProfile:
        """Return what it says of itself, read again when its lifetime is over.

        Raises:
            ServiceUnavailable: it cannot be reached, or speaks no version that we speak.
        """
        return (await self._discovered()).profile

    async def _discovered(self) -> _Known:
        now, known = self._clock.now(), self._known
        if known is not None and now < known.until:
            return known
        try:
            self._known = await self._discover(now)
        except ServiceUnavailable:
            if known is None:
                raise
            # It was there before; what it cannot do any more it says to what is asked of it.
            return known
        if known is not None and known.service is not self._known.service:
            await known.service.close()
        return self._known

    async def _discover(self, now: datetime) -> _Known:
        try:
            reply = await self._home.ask("GET", profile.WELL_KNOWN)
            body = self._json(reply)
            older = profile.older_profile(body)
            if older is not None:
                reply = await self._home.ask("GET", self._own_path(older))
                body = self._json(reply)
            found = profile.merchant_profile(body, self.url, self._transport)
        except Unusable as why:
            raise self._no_merchant(why) from why
        kept = self._known
        if kept is not None and kept.profile.endpoint == found.endpoint:
            service = kept.service
        else:
            service = HttpService(found.endpoint.url, seconds=_READ_SECONDS, clock=self._clock)
        binding = _BINDINGS[found.endpoint.transport]()
        return _Known(found, service, binding, now, now + _lifetime(reply))

    def _own_path(self, url: str) -> str:
        """Return the path of another profile of the merchant: it stands at the merchant's own."""
        if not url.startswith(f"{self.url}/"):
            raise Unusable("the profile of an older version stands elsewhere")
        return url[len(self.url) :]

    @staticmethod
    def _json(reply: Reply) -> Any:
        if reply.status != 200:
            raise Unusable(f"there is no profile (status {reply.status})")
        try:
            return reply.json()
        except Inexact as fault:
            raise Unusable(f"its profile cannot be read: {fault}") from fault

    def _no_merchant(self, why: object) -> ServiceUnavailable:
        return ServiceUnavailable(
            f"{self.name} cannot be bought from: {why}. Nothing was changed; see that "
            f"{self.url}{profile.WELL_KNOWN} is the profile of a merchant."
        )

    # -- reading ----------------------------------------------------------------------------------

    async def read(
        self,
        operation: str,
        about: str = "",
        body: Mapping[str, Any] | None = None,
        key: str = "",
    ) -> Mapping[str, Any]:
        """Ask for what changes nothing, and return the answer, which is a stranger's data.

        Raises:
            ToolRefused: the merchant says no, in its words.
            ServiceUnavailable: it cannot be reached, or its answer cannot be used.
        """
        known = await self._discovered()
        asked = Asked(OPERATIONS[operation], about, as_json(body) if body is not None else b"", key)
        call = known.binding.call(asked, self._profile_url)
        reply = await known.service.ask(
            call.method, call.path, call.content, self._headers(known, call)
        )
        try:
            found = await self._answer(known, reply)
        except Unusable as why:
            raise ServiceUnavailable(
                f"{self.name} gave no answer that can be used: {why} (status {reply.status}). "
                "Nothing was changed; try again.",
                status=reply.status,
            ) from why
        if reply.status in NOT_OF_THE_THING:
            raise self._failed(reply)
        gives_nothing = is_no(found) or ("id" not in found and not found.get("products"))
        if gives_nothing and (said := refusal(found)):
            raise ToolRefused(f"{self.name} says: {said[0]}")
        if 400 <= reply.status < 500:
            raise ToolRefused(f"{self.name} refused it ({reply.status}).")
        if reply.status >= 300:
            raise self._failed(reply)
        return found

    def _failed(self, reply: Reply) -> ServiceUnavailable:
        return ServiceUnavailable(
            f"{self.name} failed ({reply.status}). Nothing was changed; try again.",
            status=reply.status,
        )

    async def checkout(self, checkout_id: str) -> Checkout:
        """Look a checkout up.

        Raises:
            ToolRefused: there is none by this id.
            ServiceUnavailable: it cannot be read, or is another one.
        """
        return self._checkout(await self.read("get_checkout", checkout_id), checkout_id)

    async def order(self, order_id: str, currency: str = "") -> dict[str, Any]:
        """Look an order up: what it shows, with its merchant (see `orders.order_facts`).

        Args:
            currency: that it was placed in, for merchants that do not say it again.

        Raises:
            ToolRefused: there is none by this id.
            ServiceUnavailable: it cannot be read, or is another one.
        """
        body = await self.read("get_order", order_id)
        try:
            found = orders.order_facts(body, currency)
        except Unusable as why:
            raise self._unusable("an order", why) from why
        if found["order_id"] != order_id:
            raise self._another("order")
        return {"merchant": self.name, **found}

    def _checkout(self, body: Mapping[str, Any], checkout_id: str) -> Checkout:
        try:
            found = taken(Checkout, body, "a checkout")
        except Unusable as why:
            raise self._unusable("a checkout", why) from why
        if found.checkout_id != checkout_id:
            raise self._another("checkout")
        return found

    def _unusable(self, what: str, why: Exception) -> ServiceUnavailable:
        return ServiceUnavailable(
            f"{self.name} shows {what} that cannot be used: {why}. Nothing was changed."
        )

    def _another(self, what: str) -> ServiceUnavailable:
        return ServiceUnavailable(
            f"{self.name} shows another {what} than was asked for. Nothing was changed."
        )

    # -- effects ----------------------------------------------------------------------------------

    async def send(
        self,
        operation: str,
        about: str,
        body: bytes,
        *,
        key: str,
        deadline: Deadline,
        judged: Judge,
        credential: Mapping[str, Any] | None = None,
    ) -> Outcome:
        """Send an effect once: these bytes, under this key.

        Args:
            credential: in the bytes; whatever the merchant repeats of it, now or later, is hidden.
            judged: says what an answer of the merchant's own, with its status, proves. What is no
                such answer proves nothing.

        Raises:
            ServiceUnavailable: what it is cannot be read, so nothing was sent.
        """
        known = await self._discovered()
        if credential is not None:
            self._hiding.hide(credential)
        if deadline.seconds <= 0:
            return NotSent("its time was over before it was sent")
        call = known.binding.call(Asked(OPERATIONS[operation], about, body, key), self._profile_url)
        replies: list[Reply] = []

        def proves(reply: Reply) -> Outcome:
            replies.append(reply)
            return Unknown("it is not read yet")

        outcome = await known.service.send(
            call.method,
            call.path,
            call.content,
            self._headers(known, call),
            deadline=deadline,
            judged=proves,
        )
        if not replies:
            return outcome
        try:
            found = await self._answer(known, replies[0])
        except (Unusable, ServiceUnavailable) as why:
            return Unknown(f"the answer of {self.name} does not tell what was done: {why}")
        return judged(found, replies[0].status)

    # -- both -------------------------------------------------------------------------------------

    def _headers(self, known: _Known, call: Call) -> dict[str, str]:
        # What is signed is the body as it travels, so it is not packed.
        headers = {
            **call.headers,
            "accept-encoding": "identity",
            "request-id": str(uuid.uuid4()),
        }
        if self._key is None:
            return headers
        url = f"{known.profile.endpoint.url}/{call.path.lstrip('/')}".rstrip("/")
        return signatures.signed(
            signatures.Message(call.method, url, headers), call.content, self._key
        )

    async def _answer(self, known: _Known, reply: Reply) -> Mapping[str, Any]:
        """Take the answer out of a reply; one that is signed must be signed by the merchant.

        Raises:
            Unusable: it is no answer of the merchant's.
        """
        if "signature" in reply.headers:
            await self._verify(known, reply)
        try:
            found: Mapping[str, Any] = self._hiding.body(known.binding.body(reply))
        except Unusable as why:
            raise Unusable(self._hiding.text(str(why))) from None
        return at_home(found, self.url)

    async def _verify(self, known: _Known, reply: Reply) -> None:
        keys = known.profile.keys
        if signatures.key_named(reply.headers) not in keys:
            keys = await self.rotated_keys()
        answer = signatures.Answer(reply.status, dict(reply.headers))
        try:
            signatures.verify(answer, reply.body, keys)
        except signatures.Unsigned as why:
            raise Unusable(f"its signature is not the merchant's ({why})") from why

    async def rotated_keys(self) -> Mapping[str, Any]:
        """Return its keys, read anew for one that is not known; not more often than each minute."""
        known = await self._discovered()
        if self._clock.now() >= known.read_at + _SHORTEST:
            self._known = _Known(
                known.profile, known.service, known.binding, known.read_at, known.read_at
            )
            known = await self._discovered()
        return known.profile.keys


def _lifetime(reply: Reply) -> timedelta:
    found = _MAX_AGE.search(reply.headers.get("cache-control", ""))
    said = timedelta(seconds=int(found[1])) if found else _SHORTEST
    return min(max(said, _SHORTEST), _LONGEST)


# -- what must not come back: a merchant that repeats a credential is not repeated ----------------

HIDDEN: Final = "[hidden]"

_LONG: Final = 6
"""Characters from which on something is hidden within words too; what is shorter only by itself."""


_IS_CODE: Final = re.compile("cv|csc|pin|code|otp|password", re.IGNORECASE)
"""Names what is secret however short it is; a year or a country is not."""


class Hiding:
    """Takes credentials out of whatever a merchant says. They are held in memory alone."""

    def __init__(self) -> None:
        self._secrets: frozenset[str] = frozenset()
        self._pattern: re.Pattern[str] | None = None

    def __repr__(self) -> str:
        """Say how many there are, and none of them."""
        return f"Hiding({len(self._secrets)})"

    def hide(self, credential: Mapping[str, Any]) -> None:
        """Hide what is in a credential from now on; what names its kind is not secret."""
        self._secrets = self._secrets.union(_secrets(credential))
        parts = [
            re.escape(one) if len(one) >= _LONG else rf"\b{re.escape(one)}\b"
            for one in sorted(self._secrets, key=len, reverse=True)
        ]
        self._pattern = re.compile("|".join(parts)) if parts else None

    def text(self, said: str) -> str:
        """Return a text without them."""
        return said if self._pattern is None else self._pattern.sub(HIDDEN, said)

    def body(self, said: Any) -> Any:
        """Return an answer without them, in its fields and in their names."""
        if self._pattern is None:
            return said
        if isinstance(said, str):
            return self.text(said)
        if isinstance(said, Mapping):
            return {self.text(name): self.body(value) for name, value in said.items()}
        if isinstance(said, list):
            return [self.body(one) for one in said]
        return said


def _secrets(given: Any, name: str = "") -> Iterator[str]:
    if isinstance(given, Mapping):
        for key, value in given.items():
            yield from _secrets(value, str(key))
    elif isinstance(given, list | tuple):
        for one in given:
            yield from _secrets(one, name)
    elif name != "type" and given is not None and not isinstance(given, bool):
        said = str(given)
        if len(said) >= _LONG or (len(said) > 2 and _IS_CODE.search(name)):
            yield said
