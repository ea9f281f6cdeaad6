"""The bodies of requests; unknown fields are ignored."""

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from daybook.demo.shop.connection import Line as Connection
from daybook.demo.shop.world import World

Id = Annotated[str, Field(min_length=1, max_length=200)]
MOST = 50
"""Lines, ids, destinations and instruments of one request."""


class Part(BaseModel):
    """Leave unknown fields alone: extensions add them."""

    model_config = ConfigDict(extra="ignore", strict=True)


class Item(Part):
    """Name a variant."""

    id: Id


class Line(Part):
    """Ask for so many of a variant; `id` is that of a line that is there already."""

    item: Item
    quantity: Annotated[int, Field(ge=1, le=2**53 - 1)]
    id: Id | None = None


class Group(Part):
    """Choose how a group of lines is sent."""

    id: Id | None = None
    selected_option_id: Id | None = None


class Method(Part):
    """Choose where to, and how, lines are delivered."""

    type: Id = "shipping"
    line_item_ids: Annotated[list[Id], Field(max_length=MOST)] | None = None
    destinations: Annotated[list[dict[str, Any]], Field(max_length=MOST)] | None = None
    selected_destination_id: Id | None = None
    groups: Annotated[list[Group], Field(max_length=MOST)] = []


class Fulfillment(Part):
    """Say how all is delivered."""

    methods: Annotated[list[Method], Field(max_length=MOST)] = []


class Discounts(Part):
    """Name codes for discounts."""

    codes: Annotated[list[Id], Field(max_length=MOST)] = []


class Wanted(Part):
    """Ask for a checkout session, all of it: an update replaces the whole."""

    line_items: Annotated[list[Line], Field(min_length=1, max_length=MOST)]
    buyer: dict[str, Any] | None = None
    fulfillment: Fulfillment | None = None
    discounts: Discounts = Discounts()


class Credential(Part):
    """Carry what pays; nobody shows it."""

    type: Id
    token: Annotated[str, Field(min_length=1, max_length=200, repr=False)] = ""


class Instrument(Part):
    """Name what is paid with."""

    id: Id
    handler_id: Id
    type: Id
    selected: bool = False
    credential: Credential | None = None


class Payment(Part):
    """Say what is paid with."""

    instruments: Annotated[list[Instrument], Field(max_length=MOST)] = []


class Completion(Part):
    """Ask for the order of a session."""

    payment: Payment


class Nothing(Part):
    """Ask with no body, or one that says nothing."""


class Paging(Part):
    """Say which part of a long answer."""

    cursor: Annotated[str, Field(pattern=r"^[0-9]{1,6}$")] | None = None
    limit: Annotated[int, Field(ge=1)] = 10


class Searching(Part):
    """Ask for products by words."""

    query: Annotated[str, Field(max_length=300)] = ""
    pagination: Paging = Paging()


class Looking(Part):
    """Ask for products by their ids."""

    ids: Annotated[list[Id], Field(min_length=1, max_length=MOST)]


class One(Part):
    """Ask for one product by its id."""

    id: Id


@dataclass(frozen=True)
class Asked:
    """A request of either transport: what is asked for, of whom, by whom, and on what.

    `about` is the id of what it is about; `agent` the profile of who asks; `base` the URL by which
    the shop was asked; `fingerprint` tells one that comes again under its key from another one;
    `came_at` when it came in (a stamp); `honours_keys` whether the shop does what was done before
    only once.
    """

    world: World
    line: Connection
    operation: Any
    about: str
    body: Any
    agent: str
    base: str
    key: str | None
    fingerprint: str
    came_at: str = ""
    honours_keys: bool = True
