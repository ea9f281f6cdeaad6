"""A merchant that signs its checkouts, and a reader of mandates: by other libraries than ours."""

import base64
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ec
from jwt.algorithms import ECAlgorithm

from daybook.tools.merchants.ucp.keys import SigningKey, signing_key
from tests.merchants.stranger import Asked, Said, Stranger, said

AP2 = "dev.ucp.shopping.ap2_mandate"


def canonical(value: Any) -> bytes:
    """Write JSON as RFC 8785 has it, where it holds whole numbers and plain names alone."""
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    ).encode()


def word(checkout: dict[str, Any], key: SigningKey) -> str:
    """Sign a checkout: detached."""
    told = {name: value for name, value in checkout.items() if name != "ap2"}
    headers = {"kid": key.key_id}
    whole = jwt.api_jws.encode(canonical(told), key.private, "ES256", headers)
    header, _, proof = whole.split(".")
    return f"{header}..{proof}"


class Signing(Stranger):
    """A merchant that signs its checkouts.

    Attributes:
        altered: what is changed of a checkout after it was signed.
        leaves_out: it does not sign after all.
        signs_with: the key that it signs with, where it is not the one of its profile.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.key = signing_key(folder / "merchant.pem")
        self.signs_with: SigningKey | None = None
        self.altered: dict[str, Any] = {}
        self.leaves_out = False

    def profile(self) -> dict[str, Any]:
        shown = super().profile()
        shown["ucp"]["capabilities"][AP2] = [{"version": "2026-04-08"}]
        return shown

    async def as_usual(self, asked: Asked) -> Said:
        answer = await super().as_usual(asked)
        body = json.loads(answer.body)
        if "line_items" not in body or "checkout_id" in body or self.leaves_out:
            return answer
        assert self.key is not None
        ap2 = {"merchant_authorization": word(body, self.signs_with or self.key)}
        return said({**body, **self.altered, "ap2": ap2}, answer.status)


@dataclass(frozen=True)
class Read:
    """What a mandate says, verified: claims, and the key binding beside them."""

    claims: dict[str, Any]
    binding: dict[str, Any]


def read(mandate: str, keys: dict[str, Any]) -> Read:
    """Verify a mandate; `keys` is the issuer's profile.

    Raises jwt.InvalidTokenError, or AssertionError where its parts do not belong together.
    """
    issued, *disclosed, bound = mandate.split("~")
    assert disclosed == []
    header = jwt.get_unverified_header(issued)
    assert header["typ"] == "dc+sd-jwt"
    claims = jwt.decode(issued, key_of(keys, header["kid"]), ["ES256"])
    holder = ECAlgorithm.from_jwk(json.dumps(claims["cnf"]["jwk"]))
    assert jwt.get_unverified_header(bound)["typ"] == "kb+jwt"
    options: Any = {"verify_aud": False}
    binding = jwt.decode(bound, holder, ["ES256"], options=options)
    assert binding["sd_hash"] == hashed(f"{issued}~")
    return Read(claims, binding)


def key_of(profile: dict[str, Any], kid: str) -> ec.EllipticCurvePublicKey:
    """Return a key of a profile."""
    (found,) = [one for one in profile["keys"] if one["kid"] == kid]
    public = ECAlgorithm.from_jwk(json.dumps(found))
    assert isinstance(public, ec.EllipticCurvePublicKey)
    return public


def hashed(text: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()


def altered(mandate: str, **changes: Any) -> str:
    """Change what a mandate says, and keep its signatures."""
    issued, rest = mandate.split("~", 1)
    header, body, proof = issued.split(".")
    claims = json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))
    said_now = json.dumps({**claims, **changes}).encode()
    return f"{header}.{base64.urlsafe_b64encode(said_now).rstrip(b'=').decode()}.{proof}~{rest}"
