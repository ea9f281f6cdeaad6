"""Receipts: the outcome of each effect, stated beside the model's text. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage
from pydantic import BaseModel, ConfigDict, Field

from daybook.state.effects.reference import reference_text
from daybook.state.money import in_units


class ReceiptStatus(StrEnum):
    """What is known about an effect."""

    WAITING = "waiting"
    """Not sent: it waits for an approval, or for its turn."""
    PENDING = "pending"
    """Sent, and the outcome is not known yet."""
    DONE = "done"
    DECLINED = "declined"
    """The provider refused it."""
    NOT_DONE = "not done"
    """Never sent: rejected, expired, withdrawn, or given up with its plan."""
    IN_DOUBT = "in doubt"
    """Sent, and a reviewer must find out whether it happened."""
    UNDONE = "undone"
    """Done, and compensated."""


class ReceiptLine(BaseModel):
    """The outcome of one effect, as shown to the user.

    Example:
        >>> line = ReceiptLine(
        ...     kind="charge",
        ...     id="CH-1001",
        ...     amount=13_190,
        ...     currency="USD",
        ...     status=ReceiptStatus.DONE,
        ... )
        >>> print(line)
        charge: done, CH-1001, 131.90 USD
    """

    model_config = ConfigDict(frozen=True)

    kind: str = Field(description="the effect's tool, such as `charge` or `place_order`")
    id: str = Field(default="", description="the provider's id of the effect; empty if unknown")
    amount: int | None = Field(default=None, description="integer cents")
    currency: str = Field(default="", description="ISO 4217 code of the amount")
    status: ReceiptStatus
    reason: str = Field(default="", description="why it was not done, or is in doubt")

    def __str__(self) -> str:
        kind = self.kind.replace("_", " ")
        parts = [self.status.value, reference_text(self.id)]
        if self.amount is not None:
            parts.append(f"{in_units(self.amount, self.currency)} {self.currency}".strip())
        text = f"{kind}: {', '.join(filter(None, parts))}"
        return f"{text} ({self.reason.rstrip('.')})" if self.reason else text


def receipt_text(lines: Iterable[ReceiptLine]) -> str:
    """Write receipt lines as the text of one message; empty for no lines."""
    return "\n".join(f"- {line}" for line in lines)


_RECEIPT = "/receipt"


def is_receipt(message_id: str | None) -> bool:
    """Tell whether a message is a receipt; no client can give a message such an id."""
    return message_id is not None and _RECEIPT in message_id


def states_effects(message: AnyMessage) -> bool:
    """Tell whether a message is a receipt that has lines: notices and corrections have none."""
    return is_receipt(message.id) and bool(message.additional_kwargs.get("receipt"))


def receipt_message(
    about: str, lines: Sequence[ReceiptLine], notices: Sequence[str] = (), correction: str = ""
) -> AIMessage | None:
    """Make the message that states what became of effects; None if there is nothing to state.

    No prompt is made of it: a model can neither write nor withhold a receipt.

    Args:
        about: the turn or plan; the same one gives the same message id.
        notices: what else the machine has to say.
        correction: what contradicts the model's text.
    """
    parts = [*notices, receipt_text(lines), correction]
    text = "\n\n".join(part for part in parts if part)
    if not text:
        return None
    return AIMessage(
        text,
        id=f"{about}{_RECEIPT}",
        name="receipt",
        additional_kwargs={"receipt": [line.model_dump(mode="json") for line in lines]},
    )


_MAY_HAVE_HAPPENED = frozenset(
    {ReceiptStatus.PENDING, ReceiptStatus.DONE, ReceiptStatus.IN_DOUBT, ReceiptStatus.UNDONE}
)


def effects_beside(lines: Iterable[ReceiptLine]) -> str:
    """Write what stands beside an answer: all receipts of the thread, and that there are no others.

    Example:
        >>> print(effects_beside([]))
        No effect was carried out in this conversation.
    """
    lines = list(lines)
    other = "other " if any(line.status in _MAY_HAVE_HAPPENED for line in lines) else ""
    return f"{receipt_text(lines)}\nNo {other}effect was carried out in this conversation.".strip()


def stream_event(receipt: AIMessage) -> dict[str, Any]:
    """Return the event of the `custom` stream by which clients read a receipt."""
    lines = receipt.additional_kwargs["receipt"]
    return {"id": receipt.id, "receipt": lines, "text": receipt.text}
