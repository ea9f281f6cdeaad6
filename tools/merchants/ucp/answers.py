"""Parse a merchant's answers. They are untrusted: bounded, in one line, without markup.

What is more than is read is left out. What money depends on is read strictly, and an answer without
it cannot be used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Final, TypeVar
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
)

from daybook.state.plain import in_a_line, printable

MOST_TEXT: Final = 300
"""Characters that are taken of a text of a merchant."""

MOST_WARNED: Final = 1_000
"""Characters of a warning: what a person must be shown is shown whole."""

MOST_ROWS: Final = 50
"""Products, lines, totals and messages that are taken of an answer."""

_LONGEST_CURSOR: Final = 2_000
_LARGEST: Final = 2**53 - 1
"""The largest amount and quantity of the protocol's schemas."""


class Unusable(ValueError):
    """Say why an answer cannot be used."""


class Part(BaseModel):
    """A part of an answer: what it has beside its fields is left out."""

    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True)


P = TypeVar("P", bound=Part)


def taken(model: type[P], given: Any, what: str) -> P:
    """Take something whole.

    Raises:
        Unusable: it is invalid, or what money depends on is missing. No word of it is repeated.
    """
    try:
        return model.model_validate(given)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        where = ".".join(map(str, first["loc"])) or "all of it"
        rule = "is missing, and the protocol requires it"
        if first["type"] == "value_error":
            # A validator's of ours, which repeats nothing.
            rule = first["msg"].removeprefix("Value error, ")
        elif first["type"] != "missing":
            rule = "is not what the protocol requires there"
        raise Unusable(f"of {what} `{where}` {rule}") from None


# -- single values --------------------------------------------------------------------------------


def bounded(most: int) -> BeforeValidator:
    """Take a text as one line of so many characters at most; "" if it is none."""
    return BeforeValidator(lambda given: in_a_line(given, most))


def _shown(name: str) -> str:
    if printable(name) != name or not name.isprintable():
        raise ValueError("contains control characters")
    return name


def rows(given: Any) -> list[Mapping[str, Any]]:
    """Take the objects of a list, not more than are read of any; none if it is no list."""
    found = given if isinstance(given, list) else []
    return [one for one in found[:MOST_ROWS] if isinstance(one, Mapping)]


def moment(given: Any) -> datetime | None:
    """Take a time, UTC; None if it is none."""
    try:
        at = datetime.fromisoformat(given)
    except (TypeError, ValueError):
        return None
    return (at if at.tzinfo is not None else at.replace(tzinfo=UTC)).astimezone(UTC)


def link(given: Any) -> str | None:
    """Take a link that a person may open; None if it is none. It is never followed by us."""
    if not isinstance(given, str) or len(given) > 2_000 or not given.isprintable():
        return None
    try:
        parts = urlsplit(given)
    except ValueError:
        return None
    is_link = parts.scheme in ("http", "https") and parts.hostname and not parts.username
    return given if is_link and " " not in given else None


Line40 = Annotated[str, bounded(40)]
Line120 = Annotated[str, bounded(120)]
Id = Annotated[str, Field(strict=True, min_length=1, max_length=200), AfterValidator(_shown)]
MaybeId = Annotated[Id | None, BeforeValidator(lambda given: given or None)]
Cents = Annotated[int, Field(strict=True, ge=0, le=_LARGEST)]
Difference = Annotated[int, Field(strict=True, ge=-_LARGEST, le=_LARGEST)]
Currency = Annotated[str, Field(strict=True, pattern="^[A-Z]{3}$")]
Moment = Annotated[datetime | None, BeforeValidator(moment)]
Link = Annotated[str | None, BeforeValidator(link)]
Rows = BeforeValidator(rows)


def at_home(body: Mapping[str, Any], home: str) -> Mapping[str, Any]:
    """Return an answer without a page to go on at that is not at the merchant's host, or below it.

    Args:
        home: the URL by which the merchant is known.
    """
    there, here = urlsplit(link(body.get("continue_url")) or ""), urlsplit(home)
    is_own = there.netloc.lower() == here.netloc.lower() and there.scheme in ("https", here.scheme)
    below = f".{here.hostname}"
    is_below = there.scheme == "https" and "." in below[1:] and there.netloc.lower().endswith(below)
    if is_own or is_below:
        return body
    return {name: value for name, value in body.items() if name != "continue_url"}


# -- messages -------------------------------------------------------------------------------------


class Message(Part):
    """What a merchant says about a checkout.

    Attributes:
        kind: error, warning or info.
        severity: of an error: recoverable, requires_buyer_input, requires_buyer_review or
            unrecoverable.
        link: where more is read about it; it is shown, and never followed by us.
    """

    kind: Annotated[Line40, AfterValidator(lambda kind: kind or "info")] = Field(
        default="info", alias="type"
    )
    code: Annotated[str, bounded(100)] = ""
    content: Annotated[str, bounded(MOST_WARNED)] = ""
    severity: Line40 = ""
    path: Annotated[str, bounded(100)] = ""
    presentation: Line40 = ""
    link: Link = Field(default=None, alias="url")
    image: Link = Field(default=None, alias="image_url")

    @property
    def must_show(self) -> bool:
        """Tell whether a person must see it."""
        return self.kind == "warning"

    @property
    def beside(self) -> bool:
        """Tell whether it must stand beside what it is about, wherever that is shown."""
        return self.must_show and self.presentation == "disclosure"

    def __str__(self) -> str:
        most = MOST_WARNED if self.must_show else MOST_TEXT
        return in_a_line(self.content, most) or self.code

    @property
    def line(self) -> str:
        """Write it with where more is read about it."""
        link = self.link or self.image
        return f"{self} (see {link})" if link else str(self)

    @property
    def advice(self) -> str:
        """Write it for the model, which is told by the severity who settles an error."""
        return f"{self.line} ({self.severity or self.kind})" if self.kind == "error" else self.line


def refusal(body: Mapping[str, Any], status: int) -> Sequence[Message]:
    """Return the errors by which a merchant says no instead of giving anything.

    Beside the protocol's messages these are, of a request that is turned away (4xx): its errors of
    discovery (`code`, `content`), problem details (RFC 9457), and what a validation found. Whatever
    else is JSON may be a proxy's.
    """
    said = [Message.model_validate(one) for one in rows(body.get("messages"))]
    errors = [one for one in said if one.kind == "error"]
    if errors or not 400 <= status < 500:
        return errors
    code, detail = body.get("code"), body.get("detail")
    if isinstance(detail, Mapping) and (within := refusal(detail, status)):
        return within
    content = body.get("content", detail)
    if isinstance(code, str) and isinstance(content, str):
        named = {"code": code, "content": content, "url": body.get("continue_url")}
    elif isinstance(title := body.get("title"), str) and {"type", "status"} & body.keys():
        words = filter(None, (title, detail if isinstance(detail, str) else ""))
        found = _found_in(body.get("errors"))
        named = {"code": in_a_line(body.get("type"), 100).rpartition("/")[2]}
        named["content"] = ": ".join([*words, *([found] if found else [])])
    elif status in _DETAILED and (found := _found_in(detail)):
        named = {"code": _DETAILED[status], "content": found}
    else:
        return []
    return [Message.model_validate({"type": "error", **named})]


_DETAILED: Final = {
    400: "invalid",
    401: "not_admitted",
    402: "refused",
    403: "not_admitted",
    422: "invalid",
    429: "busy",
}
"""Of statuses that say no, which a bare `detail` explains: what each is called."""


def _found_in(detail: Any) -> str:
    """Return what a validation found, a field and what is wrong with it each."""
    if isinstance(detail, str):
        return detail
    if isinstance(detail, Mapping):
        return next((one for one in map(detail.get, _WORDS) if isinstance(one, str)), str(detail))
    found = []
    for one in rows(detail):
        where = one.get("loc", one.get("pointer"))
        place = ".".join(map(str, where)) if isinstance(where, list) else in_a_line(where, 100)
        words = next((in_a_line(one[name], MOST_TEXT) for name in _WORDS if name in one), "")
        found.append(": ".join(filter(None, (place, words))))
    return "; ".join(filter(None, found))


_WORDS: Final = ("msg", "message", "content", "detail")


# -- the catalogue --------------------------------------------------------------------------------


class Offer(Part):
    """Something that can be bought: a variant of a product.

    Attributes:
        price: cents of `currency`.
        available: False if the merchant says that it is not; None if it says nothing.
    """

    item_id: Id
    title: str
    price: Cents
    currency: Currency
    description: str = ""
    available: bool | None = None

    def as_row(self) -> dict[str, Any]:
        """Write it as a row of a read."""
        return self.model_dump(exclude={"available"} if self.available is None else set())


def offers(body: Mapping[str, Any]) -> list[Offer]:
    """Take what can be bought of an answer of the catalogue; what has no price is left out."""
    found = (
        _offer(product, variant)
        for product in rows(body.get("products"))
        for variant in rows(product.get("variants"))
    )
    return [offer for offer in found if offer is not None][:MOST_ROWS]


def _offer(product: Mapping[str, Any], variant: Mapping[str, Any]) -> Offer | None:
    title, own = (in_a_line(one.get("title"), 120) for one in (product, variant))
    price, there = (
        found if isinstance(found := variant.get(name), Mapping) else {}
        for name in ("price", "availability")
    )
    available = there.get("available")
    offer = {
        "item_id": variant.get("id"),
        "title": own if not title or title in own else f"{title}, {own}".rstrip(", "),
        "price": price.get("amount"),
        "currency": price.get("currency"),
        "description": described(variant.get("description") or product.get("description")),
        "available": available if isinstance(available, bool) else None,
    }
    try:
        return taken(Offer, offer, "an offer")
    except Unusable:
        return None


def described(given: Any) -> str:
    """Take a description in whatever form it came; HTML and Markdown become plain lines."""
    forms = given if isinstance(given, Mapping) else {"plain": given}
    said = (in_a_line(forms.get(form), MOST_TEXT) for form in ("plain", "markdown", "html"))
    return next(filter(None, said), "")


def next_page(body: Mapping[str, Any]) -> str | None:
    """Return the cursor of the page behind this one; None if there is none."""
    page = body.get("pagination")
    if not isinstance(page, Mapping) or page.get("has_next_page") is not True:
        return None
    cursor = page.get("cursor")
    return cursor if isinstance(cursor, str) and 0 < len(cursor) <= _LONGEST_CURSOR else None
