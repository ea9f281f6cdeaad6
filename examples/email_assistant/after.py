"""The e-mail assistant of before.py whose e-mail is an effect of a ledger: it is sent once.

Run it in three steps:

    python after.py write    # drafts, and stops at its question
    python after.py approve  # answers the question, and sends
    python after.py resume   # goes on after a crash
"""

import asyncio
import os
import sys
from datetime import timedelta
from typing import Any, TypedDict

import httpx
from langchain_core.language_models import BaseChatModel
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt

from daybook import Call, Ledger
from daybook.testing import ReplayedModel  # answers by a script, in the place of a real model

REQUEST = "Tell ben@example.com that the meeting is at ten."
MODEL: BaseChatModel = ReplayedModel(turns={"ben@example.com": ["Hi Ben, we meet at ten. Ada"]})
CONFIG: RunnableConfig = {"configurable": {"thread_id": "mail-1", "user_id": "ada"}}

mail = httpx.AsyncClient(base_url=os.environ.get("MAIL_URL", ""), timeout=30)
ledger = Ledger()  # DATABASE_URL


class State(TypedDict):
    """What the graph remembers."""

    request: str
    to: str
    body: str
    sent: str


async def find_email(call: Call) -> list[dict[str, Any]]:
    """Return the e-mails that the provider has under our key."""
    answer = await mail.get("/messages", params={"reference": call.key})
    return answer.raise_for_status().json()["matches"]


# `review` has asked already, so that the effect asks nobody. The provider ignores idempotency keys:
# after a crash the ledger looks the message up before it sends anything again.
@ledger.effect(id="id", approval="never", find=find_email, visible_within=timedelta(seconds=1))
async def send_email(to: str, body: str, *, call: Call) -> dict[str, Any]:
    """Send an e-mail."""
    message = {"to": to, "body": body, "reference": call.key}
    answer = await mail.post("/messages", json=message, timeout=call.timeout)
    return answer.raise_for_status().json()


async def draft(state: State) -> dict[str, str]:
    """Let the model write the message."""
    [to] = [word for word in state["request"].split() if "@" in word]
    return {"to": to, "body": (await MODEL.ainvoke(state["request"])).text}


def review(state: State) -> Command[Any]:
    """Ask the user, who may change the text."""
    answer: Any = interrupt({"to": state["to"], "body": state["body"]})
    if not answer["approved"]:
        return Command(goto=END)
    return Command(update={"body": answer.get("body", state["body"])}, goto="send")


async def send(state: State) -> dict[str, str]:
    """Send what was approved."""
    return {"sent": (await send_email(state["to"], body=state["body"]))["id"]}


BUILDER = (
    StateGraph(State)
    .add_node("draft", draft)
    .add_node("review", review, destinations=("send", END))
    .add_node("send", send)
    .add_edge(START, "draft")
    .add_edge("draft", "review")
)

GIVEN: dict[str, Any] = {
    "write": {"request": REQUEST},
    "approve": Command(resume={"approved": True}),
    "resume": None,
}


async def main(step: str) -> None:
    """Run one step of the conversation."""
    url = os.environ["DATABASE_URL"]
    async with ledger, AsyncPostgresSaver.from_conn_string(url) as saver:
        await saver.setup()
        graph = BUILDER.compile(checkpointer=saver)
        print(await graph.ainvoke(GIVEN[step], CONFIG, durability="sync"))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
