"""What a model writes is refused in words to the model, or done: no thread ends by an exception.

Arguments of every shape go through the nodes to every kind of declaration, on a real database. Each
thread takes a further message afterwards.
"""

import asyncio
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, create_model

from daybook.checkpoints.postgres import Postgres, open_postgres
from daybook.graph.build import build
from daybook.nodes.running.work import Resources
from daybook.state.agent import AgentState
from daybook.state.effects.guarantees import Guarantees, Patience
from daybook.state.effects.outcome import Confirmed, Outcome
from daybook.state.flow import FlowTable
from daybook.state.money import Money
from daybook.state.people.policy import Policy, Rule
from daybook.testing.model import ScriptedModel
from daybook.tools.builtin import recall
from daybook.tools.domain import Change, Domain, Prompt
from daybook.tools.draft import ActionDraft, StepDraft
from daybook.tools.kinds import ReadTool, Undo, change, effect_of, hybrid, plan, read, write
from daybook.tools.registry import Registry
from tests.conversation import Conversation, answer_of
from tests.databases import database

# -- every kind of declaration ---------------------------------------------------------------------


class Guest(BaseModel):
    """Somebody who comes."""

    name: Annotated[str, Field(max_length=20)]
    born: date | None = None
    brings: list["Guest"] = []


class Meal(Enum):
    """What there is."""

    SOUP = "soup"
    CAKE = "cake"


class Whatever(BaseModel):
    """Takes every argument, as the other side is to judge them."""

    model_config = ConfigDict(extra="allow")


@read(lifetime=60, tags=("room:{room}",))
async def find(room: str, day: date | None = None, most: int = 5, *, ctx: Any) -> Any:
    """Look a room up."""
    return {"room": room, "day": day, "most": most}


@read()
async def look(what: Any = None, *, ctx: Any) -> Any:
    """Look at anything."""
    return what


async def _ask(*, ctx: Any, **args: Any) -> Any:
    return args


ask = ReadTool(
    "ask",
    "Ask the other side.",
    create_model("ask", __base__=Whatever, what=(Any, None)),
    _ask,
    lifetime=60,
    tags=("what:{what}",),
)


@change
async def note(
    people: int,
    meal: Meal = Meal.SOUP,
    kind: Literal["talk", "lunch"] = "talk",
    more: Any = None,
    *,
    ctx: Any,
) -> Any:
    """Note what is arranged."""
    return {"type": "noted", "people": people, "meal": meal, "kind": kind, "more": more}


@write(
    operation=lambda args: f"pay/{args['order']}",
    evidence=lambda args: {"amount": args["amount"]},
    money=("amount", "currency"),
    approval="never",
    makes_stale=("room:{order}",),
)
async def pay(amount: Any = None, currency: Any = None, order: Any = None, *, ctx: Any) -> Outcome:
    """Pay."""
    return Confirmed({"id": ctx.key, "amount": amount})


@write(approval="never")
async def invite(
    guest: Guest, at: datetime | None = None, cost: Decimal | None = None, *, ctx: Any
) -> Outcome:
    """Invite somebody."""
    return Confirmed({"guest": guest, "at": at, "cost": cost})


async def _send(*, ctx: Any, **args: Any) -> Outcome:
    return Confirmed({"sent": args})


send = effect_of(
    "write",
    "send",
    "Send anything.",
    create_model("send", __base__=Whatever, amount=(Any, None), currency=(Any, None)),
    _send,
    {"makes_stale": ("room:{amount}",), "money": ("amount", "currency")},
)


async def _seen(args: Mapping[str, Any], *, ctx: Any) -> dict[str, Any]:
    return {"room": args.get("room")}


@hybrid(
    reference="room",
    observe=_seen,
    approval="never",
    undo=Undo(
        "release", lambda args, result: {"room": result["room"]}, settled_by=frozenset({"gone"})
    ),
)
async def hold(room: Any = None, *, ctx: Any) -> Outcome:
    """Hold a room."""
    return Confirmed({"room": room})


@write()
async def release(room: Any = None, *, ctx: Any) -> Outcome:
    """Give a room back."""
    return Confirmed({})


@plan
async def rent(
    room: Any = None, amount: Any = None, currency: str = "EUR", *, ctx: Any
) -> ActionDraft:
    """Rent a room."""
    args = {"amount": amount, "currency": currency, "order": room}
    steps = (
        StepDraft("hold", "hold", f"hold/{room}", {"room": room}),
        StepDraft("pay", "pay", f"rent/{room}", args, pivot=True),
    )
    return ActionDraft("rent", {"room": room}, f"Rent {room}", steps, (f"for {amount}",))


OFFERED = (find, look, ask, note, pay, invite, send, rent, recall)

NAMES = [tool.name for tool in OFFERED]


class AnyState(AgentState, total=False):
    """The state of a thread that arranges anything."""

    noted: Annotated[dict[str, Any], "what was noted"]


ANYTHING = Domain(
    name="anything",
    state=AnyState,
    registry=Registry(OFFERED, [hold, release]),
    flow=FlowTable("open", {}, {"open": frozenset(NAMES)}),
    policy=Policy(
        rules=(
            Rule(
                name="small",
                tools=("send",),
                approval="nobody",
                up_to=Money(amount=10_000, currency="USD"),
            ),
            Rule(
                name="large",
                tools=("pay",),
                approval="customer",
                above=Money(amount=10_000, currency="USD"),
            ),
        )
    ),
    prompt=Prompt(system="You arrange anything."),
    initial=lambda session, turn_id, services: {"noted": {}},
    apply=lambda state, event, turn_id: Change({"noted": dict(event)}, f"noted {event['people']}"),
)

# -- every shape of arguments ----------------------------------------------------------------------

TEXT = st.one_of(
    st.text(max_size=8),
    st.sampled_from(
        [
            *("", " ", "\x00", "a\x00b", "\ud800", "x\udfff", "usd", "USD", "100", "1e400", "NaN"),
            *("2031-05-06", "soup", "talk", "../..", "{room}", "%s", "null", "\u202e", "🏨"),
            "x" * 5_000,
            "".join(map(chr, range(0x4E00, 0x4E00 + 3_000))),
        ]
    ),
)
NUMBER = st.one_of(
    st.integers(-3, 20),
    st.sampled_from([10**18, 2**63, -(2**63), 10**30, 10**400, -1, 129_000]),
    st.floats(),
    st.sampled_from([float("nan"), float("inf"), 1e308, -0.0, 12.5]),
)
LEAF = st.one_of(st.none(), st.booleans(), NUMBER, TEXT)


def deep(levels: int) -> Any:
    value: Any = "bottom"
    for level in range(levels):
        value = [value] if level % 2 else {"in": value}
    return value


VALUE = st.one_of(
    LEAF,
    st.recursive(
        LEAF,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
        max_leaves=6,
    ),
    st.sampled_from([10, 30, 33, 200]).map(deep),
)
KNOWN = st.sampled_from(
    [
        *("room", "day", "most", "what", "people", "meal", "kind", "more", "amount", "currency"),
        *("order", "guest", "at", "cost", "handle"),
    ]
)
GUEST = st.fixed_dictionaries({"name": TEXT}, optional={"born": LEAF, "brings": VALUE})
ARGS = st.one_of(
    st.dictionaries(KNOWN | TEXT, VALUE, max_size=5),
    st.fixed_dictionaries({"amount": NUMBER, "currency": TEXT}, optional={"order": VALUE}),
    st.fixed_dictionaries({"guest": GUEST}, optional={"at": LEAF, "cost": LEAF}),
    st.fixed_dictionaries({"people": NUMBER}, optional={"more": VALUE, "meal": LEAF}),
    st.fixed_dictionaries({"room": VALUE}, optional={"amount": NUMBER, "day": LEAF}),
)
CALL = st.tuples(st.sampled_from(NAMES) | TEXT.filter(bool), ARGS)
ANSWER = st.one_of(
    st.just({"type": "approve"}),
    st.builds(
        lambda name, args: {"type": "edit", "edited_action": {"name": name, "args": args}},
        st.sampled_from(["pay", "send", "rent"]),
        st.fixed_dictionaries({"amount": st.integers(-5, 5), "currency": st.just("usd")}),
    ),
)


@dataclass
class Threads:
    """Hold the agent whose threads are tried."""

    runner: asyncio.Runner
    graph: Any
    model: ScriptedModel

    async def takes(
        self, calls: list[tuple[str, dict[str, Any]]], answers: list[dict[str, Any]]
    ) -> None:
        """Let a model call tools in a thread of its own, answer what is asked, and go on."""
        talk = Conversation(self.graph, "mia", str(uuid.uuid4()))
        self.model.script.clear()
        self.model.then(calls, "Done.")
        stands = await talk.say("go on")
        for answer in answers:
            if stands.interrupts:
                waiting = len(stands.interrupts[0].value["action_requests"])
                stands = await talk.answer(*[answer] * waiting)
        self.model.script.clear()
        self.model.then("Hello.")
        said = await talk.say("hello")
        # An answer that repeats a number beyond 64 bits cannot be kept: it is asked about.
        assert answer_of(said).endswith("Hello.") or said.interrupts[0].value["in_doubt"]


@pytest.fixture(scope="module")
def threads(server_url: str, template: str) -> Iterator[Threads]:
    with database(server_url, template) as url, asyncio.Runner() as runner:
        opening = open_postgres(url, tenant_id="default", stored_types=ANYTHING.restored_types)
        postgres = runner.run(opening.__aenter__())
        try:
            yield _threads(runner, postgres)
        finally:
            runner.run(opening.__aexit__(None, None, None))


def _threads(runner: asyncio.Runner, postgres: Postgres) -> Threads:
    model = ScriptedModel()
    none = timedelta(0)
    guarantees = Guarantees(honours_key=True, retention=timedelta(days=1), settle=none)
    resources = Resources(
        postgres=postgres,
        model=model,
        patience=Patience(backoff=none, unknown_settle=none),
        promises={"everything": guarantees},
        decisions=3,
    )
    graph = build(ANYTHING, lambda: resources, postgres.saver)
    return Threads(runner, graph, model)


@settings(max_examples=settings().max_examples // 2)
@given(calls=st.lists(CALL, min_size=1, max_size=3), answers=st.lists(ANSWER, max_size=2))
@example(calls=[("pay", {"amount": 1, "currency": "usd", "order": "O-1"})], answers=[])
@example(calls=[("rent", {}), ("rent", {})], answers=[])
@example(calls=[("send", {"room": 1.0261341831447249e19})], answers=[{"type": "approve"}])
@example(calls=[("pay", {"order": "".join(map(chr, range(0x4E00, 0x5E00)))})], answers=[])
def test_no_thread_ends_by_an_exception_whatever_a_model_writes(threads, calls, answers):
    threads.runner.run(threads.takes(calls, answers))


SMALL = {"amount": 100, "currency": "USD"}
NO_MONEY = [
    *({"amount": odd, "currency": "USD"} for odd in (True, 1.0, "100", -100, 10**15, {"cents": 1})),
    *({"amount": 100, "currency": odd} for odd in ("usd", "US", ["USD"])),
    {"amount": 100},
]


@pytest.mark.parametrize("money", [SMALL, *NO_MONEY], ids=str)
def test_what_cannot_be_read_as_money_is_never_taken_for_a_small_amount(threads, money):
    async def is_asked() -> bool:
        threads.model.script.clear()
        threads.model.then([("send", money)], "Done.")
        talk = Conversation(threads.graph, "mia", str(uuid.uuid4()))
        return bool((await talk.say("go on")).interrupts)

    assert threads.runner.run(is_asked()) != (money is SMALL)
