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
# # Reading the ledger
#
# The ledger is one append-only table in Postgres: a row for each thing that happened to a step.
# What took how long, what failed, what a person was waited for: it is all there. To read your own,
# set `DATABASE_URL` (or `DAYBOOK_HOME`) before you start Jupyter and skip the next section but for
# its first cell.

# %%
import asyncio
import random
from uuid import uuid4

import httpx
import matplotlib.pyplot as plt
import pandas as pd
from langgraph.types import Command

from daybook.app.notebook import open_shop
from daybook.state.clock import SYSTEM

shop = await open_shop()
postgres = shop.resources.postgres

# %% [markdown]
# ## Some purchases to read about
#
# Five people buy boots and think a moment before they answer. One of them rejects, one has no card
# that works, and one cancels the order. The shop is told to drop the reply to one charge and to
# refuse one order at first.


# %%
async def buys(user, *answers):
    """Let somebody buy, and answer each question after a moment; return the thread."""
    thread = str(uuid4())
    config = {"configurable": {"thread_id": thread, "user_id": user}}
    for text, answer in (("add BOOT-013", None), ("check out", answers[0]), *answers[1:]):
        said = {"messages": [{"role": "user", "content": text}]}
        state = await shop.graph.ainvoke(said, config)
        if answer:
            await SYSTEM.sleep(random.uniform(0.1, 0.5))
            [question] = state["__interrupt__"]
            about = {"approval_id": question.value["approval_id"]}
            decisions = {"decisions": [{"type": answer}], **about}
            await shop.graph.ainvoke(Command(resume=decisions), config)
    return thread


faults = shop.resources.services.shop.base_url + "/admin/faults"
httpx.post(faults, json={"endpoint": "charges", "mode": "drop"}).raise_for_status()
httpx.post(faults, json={"endpoint": "orders", "mode": "refuse"}).raise_for_status()

threads = await asyncio.gather(
    buys("ada", "approve"),
    buys("esme", "approve", ("cancel that order", "approve")),
    buys("gita", "approve"),
    buys("hugo", "reject"),
    buys("iris", "approve"),
)

# %% [markdown]
# ## The table
#
# Free text and arguments stand in `payload`, which can be erased for a person; everything else is
# chained. A step is a business operation in its generation (`op`, `gen`); which tool it is stands
# in its first entry.

# %%
ids = [thread async for thread in postgres.ledger.thread_ids()]
ledger = pd.DataFrame([row for one in ids for row in await postgres.ledger.stored(one)])
intended = ledger[ledger["event"] == "intended"]
tools = intended.assign(tool=intended["detail"].str["tool"])[["op", "gen", "tool"]]
ledger = ledger.merge(tools, how="left", on=["op", "gen"])
ledger[["user_id", "seq", "at", "event", "tool", "author", "role"]].tail(8).fillna("")

# %% [markdown]
# ## Outcomes by tool
#
# The entries of a plan add up to the state of its steps: `fold` is the function by which recovery
# reads them too. *void* was never sent, *negative* was sent and had no effect, *undone* was given
# back.

# %%
from daybook.state.ledger.entry import entry_of
from daybook.state.ledger.plan import fold

plans = [
    fold(entry_of(row) for row in rows.to_dict("records"))
    for _, rows in ledger.astype(object).where(ledger.notna(), None).groupby("plan_id")
]
steps = pd.DataFrame(
    [
        {"tool": step.tool, "state": step.state.value, "attempts": len(step.attempts)}
        for plan in plans
        for step in plan.steps
    ]
)
COLOURS = {"done": "#2a9d6f", "undone": "#7b6fd0", "negative": "#d1495b", "void": "#b9bec5"}
outcomes = pd.crosstab(steps["tool"], steps["state"])
outcomes.plot.barh(stacked=True, color=COLOURS, figsize=(9, 3), xlabel="steps", ylabel="")
plt.show()
# %% [markdown]
# ## Durations
#
# Of each step: how long its latest attempt was under way until what became of it was known. Mail
# takes longest: it honours no key, so it is sent from a process of its own, which the kernel kills
# at the deadline. Medians and the longest, in milliseconds.

# %%
KNOWN = ["acknowledged", "found", "declined", "refused"]
attempts = ledger[ledger["event"] == "attempted"].groupby(["op", "gen", "tool"])["at"].max()
known = ledger[ledger["event"].isin(KNOWN)].groupby(["op", "gen", "tool"])["at"].max()
milliseconds = (known - attempts).dt.total_seconds() * 1000
durations = milliseconds.groupby("tool").agg(["median", "max"]).round(1)
durations.plot.barh(
    figsize=(9, 3), xlabel="milliseconds", ylabel="", logx=True, color=["#4c78a8", "#b9bec5"]
)
durations

# %% [markdown]
# ## Waiting for people
#
# A plan that needs an approval is opened, and decided when somebody has answered. Who that was, and
# in which role, stands beside it.

# %%
opened = ledger[ledger["event"] == "opened"].set_index("plan_id")
decided = ledger[ledger["event"] == "decision"].set_index("plan_id")
waits = pd.DataFrame(
    {
        "asked for": opened["detail"].str["actions"].str[0].str["tool"],
        "decision": decided["detail"].str["decisions"].str[0],
        "by": decided["author"],
        "as": decided["role"],
        "seconds": (decided["at"] - opened["at"]).dt.total_seconds().round(2),
    }
)
waits.sort_values("seconds", ascending=False).reset_index(drop=True)

# %% [markdown]
# ## A timeline
#
# The purchases, each step from its claim to its outcome. Grey is the time for which it waited, for
# a person or for the steps before it. Amber is the charge whose reply was lost: it was looked for
# under its key, and found. Gita's stock was reserved, then her card was declined, so it was given
# back.

# %%
ENDS = {"found": "#e3a008", "declined": "#d1495b", "acknowledged": "#2a9d6f", "undone": "#7b6fd0"}
about = ledger[ledger["op"].notna() & ledger["thread_id"].isin(threads)]
start = about["at"].min()
since = about.assign(at=(about["at"] - start).dt.total_seconds())
figure, axes = plt.subplots(figsize=(11, 8))
labels = []
for (user, _, _), entries in since.groupby(["user_id", "op", "gen"], sort=False):
    first, y = entries.iloc[0], len(labels)
    labels.append(f"{user}: {first['tool']}")
    axes.barh(
        y, entries["at"].iloc[-1] - first["at"], left=first["at"], height=0.25, color="#dfe3e8"
    )
    begun = None
    for entry in entries.itertuples():
        if entry.event in ("attempted", "undo_attempted"):
            begun = entry.at
        elif begun is not None and entry.event in ENDS:
            axes.barh(y, entry.at - begun, left=begun, height=0.7, color=ENDS[entry.event])
            begun = None
axes.set_yticks(range(len(labels)), labels)
axes.invert_yaxis()
axes.set_xlabel("seconds")
patches = [plt.Rectangle((0, 0), 1, 1, color=colour) for colour in ENDS.values()]
axes.legend(patches, ENDS.keys())
plt.show()

# %% [markdown]
# ## Is it whole?
#
# Each entry's hash covers the entry and the hash before it. `verify` checks a thread's chain and
# what is kept beside it, and returns the number of its entries; it raises where one does not hold.

# %%
pd.Series(
    {thread: await postgres.ledger.verify(thread) for thread in ids}, name="entries"
).to_frame()

# %% [markdown]
# Nobody can change an entry: the database refuses it, for every row and for every role.

# %%
from psycopg.errors import InsufficientPrivilege

async with postgres.pool.connection() as connection:
    try:
        await connection.execute("update ledger_event set author = 'nobody'")
    except InsufficientPrivilege as refusal:
        print(refusal.diag.message_primary)

# %%
await shop.close()
