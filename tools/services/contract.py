"""What a service's answers prove, declared once per service; undeclared answers prove nothing.

It is data; `daybook.tools.services.classify` reads answers by it. docs/tools.md is its page.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, Literal, TypeAlias, get_args

from daybook.state.effects.guarantees import NO_GUARANTEES, Guarantees
from daybook.state.errors import DeclarationError

Path: TypeAlias = tuple[str | int, ...]
"""Where something stands in a body: names of fields, and positions in lists."""

Sign: TypeAlias = int | str
"""A status (a number), or a code in the body: a text, also where the service writes a number."""

Encoding: TypeAlias = Literal["json", "form"]

HEADER: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")

LONGEST_CODE = 100
"""Characters; a longer text is no code."""

MEANINGS: Final = ("declined", "turned_away", "not_done", "in_progress", "key_reused")


@dataclass(frozen=True, kw_only=True)
class Contract:
    """Declare what the answers of a service prove; any other answer leaves the outcome unknown.

    A status counts only if the body has the form of the service's own errors, a JSON object with a
    code: a proxy's page with the same status proves nothing. A code counts before a status; of
    several codes, the one whose path is listed first.

    Attributes:
        name: the service's name, shown to users.
        guarantees: what the service promises of keys; give the tools the same
            (`@write(guarantees=OFFICE.guarantees)`).
        success: statuses that confirm, with a JSON object that holds no error.
        success_without_body: statuses that confirm with an empty body, such as 204.
        ok: the path of a field that says whether it was done, such as `("ok",)`; then nothing else
            confirms.
        ok_values: the values of that field which confirm.
        declined: final refusals: the request was processed and not done. If the service stores
            failures, these are the ones that it stores.
        turned_away: rejections before processing (authentication, malformed): this request did
            nothing, but an earlier one under the same key may have.
        not_done: this request did nothing and may be sent again ("too many requests").
        in_progress: it is being processed, or an earlier request under its key is.
        key_reused: the key was used with another request, which may have had an effect.
        key_header: the header that carries the key; None for none.
        key_field: the field of the body that carries the key; None for none.
        longest_key: characters; a longer key is sent as its SHA-256.
        encoding: of bodies: "json", or "form" with brackets for nested fields.
        code: paths of an error's code; the first one present counts.
        message: paths of an error's message for users; the first one present counts.

    Raises:
        DeclarationError: it contradicts itself; the message says what to write.

    Example:
        >>> office = Contract(name="office", declined={402, "room_taken"}, not_done={"too_busy"})
        >>> office.key_header
        'Idempotency-Key'
    """

    name: str
    guarantees: Guarantees = NO_GUARANTEES
    success: Collection[int] = frozenset({200, 201})
    success_without_body: Collection[int] = frozenset()
    ok: Path | None = None
    ok_values: tuple[Any, ...] = (True,)
    declined: Collection[Sign] = frozenset()
    turned_away: Collection[Sign] = frozenset()
    not_done: Collection[Sign] = frozenset()
    in_progress: Collection[Sign] = frozenset()
    key_reused: Collection[Sign] = frozenset()
    key_header: str | None = "Idempotency-Key"
    key_field: str | None = None
    longest_key: int = 255
    encoding: Encoding = "json"
    code: tuple[Path, ...] = (("error", "code"), ("error", "type"), ("error",))
    message: tuple[Path, ...] = (
        ("error", "message"),
        ("message",),
        ("error_description",),
        ("detail",),
    )

    def __post_init__(self) -> None:
        """Check it, and take any collection for a set."""
        for name in ("success", "success_without_body", *MEANINGS):
            given = getattr(self, name)
            if isinstance(given, str) or not isinstance(given, Collection):
                self._refuse(f"`{name}` must be a set, such as {{402}}")
            object.__setattr__(self, name, frozenset(given))
        self._check_signs()
        for path in (*self.code, *self.message, *(() if self.ok is None else (self.ok,))):
            if not isinstance(path, tuple) or not path:
                self._refuse(f'a path is a tuple, such as ("error", "code"), not {path!r}')
        if not self.code and any(getattr(self, name) for name in MEANINGS):
            self._refuse("`code` must say where codes are: a proxy's answer has none")
        if self.key_header is not None and not HEADER.fullmatch(self.key_header):
            self._refuse(f"{self.key_header!r} is not a header name")
        if self.guarantees.honours_key and self.key_header is None and self.key_field is None:
            self._refuse("a service that honours keys needs `key_header` or `key_field`")
        if self.encoding not in get_args(Encoding):
            self._refuse(f"`encoding` is one of {', '.join(get_args(Encoding))}")

    def _check_signs(self) -> None:
        for name in ("success", "success_without_body"):
            if not all(_is_status(one, 200, 299) for one in getattr(self, name)):
                self._refuse(f"`{name}` holds statuses from 200 to 299")
        said: dict[Sign, str] = dict.fromkeys(self.success, "success")
        for name in MEANINGS:
            least = 200 if name == "in_progress" else 400
            for sign in getattr(self, name):
                is_code = isinstance(sign, str) and 0 < len(sign) <= LONGEST_CODE
                if not is_code and (not _is_status(sign, least, 599) or sign in range(300, 400)):
                    self._refuse(f"`{name}` holds statuses from 400 to 599 and codes, not {sign!r}")
                if sign in said:
                    self._refuse(f"{sign!r} is in `{said[sign]}` and in `{name}`: leave it in one")
                said[sign] = name

    def _refuse(self, why: str) -> None:
        raise DeclarationError(f"The contract of {self.name!r} is invalid: {why}.")


def _is_status(sign: Any, least: int, most: int) -> bool:
    return isinstance(sign, int) and not isinstance(sign, bool) and least <= sign <= most


SAYS_NOTHING: Final = Contract(name="the service")
"""The contract of a service of which nothing is known. A 200 or 201 with a JSON object that holds
no error is done, as everywhere; every other answer is unknown. It is in doubt then, unless the tool
declares a key or a probe."""

STRIPE_V1: Final = Contract(
    name="Stripe",
    guarantees=Guarantees(
        honours_key=True, stores_failures=True, retention=timedelta(hours=24), settle=None
    ),
    declined={402, "card_error", "card_declined", "charge_already_refunded"},
    turned_away={400, 401, 403, 404},
    not_done={"rate_limit", "rate_limit_error"},
    in_progress={409, "idempotency_key_in_use"},
    key_reused={"idempotency_error"},
    encoding="form",
    code=(("error", "code"), ("error", "decline_code"), ("error", "type")),
    message=(("error", "message"),),
)
"""Stripe's API v1, by its public documentation (docs.stripe.com/api/idempotent_requests,
/error-low-level, /api/errors, /error-codes):

- Keys are kept for at least 24 hours, have at most 255 characters, and are compared with the
  parameters: another request under a used key is an `idempotency_error`.
- Status and body are stored once the endpoint began to execute, errors and 500s too. So a 402 (the
  request was valid, and failed) is final, and a 500 leaves it open for as long as the key lives: it
  comes back as it was stored, and a reviewer is asked.
- Nothing is stored of what failed validation before that, of a request that met another one under
  its key (409), or one too many (429, before keys are looked at): each speaks of itself alone.
- A `lock_timeout` (429 too) came while it was executed: unknown.
- Requests are forms with brackets, answers JSON with `error.type`, `error.code`, `error.message`.

Stripe names no longest time by which a request may lag, so `settle` is None. `Authorization` and
`Stripe-Version` are headers of the `HttpService`; without a version, an account's upgrade would
change what the same bytes mean."""

STRIPE_V2: Final = Contract(
    name="Stripe",
    guarantees=Guarantees(honours_key=True, stores_failures=False, retention=timedelta(days=30)),
    turned_away={400, 401, 402, 403, 404},
    not_done={"rate_limit", "rate_limit_error"},
    in_progress={409, "idempotency_key_in_use"},
    key_reused={"idempotency_error"},
    code=STRIPE_V1.code,
    message=STRIPE_V1.message,
)
"""Stripe's API v2 (docs.stripe.com/api-v2-overview): JSON both ways, keys for 30 days, and what
failed is executed again under its key: no failure is stored, so each no speaks of itself alone."""
