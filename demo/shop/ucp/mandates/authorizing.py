"""The shop's word for a checkout: a detached JWS over its canonical JSON, `ap2` left out."""

import base64
import json
from typing import Any, Final

import rfc8785
from jwcrypto.common import JWException
from jwcrypto.jwk import JWK
from jwcrypto.jws import JWS

from daybook.demo.shop.ucp.said.envelope import SERVICE, VERSION
from daybook.demo.shop.ucp.said.signing import Signer

CAPABILITY: Final = "ap2_mandate"
ALGORITHM: Final = "ES256"


def authorized(body: dict[str, Any], signer: Signer) -> dict[str, Any]:
    """Return a checkout with the shop's signature over it."""
    envelope = dict(body["ucp"])
    envelope["capabilities"] = {
        **envelope.get("capabilities", {}),
        f"{SERVICE}.{CAPABILITY}": [{"version": VERSION}],
    }
    told = {**body, "ucp": envelope}
    token = JWS(rfc8785.dumps(told))
    header = json.dumps({"alg": ALGORITHM, "kid": signer.key_id})
    token.add_signature(JWK.from_pyca(signer.private), ALGORITHM, header)
    protected, _, proof = token.serialize(compact=True).split(".")
    return {**told, "ap2": {"merchant_authorization": f"{protected}..{proof}"}}


def is_own_word(checkout: dict[str, Any], signature: str, signer: Signer) -> bool:
    """Tell whether a checkout is signed by the shop, just as it is here."""
    if signature.count(".") != 2:
        return False
    protected, _, proof = signature.split(".")
    told = {name: value for name, value in checkout.items() if name != "ap2"}
    token = JWS()
    token.allowed_algs = [ALGORITHM]
    try:
        payload = base64.urlsafe_b64encode(rfc8785.dumps(told)).rstrip(b"=").decode()
        key = JWK.from_pyca(signer.private.public_key())
        token.deserialize(f"{protected}.{payload}.{proof}", key, ALGORITHM)
    except (JWException, rfc8785.CanonicalizationError, ValueError):
        return False
    return True
