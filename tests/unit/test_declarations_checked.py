"""What an effect or a read declares beside its arguments: each slip says what to write."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from daybook.graph.serve import served
from daybook.nodes.running.work import Resources
from daybook.state.effects.guarantees import NO_GUARANTEES, Guarantees
from daybook.state.effects.outcome import Confirmed, Outcome
from daybook.state.errors import DeclarationError
from daybook.state.flow import FlowTable
from daybook.tools.domain import Domain, Prompt
from daybook.tools.kinds import Undo, hybrid, plan, read, write
from daybook.tools.registry import Registry

KEYED = Guarantees(honours_key=True, retention=timedelta(hours=1))


async def hold(room: str, day: str, *, ctx: Any) -> Outcome:
    """Hold a room."""
    return Confirmed({})


async def release(hold_id: str, why: str = "", *, ctx: Any) -> Outcome:
    """Give a room back."""
    return Confirmed({})


async def look(args: Any, *, ctx: Any) -> Any:
    return []


async def only_arguments(args: Any) -> Any: ...


async def without_a_keyword(args: Any, ctx: Any, more: Any) -> Any: ...


def not_asynchronous(args: Any, *, ctx: Any) -> Any: ...


LOOKS = [only_arguments, without_a_keyword, not_asynchronous, "look", None]


# -- looks -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", ["probe", "observe"])
@pytest.mark.parametrize("wrong", LOOKS)
def test_a_look_of_another_signature_says_how_to_write_it(what: str, wrong: Any):
    with pytest.raises(
        DeclarationError, match=rf"`{what}` of the tool hold.*async def {what}\(args, \*, ctx\)"
    ):
        write(**{what: wrong})(hold)  # type: ignore[misc]


async def test_a_look_that_is_called_already_says_to_give_the_function():
    called = look({}, ctx=None)
    with pytest.raises(DeclarationError, match="give the function itself"):
        write(reference="id", probe=called)(hold)  # type: ignore[typeddict-item]
    await called


def test_looks_of_any_make_that_fit_are_taken():
    class Look:
        async def __call__(self, args: Any, *, ctx: Any) -> Any:
            return []

    for fits in (look, Look(), Look().__call__):
        assert write(reference="id", probe=fits, observe=fits)(hold).probe is not None


# -- what is made of arguments ---------------------------------------------------------------------


@pytest.mark.parametrize("what", ["operation", "evidence", "moved"])
@pytest.mark.parametrize("wrong", [lambda: "", lambda a, b, c: "", "hold/{room}", look, None])
def test_what_is_no_function_of_its_mappings_says_how_to_write_it(what: str, wrong: Any):
    with pytest.raises(DeclarationError, match=rf"`{what}` of the tool hold.*{what}=lambda "):
        write(**{what: wrong})(hold)  # type: ignore[misc]


@pytest.mark.parametrize("what", ["operation", "evidence", "undo"])
def test_an_argument_that_the_tool_does_not_have_is_named(what: str):
    made = Undo("release", lambda args, result: {"hold_id": args["room_number"]})
    wrong: Any = made if what == "undo" else lambda args: args["room_number"]
    named = {"reference": "id"}
    with pytest.raises(
        DeclarationError, match=rf"`{what}`.*'room_number', which.*\['day', 'room'\]"
    ):
        write(**{what: wrong, **named})(hold)  # type: ignore[misc]


@pytest.mark.parametrize("wrong", [lambda args: None, lambda args: "", lambda args: 7])
def test_an_operation_that_makes_no_name_says_so(wrong: Any):
    with pytest.raises(
        DeclarationError, match=r"`operation` of the tool hold makes.*names the business"
    ):
        write(operation=wrong)(hold)


def test_evidence_that_is_no_mapping_says_so():
    with pytest.raises(DeclarationError, match="`evidence` of the tool hold makes 'room'"):
        write(evidence=lambda args: args["room"])(hold)  # type: ignore[arg-type,return-value]


def test_what_computes_with_values_is_not_judged_without_them():
    effect = write(operation=lambda args: f"{int(args['day']) + 1}")(hold)
    assert effect.operation is not None
    assert effect.operation({"day": "3"}) == "4"


# -- words and times -------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["sometimes", "", None, True, ["always"]])
def test_an_approval_that_is_none_says_which_there_are(word: Any):
    with pytest.raises(
        DeclarationError, match=r'`approval` of the tool hold.*"always" \(a person.*"never"'
    ):
        write(approval=word)(hold)


@pytest.mark.parametrize("lifetime", [-1, float("nan"), float("inf"), "60", None, True])
def test_a_lifetime_that_is_no_number_of_seconds_says_so(lifetime: Any):
    async def find(room: str, *, ctx: Any) -> Any:
        """Find."""

    with pytest.raises(DeclarationError, match=r"lifetime=.*Write @read\(lifetime=60\)"):
        read(lifetime=lifetime)(find)


@pytest.mark.parametrize(
    ("guarantees", "said"),
    [
        ({"honours_key": True}, "honours_key=True and retention.*remembered"),
        (Guarantees(honours_key=True), "honours_key=True and retention.*remembered"),
        (Guarantees(retention=timedelta(hours=1)), "honours_key=False and retention"),
        (Guarantees(settle=timedelta(seconds=-1)), "how long its effect may lag"),
        (Guarantees(late_sender="never"), "none of killed, accepted, harmless"),  # type: ignore[arg-type]
    ],
)
def test_guarantees_that_say_nothing_say_how_to_write_them(guarantees: Any, said: str):
    if isinstance(guarantees, dict):
        said = r"Write guarantees=Guarantees\("
    with pytest.raises(DeclarationError, match=said):
        write(guarantees=guarantees)(hold)


@pytest.mark.parametrize("decorator", [read, write, hybrid])
def test_a_decorator_without_parentheses_says_to_write_them(decorator: Any):
    with pytest.raises(DeclarationError, match=rf"Write @{decorator.__name__}\(\), with paren"):
        decorator(hold)


def test_a_word_that_nothing_knows_says_which_are_known():
    with pytest.raises(DeclarationError, match=r"declares prob, which nothing knows.*observe"):
        write(prob=look)(hold)  # type: ignore[call-arg]


async def test_a_plan_that_returns_no_draft_says_what_to_return():
    @plan
    async def book(room: str, *, ctx: Any) -> Any:
        """Book."""
        return {"room": room}

    with pytest.raises(DeclarationError, match=r"plan book returned dict.*return an Action"):
        await book.build(room="Barn", ctx=None)


# -- undo ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "undo",
    [
        "release",
        Undo("release", {"hold_id": "id"}),  # type: ignore[arg-type]
        Undo("release", lambda result: {"hold_id": result["id"]}),  # type: ignore[arg-type,misc]
        Undo(write()(release), lambda args, result: {}),  # type: ignore[arg-type]
    ],
)
def test_an_undo_that_cannot_be_made_says_how_to_write_it(undo: Any):
    with pytest.raises(DeclarationError, match=r"`undo` of the tool hold.*Write undo=Undo\(tool="):
        hybrid(reference="id", undo=undo)(hold)


def test_an_undo_that_makes_no_arguments_says_so():
    with pytest.raises(DeclarationError, match="`undo` of the tool hold makes 'id'"):
        hybrid(reference="id", undo=Undo("release", lambda args, result: result["id"]))(hold)  # type: ignore[arg-type,return-value]


def test_codes_that_are_one_text_say_to_write_a_set():
    undo = Undo("release", lambda args, result: {}, settled_by="gone")  # type: ignore[arg-type]
    with pytest.raises(DeclarationError, match=r"settled_by='gone'.*settled_by=frozenset\("):
        hybrid(reference="id", undo=undo)(hold)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (lambda args, result: {"id": result["id"]}, r"\['id'\].*\['hold_id', 'why'\].*'hold_id'"),
        (lambda args, result: {"hold_id": "1", "room": args["room"]}, r"'none'|none is missing"),
        (lambda args, result: {}, r"\['hold_id'\] is missing"),
    ],
)
def test_arguments_that_the_undo_does_not_take_are_told(args: Any, said: str):
    held = hybrid(reference="id", undo=Undo("release", args, frozenset({"gone"})))(hold)
    with pytest.raises(DeclarationError, match=rf"The undo of hold gives release.*{said}"):
        Registry([held], [release])


RELEASED = Undo("release", lambda args, result: {"hold_id": result["id"]})


def test_an_undo_that_may_be_done_twice_says_what_keeps_it_from_that():
    with pytest.raises(DeclarationError, match=r"sent again.*settled_by=.*honours_key.*harmless"):
        Registry([hybrid(reference="id", undo=RELEASED)(hold)], [release])


@pytest.mark.parametrize("guarantees", [KEYED, Guarantees(late_sender="harmless")])
def test_an_undo_that_is_done_once_is_taken(guarantees: Guarantees):
    held = hybrid(reference="id", undo=RELEASED)(hold)
    assert Registry([], [held, write(guarantees=guarantees)(release)])
    settled = replace(RELEASED, settled_by=frozenset({"gone"}))
    assert Registry([], [hybrid(reference="id", undo=settled)(hold), release])


def test_an_undo_that_can_be_looked_up_within_a_bound_is_taken():
    held = hybrid(reference="id", undo=RELEASED)(hold)
    seen = write(probe=look, reference="id", guarantees=Guarantees(settle=timedelta(seconds=9)))
    assert Registry([], [held, seen(release)])
    with pytest.raises(DeclarationError, match=r"sent again.*how it is looked up.*settle="):
        Registry([], [held, write(probe=look, reference="id")(release)])


def test_what_a_service_promises_of_an_undo_is_checked_when_it_is_known():
    registry = Registry(
        [], [hybrid(reference="id", undo=RELEASED)(hold), write(service="rooms")(release)]
    )
    registry.check_promises({"rooms": KEYED})
    for promises in ({}, {"rooms": NO_GUARANTEES}):
        with pytest.raises(DeclarationError, match="release, the undo of hold, is sent again"):
            registry.check_promises(promises)


def test_the_undos_of_the_shop_are_done_once_whatever_it_promises():
    from daybook.tools.shop.domain import SHOP

    SHOP.registry.check_promises({})


async def test_a_server_whose_services_promise_too_little_does_not_start():
    registry = Registry(
        [write(reference="id", undo=RELEASED)(hold)], [write(service="rooms")(release)]
    )
    rooms = Domain(
        name="rooms",
        registry=registry,
        flow=FlowTable("here", {}, {"here": frozenset({"hold"})}),
        prompt=Prompt(system=""),
    )

    @asynccontextmanager
    async def opened() -> AsyncIterator[Any]:
        nothing: Any = None
        promises = {"rooms": NO_GUARANTEES}
        yield Resources(postgres=nothing, model=nothing, services=nothing, promises=promises)

    _, checkpointer = served(rooms, opened)
    with pytest.raises(DeclarationError, match="release, the undo of hold, is sent again"):
        async with checkpointer():
            pass


# -- what names an effect --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "declared", [{"probe": look}, {"undo": RELEASED}, {"probe": look, "undo": RELEASED}]
)
def test_what_may_be_looked_up_or_undone_must_be_told_from_every_other_effect(declared: Any):
    with pytest.raises(DeclarationError, match=r"hold has .*Write reference=\"charge_id\""):
        write(**declared)(hold)


@pytest.mark.parametrize("wrong", ["", (), ("",), ("id", 3), 7, ["id"], lambda: "", {"id"}])
def test_a_reference_that_names_nothing_says_how_to_write_it(wrong: Any):
    with pytest.raises(DeclarationError, match=r"`reference` of the tool hold is .* a tuple"):
        write(reference=wrong, probe=look)(hold)


@pytest.mark.parametrize("wrong", ["", 7, None, lambda: {}, ("user_id",)])
def test_an_owner_that_is_no_field_says_how_to_write_it(wrong: Any):
    with pytest.raises(DeclarationError, match=r'`owner` of the tool hold.*owner="user_id"'):
        write(owner=wrong)(hold)


def test_what_a_result_must_show_is_what_was_approved_and_whose_it_is():
    session = SimpleNamespace(user_id="Ada")
    plainly = write(owner="customer", evidence=lambda args: {"room": args["room"]})(hold)
    assert plainly.expected({"room": "Barn"}, session) == {"room": "Barn", "customer": "Ada"}  # type: ignore[arg-type]
    lower = write(owner=lambda session: {"customer": session.user_id.lower()})(hold)
    assert lower.expected({}, session) == {"customer": "ada"}  # type: ignore[arg-type]
