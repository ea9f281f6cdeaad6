"""The supervisor of before.py whose payment is an effect of a ledger: an invoice is paid once.

Run it in three steps:

    python after.py pay      # asks the supervisor to pay an invoice, and stops at a question
    python after.py approve  # approves the payment
    python after.py resume   # goes on after a crash
"""

import asyncio
import os
import sys
from datetime import timedelta
from typing import Any

import httpx
from langchain.agents import create_agent
from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.types import Command

from daybook import Call, Ledger
from daybook.testing import ReplayedModel  # answers by a script, in the place of a real model

CONFIG: RunnableConfig = {"configurable": {"thread_id": "invoice-1", "user_id": "ada"}}
SUPERVISOR = ReplayedModel(
    turns={"invoice": [[("ask_billing", {"request": "Pay 420 EUR for in-7."})]]}
)
BILLING = ReplayedModel(turns={"in-7": [[("pay", {"invoice": "in-7", "cents": 42_000})]]})

bank = httpx.AsyncClient(base_url=os.environ.get("BANK_URL", ""), timeout=30)
ledger = Ledger()  # DATABASE_URL


@ledger.effect(
    key="invoice/{invoice}/payment",
    id="id",
    approval="always",
    idempotent_for=timedelta(hours=24),  # the bank pays once under a key
)
async def pay(invoice: str, cents: int, *, call: Call) -> dict[str, Any]:
    """Pay an invoice; the amount is in cents."""
    answer = await bank.post(
        "/payments",
        json={"invoice": invoice, "cents": cents},
        headers={"Idempotency-Key": call.key},
        timeout=call.timeout,
    )
    return answer.raise_for_status().json()


billing: Any = create_agent(BILLING, [pay], name="billing", middleware=[ledger.middleware()])


async def ask_billing(request: str) -> str:
    """Hand a request to the billing agent."""
    state = await billing.ainvoke({"messages": [{"role": "user", "content": request}]})
    answer: AIMessage = state["messages"][-1]
    return answer.text


async def main(step: str) -> None:
    """Run one step of the conversation."""
    url = os.environ["DATABASE_URL"]
    async with ledger, AsyncPostgresSaver.from_conn_string(url) as saver:
        await saver.setup()
        supervisor: Any = create_agent(
            SUPERVISOR, [ask_billing], middleware=[ledger.middleware()], checkpointer=saver
        )
        request = {"role": "user", "content": "Have invoice in-7 paid, 420 EUR."}
        given: dict[str, Any] = {
            "pay": {"messages": [request]},
            "approve": Command(resume={"decisions": [{"type": "approve"}]}),
        }
        state = await supervisor.ainvoke(given.get(step), CONFIG, durability="sync")
        for question in state.get("__interrupt__", ()):
            print(question.value["action_requests"][0]["description"])
        print(state["messages"][-1].text)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
