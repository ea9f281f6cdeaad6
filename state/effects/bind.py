"""Arguments that are taken from the results of earlier steps of the same action.

What an order consumes (the ids of holds) is not known when a person approves. The approved
arguments therefore say where such a value comes from, and the hash of what was approved covers
that; the value is read from the ledger when the step is claimed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict


class Take(BaseModel):
    """Name one field of the result of one step."""

    model_config = ConfigDict(frozen=True)

    step: str
    field: str


class Binding(BaseModel):
    """Say how one argument is made from results.

    Attributes:
        takes: the values to take, in order.
        into: "value" (the one value), "list" (all of them), or "text" (`template` filled in).
        template: text with one `{}` for each value, in order.

    """

    model_config = ConfigDict(frozen=True)

    takes: tuple[Take, ...]
    into: Literal["value", "list", "text"] = "value"
    template: str = ""

    def value(self, results: Mapping[str, Mapping[str, Any]]) -> Any:
        """Make the argument from the results of the steps, by step name.

        Raises:
            KeyError: a step has no result yet.

        """
        values = [results[take.step][take.field] for take in self.takes]
        if self.into == "list":
            return values
        if self.into == "text":
            return fill(self.template, values)
        return values[0]

    def __str__(self) -> str:
        names = [f"<{take.field} of {take.step}>" for take in self.takes]
        if self.into == "text":
            return fill(self.template, names)
        return ", ".join(names)


def take(step: str, field: str) -> Binding:
    """Bind an argument to one field of a step's result.

    Example:
        >>> charge_id = take("charge", "charge_id")
        >>> str(charge_id), charge_id.value({"charge": {"charge_id": "CH-1"}})
        ('<charge_id of charge>', 'CH-1')
    """
    return Binding(takes=(Take(step=step, field=field),))


def take_all(steps: list[str], field: str) -> Binding:
    """Bind an argument to a list of one field of several steps' results, in order.

    Example:
        >>> held = {"line 1": {"hold_id": "H-1"}, "line 2": {"hold_id": "H-2"}}
        >>> take_all(["line 1", "line 2"], "hold_id").value(held)
        ['H-1', 'H-2']
    """
    return Binding(takes=tuple(Take(step=step, field=field) for step in steps), into="list")


def take_into(template: str, step: str, field: str) -> Binding:
    """Bind an argument to a text with one value at `{}`.

    Example:
        >>> subject = take_into("Your order {} is placed", "order", "order_id")
        >>> subject.value({"order": {"order_id": "O-7"}})
        'Your order O-7 is placed'
    """
    return Binding(takes=(Take(step=step, field=field),), into="text", template=template)


def fill(template: str, values: list[Any]) -> str:
    """Put values into a template in order, leaving all other text as it is."""
    parts = template.split("{}")
    filled = parts[0]
    for part, value in zip(parts[1:], values, strict=True):
        filled += f"{value}{part}"
    return filled
