from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Name = Annotated[str, Field(min_length=1, max_length=200)]
Cents = Annotated[int, Field(gt=0, le=1_000_000_000)]


class Body(BaseModel):
    """Refuse unknown fields and values of another type instead of guessing."""

    model_config = ConfigDict(extra="forbid", strict=True)


class EffectBody(Body):
    """Carry the caller's own reference: its word for the business operation."""

    reference: Name


class HoldBody(EffectBody):
    """Ask to set `quantity` of a product aside."""

    user_id: Name
    sku: Name
    quantity: Annotated[int, Field(ge=1, le=1000)]


class ReleaseBody(EffectBody):
    """Ask to give a hold back."""

    hold_id: Name


class ChargeBody(EffectBody):
    """Ask to take `amount` cents from a card."""

    user_id: Name
    card_id: Name
    amount: Cents
    currency: Name


class RefundBody(EffectBody):
    """Ask to give `amount` cents of a charge back."""

    charge_id: Name
    amount: Cents
    currency: Name


class OrderBody(EffectBody):
    """Ask to turn holds and a charge into an order."""

    user_id: Name
    hold_ids: Annotated[list[Name], Field(min_length=1, max_length=100)]
    charge_id: Name
    address_id: Name


class CancellationBody(EffectBody):
    """Ask to cancel an order; it does not refund."""

    order_id: Name
    reason: Annotated[str, Field(max_length=500)] | None = None
