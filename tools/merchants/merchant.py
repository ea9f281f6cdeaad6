"""One merchant: discovered, called over its own transport, its answers verified and bounded."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final

import httpx

from daybook.state.clock import SYSTEM, Clock
from daybook.state.effects.deadline import Deadline
from daybook.state.effects.exact import Inexact
from daybook.state.effects.keys import rewritten
from daybook.state.effects.outcome import Confirmed, Declined, NotSent, Outcome, Unknown
from daybook.state.errors import ServiceUnavailable, ToolRefused
from daybook.tools.merchants.ucp import orders, profile, signatures
from daybook.tools.merchants.ucp.answers import Unusable, at_home, refusal, taken
from daybook.tools.merchants.ucp.checkout import JUDGES, Checkout, is_no
from daybook.tools.merchants.ucp.operations import (
    OPERATIONS,
    Call,
    answer_in,
    as_json,
    call_of,
)
from daybook.tools.merchants.ucp.profile import MerchantProfile
from daybook.tools.merchants.ucp.signatures import SigningKey
from daybook.tools.services.http import NOT_OF_THE_THING, HttpService
from daybook.tools.services.reply import HIDDEN, Reply

_SHORTEST, _LONGEST = timedelta(minutes=1), timedelta(hours=24)
"""The limits of how long a profile is cached, whatever it says itself."""

_SOON: Final = 5
"""Seconds within which what a merchant puts off is sent again; who waits for longer is told."""

_OTHER: Final = "version_unsupported"

_MAX_AGE = re.compile(r"max-age=(\d{1,9})")

_READ_SECONDS = 10.0


@dataclass(frozen=True)
class _Known:
    profile: MerchantProfile
    service: HttpService
    read_at: datetime
    until: datetime


class Merchant:
    """A merchant that speaks the protocol.

    Args:
        url: such as https://shop.example.com.
        profile_url: of our own profile, which each request names; `{version}` in it is the version
            that is spoken with the merchant.
        key: signs each request.
        transport: `rest` or `mcp`, where not the better one of those that it has is to be used.
        is_unsigned: what it tells of orders carries no signature.

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
        is_unsigned: bool = False,
        clock: Clock = SYSTEM,
    ) -> None:
        self._home = HttpService(url, seconds=_READ_SECONDS, clock=clock)
        self.url, self.name = url.rstrip("/"), httpx.URL(url).netloc.decode()
        self._profile_url, self._key, self._transport = profile_url, key, transport
        self._clock, self.is_unsigned = clock, is_unsigned
        self._known: _Known | None = None
        self._hiding = Hiding()

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
            version = None
            if (elsewhere := profile.profile_elsewhere(_profile_in(reply))) is not None:
                version, leaf = elsewhere
                reply = await self._home.ask("GET", self._below(leaf))
            found = profile.merchant_profile(_profile_in(reply), self.url, self._transport, version)
        except Unusable as why:
            raise ServiceUnavailable(
                f"{self.name} cannot be used: {why}. Nothing was changed; check that "
                f"{self.url}{profile.WELL_KNOWN} is a merchant's profile."
            ) from why
        known = self._known
        if known is not None and known.profile.endpoint == found.endpoint:
            service = known.service
        else:
            service = HttpService(
                found.endpoint,
                seconds=_READ_SECONDS,
                # What the deployment named may be in its own network; what a merchant names, not.
                is_public=httpx.URL(found.endpoint).host != httpx.URL(self.url).host,
                clock=self._clock,
            )
        return _Known(found, service, now, now + _lifetime(reply))

    def _below(self, leaf: str) -> str:
        """Return the path of a profile of its own, which may be named from where it was read.

        Raises:
            Unusable: it is not at its own host.
        """
        home = httpx.URL(self.url)
        with suppress(httpx.InvalidURL):
            there, path = home.join(leaf), home.path.rstrip("/")
            place = (there.scheme, there.host, there.port, there.userinfo)
            raw = there.raw_path.decode("ascii")
            is_own = place == (home.scheme, home.host, home.port, b"")
            if is_own and raw.startswith(f"{path}/"):
                return raw[len(path) :]
        raise Unusable("its profile for another version is on another host")

    # -- reading ----------------------------------------------------------------------------------

    async def read(
        self, operation: str, about: str = "", body: Mapping[str, Any] | None = None
    ) -> Mapping[str, Any]:
        """Ask for what changes nothing, and return the answer, which is a stranger's data.

        Raises:
            ToolRefused: the merchant says no, in its words.
            ServiceUnavailable: it cannot be reached, or its answer cannot be used.
        """
        known = await self._discovered()
        call = self._call(known, operation, about, as_json(body) if body is not None else b"")
        reply = await known.service.ask(call.method, call.path, call.content, call.headers)
        status = reply.status
        try:
            found, status = await self._answer(known, reply)
        except Unusable as why:
            raise ServiceUnavailable(
                f"{self.name} gave an invalid answer: {why} (status {status}). Nothing was "
                "changed; try again.",
                status=status,
            ) from why
        gives_nothing = is_no(found) or ("id" not in found and not found.get("products"))
        said = refusal(found, status) if gives_nothing else ()
        words = f"{self.name} says: {said[0].line}" if said else ""
        if status not in NOT_OF_THE_THING or (words and status in (401, 403)):
            if words:
                raise ToolRefused(words)
            if 400 <= status < 500:
                raise ToolRefused(f"{self.name} refused it ({status}).")
        if status >= 300:
            failed = f"{words} ({status})" if words else f"{self.name} failed ({status})"
            raise ServiceUnavailable(f"{failed}. Nothing was changed; try again.", status=status)
        return found

    async def checkout(self, checkout_id: str) -> Checkout:
        """Look a checkout up.

        Raises:
            ToolRefused: there is none by this id.
            ServiceUnavailable: it cannot be read, or is another one.
        """
        body = await self.read("get_checkout", checkout_id)
        with self._usable():
            found = taken(Checkout, body, "a checkout")
            if found.checkout_id != checkout_id:
                raise Unusable("it returned another checkout than the one requested")
        return found

    async def order(self, order_id: str) -> dict[str, Any]:
        """Look an order up: what it shows, with its merchant (see `orders.order_facts`).

        Raises:
            ToolRefused: there is none by this id.
            ServiceUnavailable: it cannot be read, or is another one.
        """
        body = await self.read("get_order", order_id)
        with self._usable():
            found = orders.order_facts(body)
            if found["order_id"] != order_id:
                raise Unusable("it returned another order than the one requested")
        return {"merchant": self.name, **found}

    @contextmanager
    def _usable(self) -> Iterator[None]:
        try:
            yield
        except Unusable as why:
            raise ServiceUnavailable(
                f"{self.name} gave an invalid answer: {why}. Nothing was changed."
            ) from why

    # -- effects ----------------------------------------------------------------------------------

    async def send(
        self,
        operation: str,
        about: str,
        body: bytes,
        *,
        key: str,
        deadline: Deadline,
        credential: Mapping[str, Any] | None = None,
    ) -> Outcome:
        """Send an effect once: these bytes, under this key.

        Args:
            about: the checkout that it is about; an answer about another one proves nothing.
            credential: in the bytes; whatever the merchant repeats of it, now or later, is hidden.

        Raises:
            ServiceUnavailable: what it is cannot be read, so nothing was sent.
        """
        known = await self._discovered()
        if credential is not None:
            self._hiding.hide(credential)
        call = self._call(known, operation, about, body, key)
        replies: list[Reply] = []

        def proves(reply: Reply) -> Outcome:
            replies.append(reply)
            return Unknown("it is not read yet")

        outcome = await known.service.send(
            call.method, call.path, call.content, call.headers, deadline=deadline, judged=proves
        )
        if not replies:
            return outcome
        try:
            found, status = await self._answer(known, replies[0])
            outcome = JUDGES[operation](found, status)
        except (Unusable, ServiceUnavailable) as why:
            return Unknown(f"the answer of {self.name} does not tell what was done: {why}")
        if isinstance(outcome, NotSent) and (later := _later(replies[0])) > _SOON:
            words = f"{outcome.reason} (It may be asked again in {later} seconds.)"
            return Declined("busy", words, at_the_door=True)
        if not isinstance(outcome, Confirmed):
            return outcome
        if about and outcome.result["checkout_id"] != about:
            return Unknown(f"{self.name} answered with another checkout than was asked for")
        # Ids name something at this merchant alone.
        return Confirmed({"merchant": self.name, **outcome.result})

    # -- both -------------------------------------------------------------------------------------

    def _call(self, known: _Known, operation: str, about: str, body: bytes, key: str = "") -> Call:
        """Write a request, signed. What is signed is the body as it travels: it is not packed."""
        transport = known.profile.transport
        ours_is = profile.named_for(self._profile_url, known.profile.version)
        call = call_of(OPERATIONS[operation], about, body, key, transport, ours_is)
        ours = {"accept-encoding": "identity", "request-id": str(uuid.uuid4())}
        headers = {**call.headers, **ours}
        if self._key is not None:
            url = f"{known.profile.endpoint}/{call.path.lstrip('/')}".rstrip("/")
            message = signatures.Message(call.method, url, headers)
            headers = signatures.signed(message, call.content, self._key)
        return replace(call, headers=headers)

    async def _answer(self, known: _Known, reply: Reply) -> tuple[Mapping[str, Any], int]:
        """Take answer and status out of a reply; what is signed must be signed by the merchant.

        Raises:
            Unusable: it is no answer of the merchant's.
        """
        if "signature" in reply.headers:
            keys = await self.keys_with(signatures.key_named(reply.headers))
            answer = signatures.Answer(reply.status, dict(reply.headers))
            try:
                signatures.verify(answer, reply.body, keys)
            except signatures.Unsigned as why:
                raise Unusable(f"its signature is not the merchant's ({why})") from why
        try:
            given, status = answer_in(reply, known.profile.transport)
        except Unusable as why:
            raise Unusable(self._hiding.text(str(why))) from None
        found: Mapping[str, Any] = self._hiding.body(given)
        if self._known is known and any(one.code == _OTHER for one in refusal(found, status)):
            # It may speak another version by now, and refuses each request until that is known.
            self._known = replace(known, until=known.read_at)
        return at_home(found, self.url), status

    async def keys_with(self, key_id: str) -> signatures.PublicKeys:
        """Return its keys, read again for one that is not known; not more often than each minute.

        Raises:
            ServiceUnavailable: its profile was never read, and cannot be.
        """
        known = await self._discovered()
        if key_id not in known.profile.keys and self._clock.now() >= known.read_at + _SHORTEST:
            self._known = replace(known, until=known.read_at)
            known = await self._discovered()
        return known.profile.keys


def _later(reply: Reply) -> int:
    """Return in how many seconds a merchant wants to be asked again; 0 if it does not say."""
    said = reply.headers.get("retry-after", "")
    return int(said) if said.isdecimal() and len(said) < 7 else 0


def _profile_in(reply: Reply) -> Any:
    if reply.status != 200:
        raise Unusable(f"it has no profile (status {reply.status})")
    try:
        return reply.json()
    except Inexact as fault:
        raise Unusable(f"its profile cannot be read: {fault}") from fault


def _lifetime(reply: Reply) -> timedelta:
    found = _MAX_AGE.search(reply.headers.get("cache-control", ""))
    said = timedelta(seconds=int(found[1])) if found else _SHORTEST
    return min(max(said, _SHORTEST), _LONGEST)


# -- what must not come back: a merchant that repeats a credential is not repeated ----------------

_LONG: Final = 6
"""A secret of this length is hidden within words too; a shorter one only as a word."""


_IS_CODE: Final = re.compile("cv|csc|pin|code|otp|password", re.IGNORECASE)
"""Names of values that are secret whatever their length; a year or a country is not."""


class Hiding:
    """Takes credentials out of whatever a merchant says. They are held in memory alone."""

    def __init__(self) -> None:
        self._secrets: frozenset[str] = frozenset()
        self._pattern: re.Pattern[str] | None = None

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
        return rewritten(said, lambda part: self.text(part) if isinstance(part, str) else part)


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
