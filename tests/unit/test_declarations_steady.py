"""What cannot be sent as it was decided, or twice alike, is refused when the tool is declared."""

import uuid
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any

import pytest
from pydantic import AliasChoices, BaseModel, Field, WithJsonSchema

from daybook.state.effects.outcome import Confirmed, Outcome
from daybook.state.errors import DeclarationError
from daybook.tools.draft import ActionDraft
from daybook.tools.kinds import change, plan, read, tool_of
from daybook.tools.signature import checked


class Stamped(BaseModel):
    at: datetime = Field(default_factory=datetime.now)  # noqa: TID251


class Numbered(BaseModel):
    line_id: str = Field(default_factory=lambda: uuid.uuid4().hex)


@dataclass
class Drawn:
    line_id: str = field(default_factory=lambda: uuid.uuid4().hex)


class Tagged(BaseModel):
    tags: set[str]


class Steady(BaseModel):
    tags: list[str] = Field(default_factory=list)
    note: dict[str, str] = Field(default_factory=lambda: {"by": "us"})


def taking(hint: Any, default: Any = ...) -> Any:
    """Return a function of one argument."""

    async def send(lines, *, ctx):  # type: ignore[no-untyped-def]
        """Send."""
        return Confirmed({})

    send.__annotations__ = {"lines": hint, "ctx": Any, "return": Outcome}
    send.__kwdefaults__ = None
    send.__defaults__ = None if default is ... else (default,)
    return send


def planning(hint: Any) -> Any:
    """Return a plan of one argument."""
    send = taking(hint)
    send.__annotations__["return"] = ActionDraft
    return send


UNSTEADY = [Stamped, list[Numbered], dict[str, Drawn], Stamped | None]


@pytest.mark.parametrize("hint", UNSTEADY)
def test_a_default_that_is_made_anew_each_time_would_be_sent_otherwise_the_second_time(hint: Any):
    for declare in (lambda: tool_of(taking(hint)), lambda: plan(planning(hint))):
        with pytest.raises(DeclarationError, match="another each time"):
            declare()
    assert read()(taking(hint)).kind == "read", "what is asked is asked again as it is then"
    assert change(taking(hint)).kind == "change"


def test_a_default_of_the_argument_itself_must_be_steady_too():
    with pytest.raises(DeclarationError, match="another each time"):
        tool_of(taking(datetime, Field(default_factory=datetime.now)))  # noqa: TID251


@pytest.mark.parametrize("hint", [set[str], frozenset[int], list[set[str]], Tagged, Tagged | None])
def test_a_set_has_no_order_in_which_it_could_be_sent_twice(hint: Any):
    for declare in (lambda: tool_of(taking(hint)), lambda: plan(planning(hint))):
        with pytest.raises(DeclarationError, match=r"Write list\[\.\.\.\]"):
            declare()
    assert read()(taking(hint)).kind == "read"


@pytest.mark.parametrize("hint", [Steady, list[Steady], dict[str, Steady], list[str]])
def test_what_is_the_same_each_time_is_taken(hint: Any):
    assert tool_of(taking(hint)).name == "send"


@pytest.mark.parametrize(
    "hint",
    [
        Annotated[str, Field(alias="from")],
        Annotated[str, Field(validation_alias=AliasChoices("from", "of"))],
    ],
)
def test_an_argument_has_one_name(hint: Any):
    for declare in (lambda: tool_of(taking(hint)), lambda: plan(planning(hint))):
        with pytest.raises(DeclarationError, match=r"lines .* other names.*\*\*arguments"):
            declare()


@pytest.mark.parametrize("name", ["model_config", "_id", "model_dump"])
def test_a_name_that_pydantic_keeps_for_itself_is_refused(name: str):
    there: dict[str, Any] = {}
    exec(f"async def send({name}: str, *, ctx: object): 'Send.'", there)
    there["send"].__annotations__["return"] = Outcome
    for declare in (tool_of, read()):
        with pytest.raises(DeclarationError, match=f"{name} of the tool send.* for itself"):
            declare(there["send"])


@pytest.mark.parametrize("name", ["model_config", "model_dump"])
def test_a_name_that_is_shown_and_cannot_be_named_is_refused_in_words(name: str):
    shown = {"properties": {name: {"type": "string"}}}

    async def send(*, ctx: Any, **arguments: Annotated[Any, WithJsonSchema(shown)]) -> Outcome:
        """Send."""
        return Confirmed({})

    with pytest.raises(DeclarationError, match="cannot be shown"):
        tool_of(send)


@pytest.mark.filterwarnings("ignore:Field name")
async def test_a_name_that_every_model_has_is_given_as_it_was_decided():
    async def send(model_extra: str, *, ctx: Any) -> Any:
        """Send."""
        return model_extra

    tool = read()(send)
    assert await tool.run(**checked(tool.args, {"model_extra": "x"}), ctx=None) == "x"
