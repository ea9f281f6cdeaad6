"""The filters and the order of the inbox, read from its address and written back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal, InvalidOperation
from typing import Any
from urllib.parse import urlencode

from daybook.checkpoints.ledger.steps import Sought
from daybook.state.errors import InputRefused
from daybook.state.session import Person, user_named

KINDS = {
    "": "Open",
    "approval": "Approvals",
    "doubt": "In doubt",
    "customers": "Waiting for customer",
}
"""The kinds that staff can list; questions for customers are listed only when chosen."""

ROLES = ("clerk", "operator")
AGES = {"15m": timedelta(minutes=15), "1h": timedelta(hours=1), "1d": timedelta(days=1)}
AGE_WORDS = {"15m": "15 minutes", "1h": "1 hour", "1d": "1 day"}
SORTS = {"age": "Waiting", "deadline": "Deadline", "amount": "Amount"}

_ONE_OF: Mapping[str, Any] = {
    "kind": KINDS,
    "role": ROLES,
    "age": AGES,
    "sort": SORTS,
    "mine": ("1",),
}
_TEXTS = ("customer", "from", "to")
_LARGEST = Decimal(10) ** 15
_GROUPED = re.compile(r"[0-9]{1,3}(,[0-9]{3})+(\.[0-9]*)?")
_LAST = 200
"""The last page that can be requested."""


@dataclass(frozen=True)
class Filters:
    """What is set of it, each "" if it does not narrow.

    Attributes:
        given: by the names that the query has.
        page: from 1.
        opened: the thread whose question is shown whole.
    """

    given: Mapping[str, str] = field(default_factory=dict)
    page: int = 1
    opened: str = ""

    def __getitem__(self, name: str) -> str:
        return self.given.get(name, "")

    @property
    def of_customers(self) -> bool:
        """Tell whether customers' own wishes were asked for."""
        return self["kind"] == "customers"

    @property
    def is_narrowed(self) -> bool:
        """Tell whether anything beside the kind and the order is set."""
        return any(self[name] for name in (*_TEXTS, "role", "age", "mine"))

    def sought(self, person: Person) -> Sought:
        """Return what is to be read.

        Raises:
            InputRefused: an amount cannot be read.
        """
        about: dict[str, Any] = {
            "role": self["role"] or None,
            "answered_by": person if self["mine"] else None,
            "at_least": cents_of(self["from"]),
            "at_most": cents_of(self["to"]),
            "age": AGES.get(self["age"]),
            "sort": self["sort"] or "age",
        }
        if not person.is_staff:
            return Sought(**about, user_id=person.user_id)
        asks = {"doubt": (), "customers": ("customer",)}.get(self["kind"], ROLES)
        doubts = self["kind"] in ("", "doubt")
        return Sought(
            **about, asks=asks, doubts=doubts, user_id=user_named(self["customer"]) or None
        )

    def url(self, **changed: Any) -> str:
        """Return the address that shows the same, but for what is changed.

        Args:
            changed: a filter by its name, `page`, or `open`; any filter begins at the first page.
        """
        query = {**self.given, "page": str(self.page), "open": self.opened}
        if changed.keys() - {"page", "open"}:
            query |= {"page": "1", "open": ""}
        query |= {name: str(value or "") for name, value in changed.items()}
        usual = {"page": "1", "sort": "age"}
        left = {name: value for name, value in query.items() if value and usual.get(name) != value}
        return f"/console/inbox{'?' if left else ''}{urlencode(left)}"


def filters_of(query: Mapping[str, str]) -> Filters:
    """Read an address; what it cannot mean is left out."""
    given = {name: query.get(name, "").strip()[:200] for name in (*_ONE_OF, *_TEXTS)}
    known = {
        name: value
        for name, value in given.items()
        if value and (name in _TEXTS or value in _ONE_OF[name])
    }
    page = query.get("page", "1")
    at = int(page) if page.isascii() and page.isdigit() and len(page) < 9 else 1
    return Filters(known, min(max(at, 1), _LAST), query.get("open", ""))


def cents_of(text: str) -> int | None:
    """Read an amount in units; None if there is none.

    Raises:
        InputRefused: it is invalid.
    """
    if not text:
        return None
    try:
        # 1,000.00 is how amounts are shown here; 129,00 is how many write theirs.
        plain = text.replace(",", "") if _GROUPED.fullmatch(text) else text.replace(",", ".")
        units = Decimal(plain)
        if not 0 <= units < _LARGEST:
            raise InvalidOperation
    except InvalidOperation as error:
        raise InputRefused(f"{text[:40]} is not an amount. Write it as 129.00.") from error
    return int(units * 100)
