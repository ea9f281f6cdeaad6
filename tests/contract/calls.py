"""A discriminated union in state, as Daybook's ledger view is one."""

from enum import Enum
from typing import Annotated, Literal

from pydantic import BaseModel, Field
from typing_extensions import TypedDict


class Status(Enum):
    """An enum inside a model and by itself."""

    OPEN = "open"
    DONE = "done"


class Money(BaseModel):
    """A model that is only ever inside another one."""

    cents: int
    currency: str


class ReadCall(BaseModel):
    """One member of the union."""

    kind: Literal["read"] = "read"
    tool: str


class WriteCall(BaseModel):
    """Another member, with a model and an enum inside."""

    kind: Literal["write"] = "write"
    tool: str
    total: Money
    status: Status = Status.OPEN


Call = Annotated[ReadCall | WriteCall, Field(discriminator="kind")]


class LedgerState(TypedDict, total=False):
    """Members of the union as items of a dict, and an enum as a value."""

    ledger: dict[str, Call]
    status: Status


LEDGER: dict[str, Call] = {
    "1": ReadCall(tool="search"),
    "2": WriteCall(tool="charge", total=Money(cents=350, currency="USD")),
}
