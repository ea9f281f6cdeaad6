"""A service behind a proxy that loses the first answer of whatever it forwards.

By RFC 9110, 15.6.3 to 15.6.5, and the documentation of nginx (`proxy_read_timeout`,
`proxy_next_upstream`): 502 and 504 come where the upstream's answer is none or does not come in
time; it may have done what was forwarded. 503 comes from a proxy's own limits too. The page is the
proxy's, for people.
"""

from __future__ import annotations

import itertools

from tests.strangers.services.stranger import Fault, Kind, Stranger
from tests.strangers.services.wire import Answer, Request, as_page

_PAGES = ((502, "Bad Gateway"), (503, "Service Unavailable"), (504, "Gateway Time-out"))


class Proxied(Stranger):
    """Do it, and let the proxy answer in the place of the first answer under each reference."""

    name = "proxied"

    def __init__(self) -> None:
        super().__init__()
        self._pages = itertools.cycle(_PAGES)
        self._lost: set[tuple[Kind, str]] = set()

    def act(self, kind: Kind, request: Request, fault: Fault | None) -> Answer:
        answer = super().act(kind, request, fault)
        with self._done:
            first = (kind, self.reference(request))
            if first in self._lost:
                return answer
            self._lost.add(first)
            return as_page(*next(self._pages))
