"""Arguments, checked against the signature and brought to their normal form."""

from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field

from state.errors import ToolRefused
from tools.signature import arguments_of, checked, order_of_unnamed, schema_of


class Address(BaseModel):
    street: str
    city: str | None = None


async def order(
    sku: Annotated[str, Field(min_length=1)],
    quantity: Annotated[int, Field(ge=1)] = 1,
    note: str | None = None,
    speed: Literal["slow", "fast"] = "slow",
    to: Address | None = None,
    *,
    ctx: Any,
) -> Any:
    """Order."""


MODEL = arguments_of(order)


def test_the_context_is_no_argument():
    assert list(MODEL.model_fields) == ["sku", "quantity", "note", "speed", "to"]


@pytest.mark.parametrize(
    ("args", "normal"),
    [
        ({"sku": "B-1"}, {"sku": "B-1", "quantity": 1, "speed": "slow"}),
        ({"sku": " B-1 ", "note": None}, {"sku": "B-1", "quantity": 1, "speed": "slow"}),
        ({"sku": "B-1", "quantity": "2"}, {"sku": "B-1", "quantity": 2, "speed": "slow"}),
        (
            {"sku": "B-1", "to": {"street": "a  b", "city": None}},
            {"sku": "B-1", "quantity": 1, "speed": "slow", "to": {"street": "a b"}},
        ),
    ],
)
def test_arguments_are_brought_to_their_normal_form(args: dict[str, Any], normal: dict[str, Any]):
    assert checked(MODEL, args) == normal


@pytest.mark.parametrize(
    ("args", "fault"),
    [
        ({}, "sku: Field required"),
        ({"sku": ""}, "sku: String should have at least 1 character"),
        ({"sku": "B-1", "quantity": 0}, "quantity: Input should be greater than or equal to 1"),
        ({"sku": "B-1", "quantity": "many"}, "quantity: Input should be a valid integer"),
        ({"sku": "B-1", "speed": "warp"}, "speed: Input should be 'slow' or 'fast'"),
        ({"sku": "B-1", "colour": "red"}, "colour: Extra inputs are not permitted"),
        ({"sku": "B-1", "to": {}}, "to.street: Field required"),
        ({"sku": "\ud800"}, "sku: "),
    ],
)
def test_arguments_that_do_not_fit_are_refused_with_which_and_why(args: dict[str, Any], fault: str):
    with pytest.raises(ToolRefused) as refused:
        checked(MODEL, args)
    assert str(refused.value).startswith("The arguments do not fit: ")
    assert fault in str(refused.value)


def test_every_fault_is_named_at_once():
    with pytest.raises(ToolRefused, match=r"sku: .*; quantity: "):
        checked(MODEL, {"quantity": 0})


def test_a_refusal_does_not_repeat_what_was_given():
    with pytest.raises(ToolRefused) as refused:
        checked(MODEL, {"sku": "B-1", "quantity": "4111 1111 1111 1111"})
    assert "4111" not in str(refused.value)


def test_a_tool_without_arguments_has_an_empty_schema():
    async def ping(*, ctx: Any) -> Any:
        """Ping."""

    parameters = schema_of("ping", "Ping.", arguments_of(ping))["function"]["parameters"]
    assert parameters == {"type": "object", "properties": {}, "additionalProperties": False}


class Whatever(BaseModel):
    model_config = ConfigDict(extra="allow")

    sku: Any = None


@pytest.mark.parametrize(
    ("args", "order"),
    [
        ({"sku": 1}, []),
        ({"zip": 1, "sku": 1}, []),
        ({"zip": 1, "sku": 1, "a": 2}, ["zip", "a"]),
    ],
)
def test_the_order_of_arguments_counts_where_a_tool_takes_what_it_does_not_know(
    args: dict[str, Any], order: list[str]
):
    assert order_of_unnamed(Whatever, args) == order
    assert order_of_unnamed(MODEL, args) == []
