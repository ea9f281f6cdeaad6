"""A checkout as its merchant signs it: a JWS over its canonical JSON (RFC 8785), but for `ap2`.

In the answer the signature stands detached; with what it signs put back it is the JWT of the
checkout that a mandate holds.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import rfc8785
from cryptography.hazmat.primitives.asymmetric import ec
from jwcrypto.common import JWException
from jwcrypto.jwk import JWK
from jwcrypto.jws import JWS

from daybook.tools.merchants.ucp.answers import Checkout

CAPABILITY: Final = "ap2_mandate"
"""Of the shopping service: who has it signs checkouts, and takes an order with a mandate alone."""

MISSING, INVALID = "merchant_authorization_missing", "merchant_authorization_invalid"

ALGORITHM: Final = "ES256"
"""Of the keys that are read of profiles; `none` and the like are no algorithms here."""


class Unauthorized(Exception):
    """Say why a checkout is not its merchant's word; `code` is the protocol's."""

    def __init__(self, code: str, why: str) -> None:
        super().__init__(why)
        self.code = code


@dataclass(frozen=True)
class Proposed:
    """A checkout as a merchant puts it to its buyer.

    Attributes:
        body: all of it, as it came: a mandate is over the whole.
        jwt: the checkout as the merchant signed it; "" where it does not.
        fault: the protocol's code for what is wrong with the signature of a merchant who has to
            sign; "" where nothing is.
    """

    checkout: Checkout
    body: Mapping[str, Any]
    jwt: str = ""
    fault: str = ""

    @property
    def signature(self) -> str:
        """Say how it is signed: `signed`, a code, or "" where it need not be."""
        return self.fault or ("signed" if self.jwt else "")


def signed_by(body: Mapping[str, Any]) -> str:
    """Return the name of the key that a checkout says it is signed with; "" where it says none."""
    try:
        return str(_header(_signature(body)).get("kid", ""))
    except Unauthorized:
        return ""


def checkout_jwt(body: Mapping[str, Any], keys: Mapping[str, ec.EllipticCurvePublicKey]) -> str:
    """Verify that a checkout is signed by one of these keys, whole; return it as a JWT.

    Raises:
        Unauthorized: it is not.
    """
    signature = _signature(body)
    key = keys.get(str(_header(signature).get("kid", "")))
    if key is None:
        raise Unauthorized(INVALID, "it is signed with a key that its profile does not show")
    header, _, proof = signature.split(".")
    payload = base64.urlsafe_b64encode(_canonical(body)).rstrip(b"=").decode()
    jwt = f"{header}.{payload}.{proof}"
    token = JWS()
    token.allowed_algs = [ALGORITHM]
    try:
        token.deserialize(jwt, JWK.from_pyca(key), ALGORITHM)
    except (JWException, ValueError) as error:
        raise Unauthorized(INVALID, "its signature is not over this checkout") from error
    return jwt


def _signature(body: Mapping[str, Any]) -> str:
    ap2 = body.get("ap2")
    given = ap2.get("merchant_authorization") if isinstance(ap2, Mapping) else None
    if not isinstance(given, str) or not given:
        raise Unauthorized(MISSING, "it is not signed")
    if given.count(".") != 2 or ".." not in given:
        raise Unauthorized(INVALID, "its signature is none")
    return given


def _header(signature: str) -> Mapping[str, Any]:
    part = signature.partition(".")[0]
    try:
        read = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    except ValueError as error:
        raise Unauthorized(INVALID, "its signature is none") from error
    if not isinstance(read, Mapping):
        raise Unauthorized(INVALID, "its signature is none")
    return read


def _canonical(body: Mapping[str, Any]) -> bytes:
    try:
        return rfc8785.dumps({name: value for name, value in body.items() if name != "ap2"})
    except rfc8785.CanonicalizationError as error:
        raise Unauthorized(INVALID, "it cannot be written as canonical JSON") from error
