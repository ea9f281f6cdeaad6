"""Whether a mandate is over the checkout that is to become an order, and was not used before."""

import sqlite3
from typing import Any, Final

from daybook.demo.shop.effects.terms import Terms
from daybook.demo.shop.ucp.mandates.authorizing import is_own_word
from daybook.demo.shop.ucp.mandates.presenting import Presented
from daybook.demo.shop.ucp.said import signing
from daybook.demo.shop.ucp.said.envelope import error, nothing
from daybook.demo.shop.ucp.selling import sessions
from daybook.demo.shop.ucp.selling.lines import NothingMade

MANDATE: Final = "$.ap2.checkout_mandate"
BOUND: Final = ("id", "currency", "line_items", "totals")
"""What of the session a mandate must be over, as it stands now."""


def require(
    connection: sqlite3.Connection, session_id: str, mandate: Presented, terms: Terms
) -> None:
    """Raise NothingMade where a mandate does not allow the order of a session."""
    code, why = mandate.code, mandate.why
    if not code:
        code, why = fault(connection, session_id, mandate, terms)
    if code:
        raise NothingMade(nothing(error(code, why, MANDATE)))


def fault(
    connection: sqlite3.Connection, session_id: str, mandate: Presented, terms: Terms
) -> tuple[str, str]:
    """Return what is wrong with a mandate for a session: a code and a sentence, or nothing."""
    checkout = mandate.claims["checkout"]
    ap2 = checkout.get("ap2")
    signature = ap2.get("merchant_authorization") if isinstance(ap2, dict) else None
    if not isinstance(signature, str):
        return "merchant_authorization_missing", "The checkout in the mandate is not signed."
    if not is_own_word(checkout, signature, signing.signer(connection)):
        return "merchant_authorization_invalid", "The shop never offered the checkout in it."
    now = sessions.shown(connection, sessions.found(connection, session_id), terms.at)
    if any(checkout.get(name) != now[name] for name in BOUND):
        return "mandate_scope_mismatch", "The mandate is over another checkout than this."
    known = connection.execute("select 1 from ucp_mandate where name = ?", (mandate.name,))
    if known.fetchone() is not None:
        return "mandate_scope_mismatch", "The mandate was used for an order before."
    return "", ""


def use(connection: sqlite3.Connection, mandate: Presented, body: dict[str, Any]) -> None:
    """Let a mandate be used up, where an order came of it or will come."""
    if body.get("status") in ("completed", "complete_in_progress"):
        connection.execute(
            "insert into ucp_mandate (name, session_id) values (?, ?)", (mandate.name, body["id"])
        )
