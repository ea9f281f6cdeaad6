"""Who signs mandates: this deployment, with its key, once for each order.

What was made is held sealed: the checkout in it shows its buyer and their address, and the database
is told neither. Whoever has the key can open it, and nobody else.
"""

from __future__ import annotations

import base64
import json
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from jwcrypto.common import JWException
from jwcrypto.jwe import JWE
from jwcrypto.jwk import JWK

from daybook.state.errors import ConfigurationError
from daybook.state.session import Session
from daybook.tools.merchants.ap2.mandates import Mandates
from daybook.tools.merchants.ucp.keys import SigningKey

_SEALED = {"alg": "dir", "enc": "A256GCM"}


class Held(Protocol):
    """Where mandates are held, by the step whose they are."""

    async def keep(self, step: str, session: Session, sealed: str) -> str:
        """Keep the mandate of a step, and return the one that is kept: the first one stays."""
        ...

    async def held(self, step: str) -> str | None:
        """Return the mandate of a step as it was sealed; None where none was made."""
        ...


@dataclass(frozen=True)
class Signatory:
    """Signs and holds.

    Attributes:
        issuer: the URL of our profile, which shows the key.
    """

    key: SigningKey
    issuer: str
    place: Held = field(repr=False)

    async def hold(self, step: str, session: Session, made: Mandates) -> Mandates:
        """Hold what was made for a step, and return what is held: what somebody made before."""
        return self._opened(await self.place.keep(step, session, self._seal(made)))

    async def held(self, step: str) -> Mandates | None:
        """Return what was made for a step; None where nothing was.

        Raises:
            ConfigurationError: it was sealed with another key.
        """
        sealed = await self.place.held(step)
        return None if sealed is None else self._opened(sealed)

    def _seal(self, made: Mandates) -> str:
        token = JWE(
            json.dumps(asdict(made)).encode(), json.dumps(_SEALED), recipient=_secret(self.key)
        )
        return str(token.serialize(compact=True))

    def _opened(self, sealed: str) -> Mandates:
        token = JWE()
        try:
            token.deserialize(sealed, key=_secret(self.key))
        except JWException as error:
            raise ConfigurationError(
                "A mandate was sealed with another signing key than this one. Nothing was sent; "
                "put the key back that stood in DAYBOOK_HOME (merchants/signing_key.pem)."
            ) from error
        read: dict[str, Any] = json.loads(token.payload)
        return Mandates(**read)


def _secret(key: SigningKey) -> JWK:
    """Derive what seals from the private key: it is used for nothing else."""
    scalar = key.private.private_numbers().private_value.to_bytes(32, "big")
    raw = HKDF(SHA256(), 32, None, b"daybook mandates").derive(scalar)
    return JWK(kty="oct", k=base64.urlsafe_b64encode(raw).rstrip(b"=").decode())
