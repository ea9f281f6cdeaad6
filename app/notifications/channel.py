"""What every channel needs: restricted HTTP clients, and one error for failed deliveries."""

from __future__ import annotations

import math
from collections.abc import Mapping

import httpx

from daybook.state.errors import ServiceUnavailable
from daybook.tools.services.public import PublicTransport

SECONDS = 10.0
"""How long one request may take."""

_LONGEST_WAIT = 3600.0
_LONGEST_ANSWER = 100_000


class NotDelivered(ServiceUnavailable):
    """A notification was not taken; it is sent again later, under the same id.

    Attributes:
        after: seconds for which the receiver wants to be left alone.
    """

    def __init__(self, why: str, after: float = 0.0) -> None:
        super().__init__(f"The receiver did not accept the notification ({why}). Will retry.")
        self.why, self.after = why, after


class Clients:
    """HTTP to the public internet alone, and to wherever the file says that it may lead inside."""

    def __init__(self) -> None:
        timeout = httpx.Timeout(SECONDS)
        self._public = httpx.AsyncClient(
            transport=PublicTransport(), timeout=timeout, trust_env=False
        )
        self._inside = httpx.AsyncClient(timeout=timeout, trust_env=False)

    async def post(
        self, url: str, body: bytes, headers: Mapping[str, str], *, inside: bool
    ) -> bytes:
        """Post a body, and return what was answered; what leads elsewhere is not followed.

        Raises:
            NotDelivered: no answer, or one that does not take it; its words are not repeated.
        """
        http = self._inside if inside else self._public
        # Packed, a short answer could be a long one.
        fixed = {"content-type": "application/json", "accept-encoding": "identity"}
        said = bytearray()
        try:
            async with http.stream(
                "POST", url, content=body, headers={**fixed, **headers}
            ) as answer:
                if not answer.is_success:
                    raise NotDelivered(f"HTTP {answer.status_code}", _seconds_of(answer))
                async for chunk in answer.aiter_raw():
                    said += chunk
                    if len(said) > _LONGEST_ANSWER:
                        raise NotDelivered("the response is too long")
        except httpx.HTTPError as error:
            # Its words may hold the URL, which may be a secret.
            raise NotDelivered(type(error).__name__) from None
        return bytes(said)

    async def close(self) -> None:
        """Close the connections."""
        await self._public.aclose()
        await self._inside.aclose()


def _seconds_of(answer: httpx.Response) -> float:
    """Return for how long a receiver wants to be left alone; a date is not read."""
    try:
        seconds = float(answer.headers.get("retry-after", "0"))
    except ValueError:
        return 0.0
    return min(max(seconds, 0.0), _LONGEST_WAIT) if math.isfinite(seconds) else 0.0
