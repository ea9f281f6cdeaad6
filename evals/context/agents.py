"""Daybook and langchain's agents over the same shop; the model of each plays the script.

Time is the script's: a clock that the replay moves, so that days pass in a second. The contenders'
tools have the names, descriptions and schemas of Daybook's, and return JSON.
"""

from __future__ import annotations

import re
import uuid
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

from langchain.agents import create_agent
from langchain.agents.middleware import (
    AgentMiddleware,
    ClearToolUsesEdit,
    ContextEditingMiddleware,
    SummarizationMiddleware,
)
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool, StructuredTool
from langgraph.types import Command

from daybook import HttpService, build, open_postgres
from daybook.domain import GuardedGraph, Resources, resource
from daybook.nodes.prompt.compiler import BREAKPOINT
from daybook.state.clock import Clock as SystemClock
from daybook.state.shop import cart as carts
from daybook.state.shop.cart import Cart, CartLine
from daybook.tools.shop.domain import SHOP
from daybook.tools.shop.services import ShopServices
from evals.context.figures import Asked, Replay, message_tokens, tokens, wire, wire_tools
from evals.context.script import Call, Json, Turn
from evals.model_server import Deciding

_THINKING = timedelta(seconds=4)
"""How long a model takes for a decision."""

Decided = str | Sequence[Call]
"""An answer, or calls."""


@dataclass
class Clock(SystemClock):
    """Tell the script's time, which only the replay moves."""

    _now: datetime = datetime(2031, 2, 3, 9, 0, tzinfo=UTC)

    def now(self) -> datetime:
        """Return the time, UTC."""
        return self._now

    def pass_(self, by: timedelta) -> None:
        """Let time pass."""
        self._now += by


@dataclass(repr=False)  # langchain writes a model's fields down at every call
class Player:
    """What the model decides next, and what it was asked so far.

    Attributes:
        revision: tells the cart's, as the agent has it.
        ends: tells where a prompt has explicit breakpoints: how many messages stand before each.
        decisions: of the turn under way.
    """

    revision: Callable[[Sequence[BaseMessage]], int]
    ends: Callable[[Sequence[BaseMessage]], Sequence[int] | None] = lambda messages: None
    clock: Clock = field(default_factory=Clock)
    turn: int = 0
    decisions: deque[Decided] = field(default_factory=deque)
    asked: list[Asked] = field(default_factory=list)

    def begin(self, turn: Turn, decisions: Sequence[Decided]) -> None:
        """Take the decisions of the next turn.

        Raises:
            RuntimeError: the model was not asked for all of those of the last one.
        """
        if self.decisions:
            raise RuntimeError(f"turn {self.turn} ended with {len(self.decisions)} decisions left")
        self.turn = turn.number
        self.decisions.extend(decisions)

    def decide(self, messages: Sequence[BaseMessage], tools: Sequence[Any]) -> AIMessage:
        """Note what was asked, and return the next decision."""
        written = [wire(message) for message in messages]
        schemas = wire_tools(tools)
        self.asked.append(
            Asked(
                turn=self.turn,
                at=self.clock.now(),
                tools=schemas,
                messages=written,
                sizes=[tokens(schemas), *map(message_tokens, written)],
                ends=self.ends(messages),
                revision=self.revision(messages),
            )
        )
        self.clock.pass_(_THINKING)
        if not self.decisions:
            raise RuntimeError(f"turn {self.turn} asked the model once more than it is written")
        decided = self.decisions.popleft()
        if isinstance(decided, str):
            return AIMessage(decided)
        # In each run alike: langchain's summaries count the names of calls too.
        names = (str(uuid.UUID(int=20 * len(self.asked) + at)) for at in count())
        calls = [
            {"name": one.tool, "args": dict(one.args), "id": name}
            for one, name in zip(decided, names, strict=False)
        ]
        return AIMessage("", tool_calls=calls)


# -- create_agent ---------------------------------------------------------------------------------

_TOOLS = (
    *("search_products", "get_product", "get_reviews", "get_cart", "add_to_cart"),
    *("remove_from_cart", "set_quantity", "checkout", "cancel_order", "fetch_user_profile"),
    *("get_order", "list_orders"),
)


@dataclass
class Desk:
    """The cart behind a contender's tools; the catalogue is the shop's own."""

    shop: HttpService
    cart: Cart = field(default_factory=lambda: Cart(cart_id="usd-1", currency="USD"))
    orders: int = 0

    def tools(self) -> list[BaseTool]:
        """Declare the shop's tools as langchain's, which return JSON."""
        return [self._tool(one["function"]) for one in SHOP.registry.schemas(_TOOLS)]

    def _tool(self, declared: Json) -> BaseTool:
        async def do(**args: Any) -> Any:
            return await self._do(declared["name"], **args)

        return StructuredTool(
            name=declared["name"],
            description=declared["description"],
            args_schema=declared["parameters"],
            coroutine=do,
        )

    async def _do(self, tool: str, **args: Any) -> Any:
        """Do what the script calls."""
        match tool:
            case "search_products":
                found = await self.shop.get("/products", **args)
                return {"hits": found["products"]}
            case "get_product":
                return await self.shop.get(resource("products", args["sku"]))
            case "get_reviews":
                return await self.shop.get(resource("products", args["sku"], "reviews"))
            case "add_to_cart":
                product = await self.shop.get(resource("products", args["sku"]))
                line = CartLine(**args, name=product["name"], unit_price=product["price"])
                self.cart = carts.add(self.cart, line)
            case "checkout":
                return self._order()
            case "remove_from_cart" | "set_quantity":
                self.happens({"type": tool.removesuffix("_from_cart"), **args})
        return self._shown()

    def happens(self, event: Json) -> None:
        """Change the cart as the shop's own page does."""
        if event["type"] == "remove":
            self.cart = carts.remove(self.cart, event["sku"], "")
        else:
            self.cart = carts.set_quantity(self.cart, event["sku"], event["quantity"])

    def _shown(self) -> Json:
        """Show the cart as a tool of the usual kind does: whole, after each change."""
        lines = [
            {**line.model_dump(include=_SHOWN), "line_total": line.price}
            for line in self.cart.lines
        ]
        total = {"currency": self.cart.currency, "total": self.cart.total.amount}
        return {"revision": self.cart.revision, "lines": lines, **total}

    def _order(self) -> Json:
        self.orders += 1
        lines = [{"sku": one.sku, "quantity": one.quantity} for one in self.cart.lines]
        total = {"currency": self.cart.currency, "total": self.cart.total.amount}
        self.cart = self.cart.model_copy(update={"lines": (), "revision": self.cart.revision + 1})
        order = {"order_id": f"DB-{10_000 + self.orders}", "status": "placed"}
        return {**order, "lines": lines, **total}


_SHOWN = {"sku", "name", "quantity", "unit_price"}


@dataclass(repr=False)  # langchain writes a model's fields down at every call
class Extract:
    """Keep the summary before, and the first sentence of each message of the person.

    Where that is more than the limit, the oldest sentences go.

    Attributes:
        limit: tokens of a summary.
        read: tokens of the prompts that it was given so far.
    """

    limit: int = 400
    read: list[int] = field(default_factory=list)

    def decide(self, messages: Sequence[BaseMessage], tools: Sequence[Any]) -> AIMessage:
        """Summarise."""
        (prompt,) = (message.text for message in messages)
        self.read.append(tokens(prompt))
        sentences: list[str] = []
        for said in _HUMAN.findall(prompt):
            before, is_summary, summary = said.partition(_SUMMARY)
            if is_summary:
                lines = summary.strip().splitlines()
                sentences += [line[2:] for line in lines if line[:2] == "- "]
            else:
                sentences.append(re.split(r"(?<=[.?!])\s", before.strip(), maxsplit=1)[0])
        kept: list[str] = []
        for sentence in reversed(sentences):
            line = f"- {sentence}"
            if tokens("\n".join([line, *kept])) > self.limit:
                break
            kept.insert(0, line)
        return AIMessage("\n".join(kept) or "- nothing was said")


_HUMAN = re.compile(r'<message type="human">(.*?)</message>', re.DOTALL)
_SUMMARY = "Here is a summary of the conversation to date:"

EDITING = 8_000
"""Tokens from which context editing acts, by langchain's own approximate count."""

EDITING_KEEPS = 3
"""Tool results that context editing leaves."""

SUMMARIZING, SUMMARIZING_KEEPS = 2_500, 4
"""Tokens from which, and messages that, summarization keeps: set as cheap as we could.

Of nine settings on 100 turns of this script: 2,500 to 8,000 tokens, 2 to 20 messages.
"""

SYSTEM = Path(__file__).with_name("system.txt").read_text("utf-8")


class Plain:
    """Play the script with create_agent.

    Args:
        middleware: its own, for this contender.
    """

    def __init__(
        self,
        name: str,
        shop: HttpService,
        middleware: Sequence[AgentMiddleware[Any, Any, Any]] = (),
        summariser: Extract | None = None,
    ) -> None:
        self.name = name
        self._desk, self._summariser = Desk(shop), summariser
        self._player = Player(lambda messages: self._desk.cart.revision)
        self._aside: list[tuple[int, float]] = []
        self._graph = create_agent(
            Deciding(decide=self._player.decide),
            self._desk.tools(),
            system_prompt=SYSTEM,
            middleware=middleware,
        )
        self._messages: list[BaseMessage] = []

    async def play(self, turn: Turn) -> None:
        """Play one turn."""
        self._player.clock.pass_(timedelta(minutes=turn.minutes))
        for event in turn.outside:
            self._desk.happens(event)
        self._player.begin(turn, [*turn.rounds, turn.answer])
        given: Any = {"messages": [*self._messages, HumanMessage(turn.said)]}
        self._messages = (await self._graph.ainvoke(given))["messages"]
        if self._summariser is not None:
            # Read once and never again: whatever a provider wrote of it to its cache is not billed.
            self._aside += [(turn.number, float(read)) for read in self._summariser.read]
            self._summariser.read.clear()

    def replay(self) -> Replay:
        """Return what its model was asked."""
        return Replay(self.name, self._player.asked, self._aside)


def contenders(shop: HttpService) -> list[Plain]:
    """Make those that Daybook is measured against."""
    summariser = Extract()
    summarizing = SummarizationMiddleware(
        Deciding(decide=summariser.decide),
        trigger=("tokens", SUMMARIZING),
        keep=("messages", SUMMARIZING_KEEPS),
    )
    edit = ClearToolUsesEdit(trigger=EDITING, keep=EDITING_KEEPS)
    return [
        Plain("create_agent, plain", shop),
        Plain("+ SummarizationMiddleware", shop, [summarizing], summariser),
        Plain("+ ContextEditingMiddleware", shop, [ContextEditingMiddleware(edits=[edit])]),
    ]


# -- Daybook --------------------------------------------------------------------------------------

_APPROVED = {"decisions": [{"type": "approve"}]}


class Daybook:
    """Play the script with the shop's graph."""

    def __init__(self, graph: GuardedGraph, player: Player, budget: int) -> None:
        self.name = f"Daybook, {budget // 1000}k"
        self._graph, self._player = graph, player
        about = {"thread_id": str(uuid.uuid4()), "user_id": "ada", "role": "customer"}
        self._config: RunnableConfig = {"configurable": about}

    async def play(self, turn: Turn) -> None:
        """Play one turn; a purchase is approved."""
        self._player.clock.pass_(timedelta(minutes=turn.minutes))
        for event in turn.outside:
            await self._run({"events": [{"id": str(uuid.uuid4()), **event}]})
        self._player.begin(turn, decisions(turn))
        said = {"role": "user", "content": turn.said, "id": str(uuid.uuid4())}
        asks = await self._run({"messages": [said]})
        while asks:
            asks = await self._run(Command(resume=_APPROVED))

    async def _run(self, given: Any) -> Sequence[Any]:
        result = await self._graph.ainvoke(given, self._config)
        asks: Sequence[Any] = result.get("__interrupt__", ())
        return asks

    def replay(self) -> Replay:
        """Return what its model was asked."""
        return Replay(self.name, self._player.asked)


def decisions(turn: Turn) -> list[Decided]:
    """Return what the model decides: as the script says, and facts are remembered first.

    A fact is remembered beside the first calls of a turn; where there are none, by a call of its
    own.
    """
    rounds: list[Decided] = list(turn.rounds)
    if turn.fact is not None:
        fact = turn.fact
        args = {"subject": fact.subject, "value": fact.value, "kind": fact.kind}
        first = list(turn.rounds[0]) if turn.rounds else []
        rounds[:1] = [[Call("remember", args), *first]]
    return [*rounds, turn.answer]


@asynccontextmanager
async def open_daybook(url: str, services: ShopServices, budget: int) -> AsyncIterator[Daybook]:
    """Open Daybook on an empty database.

    Args:
        url: a libpq URL, as the owner of the database.
        budget: tokens that a prompt may take.
    """
    player = Player(revision_in, _breakpoints)
    async with open_postgres(
        url, tenant_id="default", stored_types=SHOP.restored_types, clock=player.clock
    ) as postgres:
        resources = Resources(
            postgres=postgres,
            model=Deciding(decide=player.decide),
            services=services,
            promises=services.guarantees,
            world=services.shop_id,
            budget=budget,
        )
        yield Daybook(build(SHOP, lambda: resources, postgres.saver), player, budget)


_CART = re.compile(r"^cart r(\d+) \(", re.MULTILINE)


def revision_in(messages: Sequence[BaseMessage]) -> int:
    """Return the revision that the tail names; a sub-agent's prompt has none.

    A note may stand behind the tail, where an answer is asked for once more.
    """
    named = (_CART.findall(message.text) for message in reversed(messages))
    return next((int(found[-1]) for found in named if found), 0)


def _breakpoints(messages: Sequence[BaseMessage]) -> list[int]:
    marked = (message.additional_kwargs.get(BREAKPOINT) for message in messages)
    return [count for count, mark in enumerate(marked, 1) if mark]
