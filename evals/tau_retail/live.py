"""Let a model solve tasks, with a model as customer, and judge result and steps."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from daybook import Domain, HttpService, build, open_postgres
from daybook.app.grading.grade import Grade, grade
from daybook.app.grading.history import read_trajectory
from daybook.domain import Resources, Settings, chosen_model
from daybook.graph.model.chosen import (
    caching_of,
)
from daybook.state.errors import ConfigurationError
from evals.tau_retail.data import STOP, Task, TauRetail
from evals.tau_retail.domain import RETAILER, Retailer, retail_domain
from evals.tau_retail.outside import Retailer as Worlds
from evals.tau_retail.outside import open_ground
from evals.tau_retail.player import Replayed

_LANES = 2
"""Conversations at a time."""

_TURNS = 30
"""Messages of a customer at most, as in the benchmark."""

_DECISIONS = 64

_TOKENS = 32_000
"""Of a prompt at least: instructions and tools take about 4,000, an order or a product some 600."""


@dataclass(frozen=True)
class Solved:
    """What came of one trial of a task.

    Attributes:
        has_database: the database is as the task wants it.
        has_outputs: what the customer was to be told was told.
        error: what ended the conversation before its end; "" where nothing did.
        grade: the verdicts on its steps; None where there is nothing to judge.
    """

    task_id: str
    trial: int
    has_database: bool
    has_outputs: bool
    error: str
    grade: Grade | None

    @property
    def is_solved(self) -> bool:
        """Tell whether the task is solved."""
        return self.has_database and self.has_outputs and not self.error


@dataclass(frozen=True)
class Asked:
    """What is asked for.

    Attributes:
        customer: name of the model that plays the customers.
    """

    tasks: Sequence[Task]
    trials: int
    customer: str


Tell = Callable[[Solved], None]


def tasks_of(data: TauRetail, split: str, most: int) -> list[Task]:
    """Return the first tasks of a split.

    Raises:
        ConfigurationError: there is no such split.
    """
    tasks = [task for task in data.tasks() if task.split == split]
    if not tasks:
        raise ConfigurationError(
            f"tau-bench retail has no split {split}; it has test, train and dev. Nothing was done."
        )
    return tasks[:most]


async def solve_all(data: TauRetail, asked: Asked, settings: Settings, tell: Tell) -> None:
    """Let the settings' model solve tasks, and tell what came of each trial."""
    left = deque((task, trial) for task in asked.tasks for trial in range(asked.trials))
    async with open_ground(data) as ground:
        database = await ground.server.new_database("tau")
        async with open_desk(data, database, ground.retailer, asked.customer, settings) as desk:

            async def lane() -> None:
                while left:
                    tell(await desk.solved(*left.popleft()))

            async with asyncio.TaskGroup() as solving:
                for _ in range(_LANES):
                    solving.create_task(lane())


@dataclass(frozen=True)
class Desk:
    """What conversations share."""

    data: TauRetail
    worlds: Worlds
    domain: Domain
    resources: Resources
    service: HttpService
    customer: BaseChatModel

    async def solved(self, task: Task, trial: int) -> Solved:
        """Hold one conversation, and judge it."""
        name = f"{task.split}.{task.task_id}.{trial}"
        self.worlds.begin(name)
        error, replies = "", [""]
        try:
            await self._talk(name, task, replies)
        except Exception as raised:
            # One conversation that breaks off is a line of the table, and not the end of the rest.
            error = f"{type(raised).__name__}: {raised}"
        sha256 = self.worlds.sha256(name)
        self.worlds.end(name)
        return Solved(
            task.task_id,
            trial,
            sha256 == task.gold_db_sha256,
            are_told(task.outputs, replies),
            error,
            await self._graded(name),
        )

    async def _talk(self, name: str, task: Task, replies: list[str]) -> None:
        """Talk until the customer stops, or is handed over; what is replied is appended.

        Raises:
            NeverStops: it is not over by then; the benchmark counts it as not solved.
        """
        resources = replace(self.resources, services=Retailer(self.service, name))
        graph = build(self.domain, lambda: resources, resources.postgres.saver)
        agent = Replayed(graph, resources, self.domain, name)
        customer = Customer(self.customer, task.instruction)
        ends = {spec.name for spec in self.data.tools if spec.terminates}
        heard = GREETING
        for number in range(_TURNS):
            text = await customer.says(heard)
            if STOP in text:
                return
            heard = await agent.hears(f"{name}-{number}", text)
            replies.append(heard)
            if ends & await agent.called():
                return
        raise NeverStops(f"the customer had more to say after {_TURNS} messages")

    async def _graded(self, name: str) -> Grade | None:
        if not await self.resources.postgres.ledger.entries(name):
            return None
        return grade(await read_trajectory(self.resources.postgres, self.domain, name))


class NeverStops(Exception):
    """Raised where a conversation is not over after as many messages as it may have."""


def are_told(outputs: Iterable[str], replies: Iterable[str]) -> bool:
    """Tell whether each output stands in some reply; capitals and commas do not count."""
    told = [reply.lower().replace(",", "") for reply in replies]
    return all(any(one.lower().replace(",", "") in reply for reply in told) for one in outputs)


@asynccontextmanager
async def open_desk(
    data: TauRetail, database: str, retailer: Worlds, customer: str, settings: Settings
) -> AsyncIterator[Desk]:
    """Open what conversations share.

    Args:
        database: a URL, as its owner.
        customer: name of the model that plays the customers, at the settings' provider.
    """
    domain = retail_domain(data.tools, data.policy)
    async with AsyncExitStack() as stack:
        postgres = await stack.enter_async_context(
            open_postgres(database, tenant_id="default", stored_types=domain.restored_types)
        )
        model = await stack.enter_async_context(chosen_model(settings, domain))
        plays = replace(settings, model=customer)
        customers = await stack.enter_async_context(chosen_model(plays, domain))
        service = HttpService(retailer.url, RETAILER)
        stack.push_async_callback(service.close)
        resources = Resources(
            postgres=postgres,
            model=model,
            caching=caching_of(model),
            budget=max(settings.prompt_tokens, _TOKENS),
            decisions=_DECISIONS,
        )
        yield Desk(data, retailer, domain, resources, service, customers)


GREETING = "Hello! How can I help you today?"
"""What the customer reads first."""

_INSTRUCTIONS = """\
You play a customer who writes to the chat of an online shop. The person on the other side is the \
shop's agent, and you never play that one.

Who you are and what you want:
{instruction}

How you write:
- One message at a time, short and in plain words, as people write in a chat.
- Say only what the situation asks for. Do not tell all that you want at once, and do not recite \
the text above.
- What stands there is all that you know. Where you are asked for something else (an order number, \
an e-mail address), say that you do not have it at hand, and never make anything up.
- Stay in the role and keep the wishes and the temper that are described.
- Confirm what the agent proposes when it is what you want, and refuse it when it is not.
- When all that you want is done, or has turned out to be impossible, or when you are handed over \
to somebody else, write {stop} and nothing else.
"""


class Customer:
    """Play one customer in one conversation."""

    def __init__(self, model: BaseChatModel, instruction: str) -> None:
        self._model = model
        told = _INSTRUCTIONS.format(instruction=instruction, stop=STOP)
        self._messages: list[BaseMessage] = [SystemMessage(told)]

    async def says(self, heard: str) -> str:
        """Say something to what the agent said.

        Raises:
            ModelUnavailable: the customer's model gave no answer.
        """
        self._messages.append(HumanMessage(heard))
        answer = await self._model.ainvoke(self._messages)
        self._messages.append(AIMessage(answer.text))
        return answer.text
