"""The prompt of any conversation: what was said once stays, and what changes stands at the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage

from daybook.checkpoints.runs.reads import Read
from daybook.nodes.prompt.compiler import Prompt, compile_prompt
from daybook.nodes.prompt.epochs import cut_before
from daybook.nodes.prompt.transcript import Transcript
from daybook.state.agent import said_in
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.recovery import Event
from daybook.state.money import in_units
from daybook.state.prompt.progress import Progress, parse, render
from daybook.state.shop.cart import Cart, CartLine
from daybook.state.shop.state import Checkout
from evals.protocol.parts import Part
from tests.unit.paper import Paper
from tests.unit.shop_parts import ADA, a_domain
from tests.unit.test_shop_prompt import PRODUCT, RESULTS

DOMAIN = a_domain()

EPOCH = {"number": 0, "digest": "", "covers": 0}

STEPS = (
    Part("reserve", undo="release_inventory"),
    Part("charge", undo="refund_payment", args={"card_id": "c1"}),
    Part("place order", undo="cancel_order", pivot=True),
    Part("mail"),
)

CALLS = st.one_of(
    st.sampled_from(["search_products", "get_product", "get_reviews", "list_orders", "get_cart"]),
    st.sampled_from(["refused", "added"]),
    st.sampled_from(["bought", "declined", "rejected"]),
)
DECISIONS = st.lists(CALLS, min_size=1, max_size=3)


@dataclass(frozen=True)
class Said:
    """What happens in one turn.

    Attributes:
        decisions: kinds of the calls of each.
        outside: how many events from outside the chat come before it.
        stale: whether all reads are stale after it.
        late: whether declined charges turn out to have happened after it, and are undone.
        rewritten: whether a new epoch begins before it, keeping the turn before it or not.
    """

    decisions: list[list[str]]
    outside: int = 0
    stale: bool = False
    late: bool = False
    rewritten: bool | None = None


TURNS = st.lists(
    st.builds(
        Said,
        decisions=st.lists(DECISIONS, max_size=3),
        outside=st.integers(0, 2),
        stale=st.booleans(),
        late=st.booleans(),
        rewritten=st.sampled_from([None, None, True, False]),
    ),
    min_size=1,
    max_size=5,
)


@dataclass
class Thread:
    """Hold a thread as the ledger, the reads and the state hold it."""

    entries: list[Entry] = field(default_factory=list)
    reads: list[Read] = field(default_factory=list)
    stale: list[int] = field(default_factory=list)
    messages: list[AnyMessage] = field(default_factory=list)
    declined: list[Paper] = field(default_factory=list)
    epoch: dict[str, Any] = field(default_factory=lambda: dict(EPOCH))

    def write(self, *entries: Entry) -> None:
        for entry in entries:
            self.entries.append(replace(entry, seq=len(self.entries) + 1))

    def call(self, turn: str, ordinal: int, position: int, kind: str) -> None:
        """Let a call have its result."""
        name = f"{ordinal}.{position}"
        if kind in RESULTS or kind == "get_cart":
            result = RESULTS[kind] if kind in RESULTS else self.cart.model_dump(mode="json")
            self.read(turn, name, kind, result, "miss")
        elif kind == "refused":
            self.read(turn, name, "checkout", {"said": "checkout refused: no card"}, "failed")
        elif kind == "added":
            text = {"text": f"cart r{len(self.entries)}: +{PRODUCT['sku']}"}
            self.write(Entry(Event.APPLIED, turn_id=turn, detail={"call": name}, payload=text))
        else:
            self.plan(turn, name, kind)

    def plan(self, turn: str, call: str, ending: str) -> None:
        """Write a checkout from its opening to its end."""
        paper = Paper(STEPS, plan_id=f"{turn}/{call}")
        paper.decided("rejected" if ending == "rejected" else "approved")
        if ending == "bought":
            for part in STEPS:
                paper.done(part.name, order_id="DB-1")
        elif ending == "declined":
            paper.done("reserve")
            paper.attempted("charge", Event.DECLINED, payload={"reason": "It was declined."})
            paper.follow()
            paper.undone("reserve")
            self.declined.append(paper)
        paper.follow()
        paper.write(Event.SUCCEEDED if ending == "bought" else Event.ENDED)
        opened, *others = paper.entries
        called = {"approval": "asked", "actions": [{"call": call, "tool": "checkout"}]}
        self.write(replace(opened, turn_id=turn, detail=called), *others)

    def happened_after_all(self) -> None:
        """Let the declined charges turn out to have happened, and undo them."""
        for paper in self.declined:
            before = len(paper.entries)
            paper.acknowledged("charge", charge_id="c")
            paper.undone("charge")
            self.write(*paper.entries[before:])
        self.declined = []

    def read(self, turn: str, name: str, tool: str, result: Any, cache: Any) -> None:
        handle = len(self.reads) + 1
        self.reads.append(Read(name, tool, {}, "", cache, result, handle=handle, turn_id=turn))

    @property
    def cart(self) -> Cart:
        """Return a cart that differs from call to call, with a total like no other number."""
        line = CartLine(
            sku="TENT-9", name="Tent", quantity=3, unit_price=7_770_001 + len(self.entries)
        )
        return Cart(cart_id="usd-1", currency="USD", revision=len(self.entries), lines=(line,))

    @property
    def state(self) -> dict[str, Any]:
        return {
            "messages": list(self.messages),
            "flow": "shopping",
            "epoch": self.epoch,
            "cart": self.cart,
            "checkout": Checkout(),
        }

    def transcript(self) -> Transcript:
        """Compile the transcript of the epoch under way."""
        transcript = Transcript(DOMAIN, self.epoch)
        transcript.take([entry for entry in self.entries if entry.seq > self.epoch["covers"]])
        wanted = set(transcript.missing())
        transcript.give([read for read in self.reads if (read.turn_id, read.call) in wanted])
        transcript.compile(said_in(self.state.get("messages") or ()))
        return transcript

    def rewrite(self, *, keep: bool) -> None:
        """Begin a new epoch, with what is kept of the turn before this one."""
        transcript = self.transcript()
        place = cut_before(transcript, keep=10_000 if keep else 0)
        stays = {turn.turn_id for turn in transcript.turns if turn.seq > place.covers}
        told = tuple(
            DOMAIN.outcome_line(action)
            for plan in transcript.plans.values()
            if plan.over and plan.turn_id not in stays
            for action in plan.actions
        )
        before = parse(self.epoch["digest"]).decided if self.epoch["digest"] else ()
        self.epoch = {
            "number": self.epoch["number"] + 1,
            "digest": render(Progress(decided=(*before, *told), goal="boots")),
            "covers": place.covers,
            "last": max((s for s in transcript.decided if s <= place.covers), default=0),
        }

    def compiled(self) -> Prompt:
        """Compile the prompt."""
        return compile_prompt(self.state, self.transcript(), self.stale, DOMAIN, ADA)


def walk(turns: list[Said]) -> Iterator[Thread]:
    """Yield the thread at every place where the model is asked."""
    thread = Thread()
    for number, said in enumerate(turns):
        turn = f"turn-{number}"
        for count in range(said.outside):
            about = {"turn_id": f"{turn}/event-{count}", "detail": {"call": "event"}}
            thread.write(Entry(Event.APPLIED, payload={"text": "cart r1>r2"}, **about))
        thread.messages.append(HumanMessage(f"words of {turn}", id=turn))
        thread.write(Entry(Event.RECEIVED, turn_id=turn))
        if said.rewritten is not None:
            thread.rewrite(keep=said.rewritten)
        for ordinal, calls in enumerate([*said.decisions, []]):
            yield thread
            named = [{"name": _tool(kind), "args": {"n": n}} for n, kind in enumerate(calls)]
            thread.write(
                Entry(
                    Event.DECIDED,
                    turn_id=turn,
                    detail={"ordinal": ordinal, "prompt": f"{turn}/{ordinal}"},
                    payload={"calls": named, "text": ""},
                )
            )
            for position, kind in enumerate(calls):
                thread.call(turn, ordinal, position, kind)
        thread.messages.append(AIMessage(f"answer to {turn}", id=f"{turn}/answer"))
        thread.write(Entry(Event.TURN_DONE, turn_id=turn))
        if said.stale:
            thread.stale = [read.handle for read in thread.reads]
        if said.late:
            thread.happened_after_all()


def _tool(kind: str) -> str:
    if kind in RESULTS or kind == "get_cart":
        return kind
    return "add_to_cart" if kind == "added" else "checkout"


def shown(message: BaseMessage) -> tuple[Any, ...]:
    """Return all of a message that the model is shown."""
    calls = getattr(message, "tool_calls", [])
    return message.type, message.text, calls, getattr(message, "tool_call_id", None)


@given(TURNS)
def test_without_its_tail_a_prompt_is_the_beginning_of_the_next_one(turns):
    before: dict[int, list[Any]] = {}
    tools = next(walk(turns)).compiled().tools
    for thread in walk(turns):
        number = thread.epoch["number"]
        prompt = thread.compiled()
        *body, _ = [shown(m) for m in prompt.messages]
        assert body[: len(before.get(number, []))] == before.get(number, [])
        before[number] = body
        assert prompt.tools == tools
        assert sum(prompt.zones) == prompt.tokens


@given(TURNS)
def test_all_that_was_said_called_and_bought_is_shown_once_in_order_with_its_result(turns):
    for thread in walk(turns):
        messages = thread.compiled().messages
        assert_each_call_is_followed_by_its_own_result(messages)
        begun_at = {e.turn_id: e.seq for e in thread.entries if e.event is Event.RECEIVED}
        assert [m.text for m in messages if m.type in ("human", "ai") and m.text] == [
            message.text
            for message in thread.messages
            if begun_at[message.id.partition("/")[0]] > thread.epoch["covers"]
        ]
        assert any(m.text == thread.messages[-1].text for m in messages), "the turn under way"
        assert [c["name"] for m in messages for c in getattr(m, "tool_calls", [])] == [
            call["name"]
            for entry in thread.entries
            if entry.event is Event.DECIDED and entry.seq > thread.epoch["covers"]
            for call in (entry.payload or {})["calls"]
        ]
        bought = sum(entry.event is Event.SUCCEEDED for entry in thread.entries)
        assert "\n".join(m.text for m in messages).count("order DB-1") == bought


def assert_each_call_is_followed_by_its_own_result(messages: Sequence[BaseMessage]) -> None:
    waiting: list[str] = []
    for message in messages:
        if message.type == "tool":
            assert message.tool_call_id == waiting.pop(0)  # type: ignore[attr-defined]
        else:
            assert waiting == []
        waiting += [call["id"] for call in getattr(message, "tool_calls", [])]
    assert waiting == []


@given(TURNS)
def test_the_cart_and_what_is_stale_stand_in_the_tail_and_nothing_before_it_changes(turns):
    for thread in walk(turns):
        one, kept = thread.compiled(), thread.stale
        *body, tail = one.messages
        before = [shown(m) for m in body]
        total = in_units(thread.cart.total.amount)
        assert tail.text.count(f"total: {total} USD") == 1
        assert f"cart r{thread.cart.revision} (USD):" in tail.text
        assert not any("total: " in m.text or total in m.text for m in body)
        thread.stale = [read.handle for read in thread.reads]
        stale = thread.compiled().messages
        assert [shown(m) for m in stale[:-1]] == before
        begun_at = {e.turn_id: e.seq for e in thread.entries if e.event is Event.RECEIVED}
        here = [r for r in thread.reads if begun_at[r.turn_id] > thread.epoch["covers"]]
        named = " ".join(f"r{read.handle}" for read in here) or "none"
        assert stale[-1].text.endswith(f"superseded: {named}")
        thread.stale = kept
        state = {**thread.state, "cart": thread.cart.model_copy(update={"revision": -1})}
        other = compile_prompt(state, thread.transcript(), thread.stale, DOMAIN, ADA)
        assert other.digest != one.digest
        assert [shown(m) for m in other.messages[:-1]] == before


def test_a_decision_is_not_shown_while_one_of_its_results_is_missing():
    thread = next(walk([Said([])]))
    calls = [{"name": "get_product", "args": {}}, {"name": "get_reviews", "args": {}}]
    detail = {"ordinal": 0, "prompt": "p"}
    thread.write(
        Entry(Event.DECIDED, turn_id="turn-0", detail=detail, payload={"calls": calls, "text": ""})
    )
    thread.call("turn-0", 0, 0, "get_product")
    assert not any(m.type == "tool" for m in thread.compiled().messages)
    thread.call("turn-0", 0, 1, "get_reviews")
    assert [m.type for m in thread.compiled().messages].count("tool") == 2
