# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Bring your own tools
#
# A support desk that reads tickets, holds spare parts and credits customers: an own state, three
# own tools, an own policy and prompt, on the same nodes as the shop and without a line of it. The
# page docs/tools.md says what each declaration promises.
#
# First the other side. Yours is a service with a URL (`daybook.tools.services.http.HttpService`
# calls it and classifies its answers); here it is an object, so that it stands on one screen. It
# honours idempotency keys: asked again under the same key, it gives the same answer and does
# nothing.

# %%
from daybook.state.effects.outcome import Confirmed, Declined, Outcome


class Helpdesk:
    """Tickets, spare parts and credits; `happened` is what really happened."""

    def __init__(self):
        self.tickets = {
            "T-1": {"about": "the kettle leaks", "part": "lid", "account": "open"},
            "T-2": {"about": "the toaster smokes", "part": "lever", "account": "closed"},
        }
        self.happened = []
        self._answers = {}

    async def do(self, effect: str, key: str, **about) -> Outcome:
        """Do it once under a key; what was refused stays refused."""
        if key not in self._answers:
            self._answers[key] = self._do(effect, about)
        return self._answers[key]

    def _do(self, effect: str, about: dict) -> Outcome:
        ticket = self.tickets.get(about.get("ticket"))
        if ticket and ticket["account"] == "closed":
            return Declined("account_closed", "The account of this customer is closed.")
        self.happened.append((effect, *about.values()))
        return Confirmed({"id": f"{effect[0].upper()}-{len(self.happened)}"})


# %% [markdown]
# ## 1. State
#
# What the thread deals with, beside messages, flow and ledger: the tickets that were settled.

# %%
from daybook.state.agent import AgentState


class DeskState(AgentState, total=False):
    """The state of a thread of the support desk."""

    settled: list[str]


# %% [markdown]
# ## 2. Tools
#
# Three functions, one of each kind, and what gives the hybrid back. The signature is the schema,
# the docstring is what the model reads, and `ctx` is what Daybook gives: your services, and for
# effects the idempotency key. `KEYED` is what Daybook may rely on when it has to decide whether a
# call can be sent again. A hybrid without an `undo` would be refused here, with a sentence.

# %%
from datetime import timedelta
from typing import Any

from daybook.state.context import EffectContext, PlanContext, ReadContext
from daybook.state.effects.guarantees import Guarantees
from daybook.tools.kinds import Undo, hybrid, plan, read, write

KEYED = Guarantees(honours_key=True, stores_failures=True, retention=timedelta(days=1))


@read(lifetime=60)
async def find_ticket(ticket: str, *, ctx: ReadContext[Helpdesk]) -> Any:
    """Look a ticket up."""
    return ctx.services.tickets[ticket]


@write(guarantees=KEYED, money=("amount", "currency"))
async def credit(
    ticket: str, amount: int, currency: str, *, ctx: EffectContext[Helpdesk]
) -> Outcome:
    """Credit the customer of a ticket; the amount is in cents."""
    return await ctx.services.do("credit", ctx.key, ticket=ticket, amount=amount)


@hybrid(
    guarantees=KEYED,
    approval="never",
    reference="id",
    undo=Undo("release_part", lambda args, result: {"hold": result["id"]}),
)
async def hold_part(part: str, *, ctx: EffectContext[Helpdesk]) -> Outcome:
    """Hold a spare part in the store."""
    return await ctx.services.do("hold", ctx.key, part=part)


@write(guarantees=KEYED, approval="never")
async def release_part(hold: str, *, ctx: EffectContext[Helpdesk]) -> Outcome:
    """Give a held part back."""
    return await ctx.services.do("release", ctx.key, hold=hold)


# %% [markdown]
# ## 3. A plan
#
# The model triggers it by one call; its steps are yours. Each names its business operation, which
# becomes the idempotency key. The pivot is the point of no return: what was done before it is given
# back when something fails.

# %%
from daybook.tools.draft import ActionDraft, StepDraft


@plan
async def send_part(ticket: str, *, ctx: PlanContext[Helpdesk]) -> ActionDraft:
    """Send the customer of a ticket the spare part, and credit the postage."""
    part = ctx.services.tickets[ticket]["part"]
    postage = {"ticket": ticket, "amount": 500, "currency": "EUR"}
    return ActionDraft(
        tool="send_part",
        args={"ticket": ticket},
        title=f"Send a {part} for {ticket}",
        steps=(
            StepDraft("hold", "hold_part", f"{ticket}/hold", {"part": part}),
            StepDraft("postage", "credit", f"{ticket}/postage", postage, pivot=True),
        ),
    )


# %% [markdown]
# ## 4. Flow and policy
#
# One position is enough here, with all tools offered. The policy is read from the top, and the
# first rule that fits a step decides: up to 20 EUR nobody is asked, and that is recorded as such;
# above that a clerk must approve, which a customer cannot.

# %%
from daybook.state.flow import FlowTable
from daybook.state.money import Money
from daybook.state.people.policy import Policy, Rule

OFFERED = {"find_ticket", "credit", "send_part"}
FLOW = FlowTable(start="open", moves={}, offered={"open": frozenset(OFFERED)})

SMALL = Money(amount=2000, currency="EUR")
POLICY = Policy(
    rules=(
        Rule(name="small credits", tools=("credit",), up_to=SMALL, approval="nobody"),
        Rule(name="large credits", tools=("credit",), above=SMALL, approval="clerk"),
    )
)

# %% [markdown]
# ## 5. The domain
#
# All that Daybook is told. `settled` says what a finished action does to the state.
#
# The model below plays a provider, so that this runs without an account: it takes what is said for
# a call. Set `OPENAI_API_KEY` before you start Jupyter, and a provider's model is asked instead.

# %%
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGeneration, ChatResult

from daybook.tools.domain import Domain, Prompt
from daybook.tools.registry import Registry


class WordModel(BaseChatModel):
    """Take what is said for a call, such as `credit T-1 3000`, and then tell its result."""

    _llm_type = "words"

    def bind_tools(self, tools, **kwargs):
        return self

    def _generate(self, messages, *args, **kwargs):
        last = [message for message in messages if message.type != "system"][-1]
        if last.type == "tool":
            message = AIMessage(last.text)
        else:
            tool, ticket, *cents = last.text.split()
            given = {"ticket": ticket}
            if cents:
                given |= {"amount": int(cents[0]), "currency": "EUR"}
            message = AIMessage("", tool_calls=[{"name": tool, "args": given, "id": "call-1"}])
        return ChatResult(generations=[ChatGeneration(message=message)])


def settled(state, action):
    """Remember the tickets for which a part was sent."""
    if action.tool != "send_part" or not action.succeeded:
        return {}
    return {"settled": [*state["settled"], action.args["ticket"]]}


DESK = Domain(
    name="desk",
    state=DeskState,
    registry=Registry(offered=(find_ticket, credit, send_part), steps=(hold_part, release_part)),
    flow=FLOW,
    policy=POLICY,
    prompt=Prompt(
        system="You work at a support desk: you look tickets up, send parts and credit customers.",
        tail=lambda state, session: [f"settled: {state['settled']}"],
    ),
    initial=lambda session, turn_id, services: {"settled": []},
    settled=settled,
    embedded_model=WordModel,
)

# %% [markdown]
# ## Running it
#
# Approvals, the ledger, retries, compensation and recovery are there. `mia` is the customer.

# %%
from uuid import uuid4

from langgraph.types import Command

from daybook.app.notebook import open_agent

helpdesk = Helpdesk()
desk = await open_agent(DESK, services=helpdesk)
mia = {"configurable": {"thread_id": str(uuid4()), "user_id": "mia"}}


async def say(text):
    """Say something as mia, and return the new state."""
    return await desk.graph.ainvoke({"messages": [{"role": "user", "content": text}]}, mia)


state = await say("find_ticket T-1")
print(state["messages"][-1].text)

# %% [markdown]
# A part is held and the postage credited. Nobody is asked: holding needs no approval, and 5 EUR are
# below the limit. Run the cell once more, and it is told that this was done already: `T-1/hold`
# names one business operation, whoever asks for it and however often.

# %%
state = await say("send_part T-1")
print(state["messages"][-1].text)
helpdesk.happened, state["settled"]

# %% [markdown]
# The account of T-2 is closed, so its postage is declined, after the part was held. Without any
# code for this case the hold is given back:

# %%
state = await say("send_part T-2")
print(state["messages"][-1].text)
helpdesk.happened

# %% [markdown]
# 30 EUR need a clerk. The run stops and says so in its question:

# %%
state = await say("credit T-1 3000")
[question] = state["__interrupt__"]
question.value["needs"]

# %% [markdown]
# mia cannot grant it to herself: the question is put again, and nothing was done.

# %%
answer = Command(
    resume={"decisions": [{"type": "approve"}], "approval_id": question.value["approval_id"]}
)
state = await desk.graph.ainvoke(answer, mia)
print(state["note"])
helpdesk.happened[-1]

# %% [markdown]
# The clerk answers in the same thread, as herself. Her name and role stand in the ledger.

# %%
cleo = {"configurable": {**mia["configurable"], "user_id": "cleo", "role": "clerk"}}
state = await desk.graph.ainvoke(answer, cleo)
print(state["messages"][-1].text)
helpdesk.happened[-1]

# %%
entries = await desk.resources.postgres.ledger.stored(mia["configurable"]["thread_id"])
[(entry["author"], entry["role"]) for entry in entries if entry["event"] == "decision"][-1]

# %%
await desk.close()
