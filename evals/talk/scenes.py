"""Scenes that were written down: what people say to the shop, and what is right after each turn."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter


class _Written(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Wants(_Written):
    """What a sensible shop assistant does in a turn; what is left out is not judged.

    Attributes:
        cart: what is in the cart afterwards, by sku; `#2` is the second of the list shown last.
            "same" as before the turn.
        asks: a question back is right.
        may_ask: doing exactly that, or a question back.
        calls: at least one of these tools is called.
        says: of each of these lists at least one is in the answer, in any case.
        never: none of these is in the answer.
        limit: cents; no product that is listed costs more.
        answer: what a person answers to a question for approval.
    """

    cart: dict[str, int] | Literal["same"] | None = None
    asks: bool = False
    may_ask: bool = False
    calls: tuple[str, ...] = ()
    says: tuple[tuple[str, ...], ...] = ()
    never: tuple[str, ...] = ()
    limit: int | None = None
    answer: Literal["approve", "reject"] = "reject"


class Turn(_Written):
    """One thing that a person says, and what is right then."""

    say: str
    wants: Wants = Field(default_factory=Wants)


class Scene(_Written):
    """Turns on one fresh thread."""

    scene: str
    turns: tuple[Turn, ...]


def scenes_of(path: Path) -> tuple[Scene, ...]:
    """Read scenes from a file.

    Raises:
        OSError: it cannot be read.
        pydantic.ValidationError: it is not of this form; the error holds what it says.
    """
    return TypeAdapter(tuple[Scene, ...]).validate_json(path.read_bytes())
