"""Mandates: a person's approval, signed for a merchant and for whoever moves the money.

Each is an SD-JWT with key binding. One key signs both halves, that of this deployment: it says that
the person approved, and that this presentation is for one merchant and one request.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from jwcrypto.jwk import JWK
from sd_jwt.common import SDJWTHasSDClaimException
from sd_jwt.holder import SDJWTHolder
from sd_jwt.issuer import SDJWTIssuer

from daybook.tools.merchants.ap2.authorization import ALGORITHM, INVALID, Proposed, Unauthorized
from daybook.tools.merchants.ucp.keys import SigningKey

VALID: Final = timedelta(minutes=30)
"""How long a mandate may be used, where the checkout does not run out before."""

FORMAT: Final = "dc+sd-jwt"

CHECKOUT, PAYMENT = "mandate.checkout.1", "mandate.payment.1"
"""The kinds of mandates, by AP2."""

APPROVAL: Final = "daybook.approval.1"
"""What is said of an approval where no merchant signed anything: no mandate of AP2."""


@dataclass(frozen=True)
class Mandates:
    """The two mandates of one order, as they are sent."""

    checkout: str
    payment: str


@dataclass(frozen=True)
class For:
    """Whom mandates are for, and which request.

    Attributes:
        merchant: its URL.
        name: of the merchant.
        nonce: names the request: the key under which it is sent.
        instrument: `id`, `type` and `label` of what is paid with.
    """

    merchant: str
    name: str
    nonce: str
    instrument: Mapping[str, str]


def mandates(
    proposed: Proposed, whom: For, key: SigningKey, issuer: str, now: datetime
) -> Mandates:
    """Make the mandates over a checkout that its merchant signed.

    Args:
        issuer: the URL of our profile, which shows the key.

    Raises:
        Unauthorized: the checkout cannot be in a mandate.
    """
    until = now + VALID
    if proposed.checkout.expires_at is not None:
        until = min(until, proposed.checkout.expires_at)
    times = {"iat": int(now.timestamp()), "exp": int(until.timestamp())}
    checkout_hash = _hash(proposed.jwt)
    total = proposed.checkout.total
    of_checkout = {
        "vct": CHECKOUT,
        "checkout_jwt": proposed.jwt,
        "checkout_hash": checkout_hash,
        "checkout": dict(proposed.body),
    }
    of_payment = {
        "vct": PAYMENT,
        "transaction_id": checkout_hash,
        "payee": {"id": whom.name, "name": whom.name, "website": whom.merchant},
        "payment_amount": {"amount": total.amount, "currency": total.currency},
        "payment_instrument": {
            "id": whom.instrument["id"],
            "type": whom.instrument["type"],
            "description": whom.instrument["label"],
        },
    }
    try:
        return Mandates(
            *(
                _bound(_issued({"iss": issuer, **times, **claims}, key, is_bound=True), whom, key)
                for claims in (of_checkout, of_payment)
            )
        )
    except SDJWTHasSDClaimException as error:
        raise Unauthorized(INVALID, "it holds a field that is kept for mandates") from error


def approval(claims: Mapping[str, Any], key: SigningKey, issuer: str, now: datetime) -> str:
    """Sign what this deployment says of an approval: an SD-JWT that is for nobody in particular."""
    said = {"iss": issuer, "iat": int(now.timestamp()), "vct": APPROVAL, **claims}
    return _issued(said, key, is_bound=False)


def _issued(claims: dict[str, Any], key: SigningKey, *, is_bound: bool) -> str:
    signs = JWK.from_pyca(key.private)
    issued = SDJWTIssuer(
        claims,
        signs,
        holder_key=signs if is_bound else None,
        sign_alg=ALGORITHM,
        extra_header_parameters={"typ": FORMAT, "kid": key.key_id},
    )
    return str(issued.sd_jwt_issuance)


def _bound(issued: str, whom: For, key: SigningKey) -> str:
    holder = SDJWTHolder(issued)
    holder.create_presentation({}, whom.nonce, whom.merchant, JWK.from_pyca(key.private), ALGORITHM)
    return str(holder.sd_jwt_presentation)


def _hash(jwt: str) -> str:
    raw = hashlib.sha256(jwt.encode()).digest()
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
