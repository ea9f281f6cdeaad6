"""The union that stands in the toy's state."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field


class ReadCall(BaseModel):
    """One member."""

    kind: Literal["read"] = "read"
    tool: str


class WriteCall(BaseModel):
    """The other one."""

    kind: Literal["write"] = "write"
    tool: str
    cents: int


Call = Annotated[ReadCall | WriteCall, Field(discriminator="kind")]
