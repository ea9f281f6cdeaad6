"""A service that ignores filters which it does not know, and shows everything then.

As many lists do (OData says that unknown query options may be ignored; most REST frameworks drop
them silently): a filter that is misspelt, or went with a version, is no filter.
"""

from __future__ import annotations

from tests.strangers.services.stranger import Row, Stranger
from tests.strangers.services.wire import Answer, Request, as_json

LIMIT = 100
_KNOWN = ("customer",)


class Unfiltered(Stranger):
    """List what was made; `customer` is the only filter."""

    name = "unfiltered"

    def look(self, request: Request) -> Answer:
        kind = self.paths.get(request.path)
        if kind is None:
            return as_json(404, {"error": "not_found", "message": "There is no such list."})
        with self._done:
            rows: list[Row] = [dict(row) for row in self._rows[kind].values()]
        for name in _KNOWN:
            wanted = request.query.get(name)
            rows = [row for row in rows if wanted in (None, row[name])]
        return as_json(200, {"data": rows[: -LIMIT - 1 : -1]})
