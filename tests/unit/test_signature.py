"""Arguments, checked against the signature and brought to their normal form."""

import json
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, model_validator

from daybook.state.effects.keys import canonical
from daybook.state.errors import ToolRefused
from daybook.tools.signature import (
    arguments_of,
    checked,
    comparable,
    passed_through,
)


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


@pytest.mark.parametrize(
    "args",
    [
        {"sku": "B-1"},
        {"note": None, "sku": "  B-1  x "},
        {"sku": "B-1", "quantity": 2.0},
        {"to": {"city": None, "street": "a  b"}, "sku": "B-1"},
    ],
)
def test_what_fits_stays_as_it_was_decided(args: dict[str, Any]):
    """What is intended, approved and sent has its spaces, its None and its order, no defaults."""
    assert json.dumps(checked(MODEL, args)) == json.dumps(args)
    assert list(MODEL.model_fields) == ["sku", "quantity", "note", "speed", "to"], "and no context"


@pytest.mark.parametrize(
    ("args", "normal"),
    [
        ({"sku": "B-1"}, {"sku": "B-1", "quantity": 1, "speed": "slow"}),
        ({"sku": " B-1 ", "note": None}, {"sku": "B-1", "quantity": 1, "speed": "slow"}),
        ({"sku": "B-1", "quantity": 2.0}, {"sku": "B-1", "quantity": 2, "speed": "slow"}),
        (
            {"sku": "B-1", "to": {"street": "a  b", "city": None}},
            {"sku": "B-1", "quantity": 1, "speed": "slow", "to": {"street": "a b"}},
        ),
        ({"quantity": " 2 "}, {"quantity": "2"}),
    ],
)
def test_arguments_are_compared_in_their_normal_form(args: dict[str, Any], normal: dict[str, Any]):
    assert comparable(MODEL, args) == normal


class Size(StrEnum):
    SMALL = "s"


class Line(BaseModel):
    quantity: int


async def typed(
    on: date | None = None,
    at: datetime | None = None,
    price: Decimal | None = None,
    size: Size | None = None,
    weight: float | None = None,
    count: int | None = None,
    rush: bool | None = None,
    name: str | None = None,
    lines: tuple[Line, ...] = (),
    either: int | str | None = None,
    *,
    ctx: Any,
) -> Any:
    """Order."""


TYPED = arguments_of(typed)


def test_a_type_is_read_as_json_writes_it():
    for args in (
        *({"on": "2031-05-06"}, {"at": "2031-05-06T12:00:00Z"}, {"price": "1.10"}, {"price": 1.1}),
        *({"size": "s"}, {"weight": 1}, {"count": 5.0}, {"count": 1e16}, {"rush": True}),
        *({"lines": [{"quantity": 1}]}, {"either": "100"}),
    ):
        assert checked(TYPED, args) == args


@pytest.mark.parametrize(
    ("model", "args", "faults"),
    [
        *((TYPED, {"count": odd}, ["count"]) for odd in ("100", 5.5, True)),
        *((TYPED, {"rush": odd}, ["rush"]) for odd in ("true", 1)),
        (TYPED, {"name": 1}, ["name"]),
        (TYPED, {"weight": "1.5"}, ["weight"]),
        (TYPED, {"lines": [{"quantity": "1"}]}, ["lines.0.quantity"]),
        (TYPED, {"ctx": 1}, ["ctx"]),
        (MODEL, {}, ["sku"]),
        (MODEL, {"sku": ""}, ["sku"]),
        *((MODEL, {"sku": "B-1", "quantity": odd}, ["quantity"]) for odd in (0, "many")),
        (MODEL, {"sku": "B-1", "speed": "warp"}, ["speed"]),
        (MODEL, {"sku": "B-1", "colour": "red"}, ["colour"]),
        (MODEL, {"sku": "B-1", "to": {}}, ["to.street"]),
        (MODEL, {"quantity": "4111 1111 1111 1111"}, ["sku", "quantity"]),
    ],
)
def test_arguments_that_do_not_fit_are_refused_and_never_converted(
    model: type[BaseModel], args: dict[str, Any], faults: list[str]
):
    """Every fault is named at once, and nothing that was given."""
    with pytest.raises(ToolRefused) as refused:
        checked(model, args)
    assert all(f"{fault}: " in str(refused.value) for fault in faults)
    assert "4111" not in str(refused.value)


@pytest.mark.parametrize("value", ["\ud800", {"\udfff": 1}, float("nan"), 2**63])
def test_what_cannot_be_sent_as_it_is_is_refused(value: Any):
    with pytest.raises(ToolRefused, match=r"The arguments cannot be taken: "):
        checked(passed_through("whatever", {}), {"value": value})


async def whatever(*, ctx: Any, **arguments: Any) -> Any:
    """Pass on."""
    return arguments


class Gate(BaseModel):
    code: str


class Place(BaseModel):
    street: str
    zip_code: str | None = Field(default=None, alias="zip")
    gate: Gate | None = None


class Open(BaseModel):
    model_config = ConfigDict(extra="ignore")
    street: str


class Kept(BaseModel):
    model_config = ConfigDict(extra="allow")
    street: str


class Renamed(BaseModel):
    street: str

    @model_validator(mode="before")
    @classmethod
    def _of_old(cls, given: Any) -> Any:
        return {"street": given["road"]}


@pytest.mark.parametrize(
    ("hint", "value", "where"),
    [
        (Place, {"street": "a", "note": "ring"}, "to.note"),
        (Place | None, {"street": "a", "gate": {"code": "1", "side": "left"}}, "to.gate.side"),
        (list[Place], [{"street": "a"}, {"street": "b", "zip_code": "1"}], "to.1.zip_code"),
        (dict[str, Place], {"home": {"street": "a", "note": 1}}, "to.home.note"),
        (tuple[Gate, Place], [{"code": "1"}, {"street": "a", "x": 1}], "to.1.x"),
        (Gate | Place, {"street": "a", "code": "1"}, "to."),
    ],
)
def test_what_a_nested_type_would_drop_is_refused(hint: Any, value: Any, where: str):
    """A person would approve it, and it would not be sent."""
    model = arguments_of(taking_to(hint))
    with pytest.raises(ToolRefused, match=rf"{where}.*: it is not known here"):
        checked(model, {"to": value})


@pytest.mark.parametrize(
    ("hint", "value"),
    [
        (Place, {"street": "a", "zip": "1", "gate": None}),
        (Open, {"street": "a", "note": 1}),
        (Kept, {"street": "a", "note": 1}),
        (Renamed, {"road": "a"}),
        (dict[str, Any], {"street": "a", "note": {"x": 1}}),
    ],
)
def test_what_a_nested_type_knows_or_says_that_it_takes_is_taken(hint: Any, value: Any):
    assert checked(arguments_of(taking_to(hint)), {"to": value}) == {"to": value}


def taking_to(hint: Any) -> Any:
    async def send(to, *, ctx):  # type: ignore[no-untyped-def]
        """Send."""

    send.__annotations__ = {"to": hint, "ctx": Any}
    return send


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"to": 100}, {"to": 100.0}),
        ({"to": 0}, {"to": -0.0}),
        ({"to": {"lines": [1, 2]}}, {"to": {"lines": [1.0, 2.0]}}),
        ({"to": "Caf\u00e9 \u1e69"}, {"to": "Cafe\u0301 s\u0307\u0323"}),
    ],
)
@pytest.mark.parametrize("hint", [Any, None])
def test_the_same_is_the_same_however_json_and_unicode_write_it(one: Any, other: Any, hint: Any):
    model = arguments_of(taking_to(Any) if hint else whatever)
    assert canonical(comparable(model, one)) == canonical(comparable(model, other))
    for args in (one, other):
        assert json.dumps(checked(model, args)) == json.dumps(args), "it is sent as it was decided"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"to": 100}, {"to": "100"}),
        ({"to": 1}, {"to": True}),
        ({"to": 1.5}, {"to": 1}),
        ({"to": "A"}, {"to": "a"}),
        ({"to": "\u2460"}, {"to": "1"}),
        ({"to": "x\u00b2"}, {"to": "x2"}),
        ({"to": 2**53}, {"to": 2**53 + 1}),
    ],
)
def test_what_is_not_the_same_is_not_compared_as_the_same(one: Any, other: Any):
    model = arguments_of(whatever)
    assert canonical(comparable(model, one)) != canonical(comparable(model, other))
