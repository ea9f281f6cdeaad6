"""Links of a merchant that a person is sent to: of its own host alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit

from daybook.tools.merchants.ucp.answers import link

_PAGE: Final = "continue_url"


def own_link(given: Any, home: str) -> str | None:
    """Take a link that leads to a merchant's own host, or to one below it; None where it does not.

    Args:
        home: the URL by which the merchant is known.
    """
    taken = link(given)
    if taken is None:
        return None
    try:
        there, here = urlsplit(taken), urlsplit(home)
        is_own = _place(there) == _place(here) and there.scheme in ("https", here.scheme)
    except ValueError:
        return None
    below = f".{here.hostname}"
    is_below = there.scheme == "https" and (there.hostname or "").endswith(below) and "." in below
    return taken if is_own or (is_below and there.port in (None, 443)) else None


def _place(url: SplitResult) -> tuple[str | None, int | None]:
    return url.hostname, url.port or {"https": 443, "http": 80}.get(url.scheme)


def at_home(body: Mapping[str, Any], home: str) -> Mapping[str, Any]:
    """Return an answer without a page to go on at that is not the merchant's own."""
    if _PAGE not in body or own_link(body[_PAGE], home) is not None:
        return body
    return {name: value for name, value in body.items() if name != _PAGE}
