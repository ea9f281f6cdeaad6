"""A service whose look-up is a list in pages, with a cursor.

As lists of most APIs are (Slack's `next_cursor`, Stripe's `has_more` and `starting_after`, GitHub's
links): a page holds a few rows, oldest first, and says where the next one begins. Whoever is asked
about has bought here before: what was just made stands on the third page.
"""

from __future__ import annotations

from tests.strangers.services.stranger import Kind, Row, Stranger
from tests.strangers.services.wire import Answer, Request, as_json

PAGE = 2
BEFORE = 4
"""Rows that every customer has already."""


class Paged(Stranger):
    """List what was made for a customer, page by page; there is no other look-up."""

    name = "paged"

    def look(self, request: Request) -> Answer:
        kind, customer = self.paths.get(request.path), request.query.get("customer", "")
        if kind is None or not customer:
            return as_json(404, {"error": "not_found", "message": "There is no such list."})
        with self._done:
            made = [dict(r) for r in self._rows[kind].values() if r["customer"] == customer]
        rows = [self._old(kind, customer, number) for number in range(BEFORE)] + made
        start = int(request.query.get("cursor", "0"))
        end = start + PAGE
        return as_json(
            200,
            {"data": rows[start:end], "next_cursor": str(end) if end < len(rows) else None},
        )

    def _old(self, kind: Kind, customer: str, number: int) -> Row:
        return {
            "id": f"OLD-{kind}-{number}",
            "customer": customer,
            "reference": f"last-year/{number}",
            "amount": 13190,
            "currency": "USD",
        }
