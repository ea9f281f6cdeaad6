"""What does not fit is said in plain words, and none of pydantic's."""

from typing import Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from daybook.state.misfits import faults_of


class Given(BaseModel):
    model_config = ConfigDict(extra="forbid")

    count: int = Field(ge=1)
    name: str = Field(max_length=2)
    kind: Literal["a", "b"]
    listed: list[int]
    is_on: bool
    price: float


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"count": "x", "name": 3, "kind": "c", "listed": 1, "is_on": "n", "price": "p", "z": 1},
        {"count": 0, "name": "long", "kind": None, "listed": ["x"], "is_on": 1.5, "price": None},
        {"count": 1.5, "name": None, "kind": "a", "listed": {}, "is_on": [], "price": []},
    ],
)
def test_a_misfit_is_said_in_plain_words(given: dict[str, object]):
    with pytest.raises(ValidationError) as raised:
        Given.model_validate(given)
    said = faults_of(raised.value, "it")
    assert said.count("it must") + said.count("it is") == raised.value.error_count()
    for theirs in ("Input should", "String should", "Field required", "valid", "parse", "Extra"):
        assert theirs not in said
