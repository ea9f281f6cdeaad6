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
# # Crash and recovery
#
# A purchase is killed at its worst moment: the card has been charged, and the process dies before
# it could note that. Then this notebook goes on with the same thread. Was the card charged? May it
# be charged again? The ledger answers that, not the model.

# %%
import os
import signal
import subprocess
import sys
from uuid import uuid4

import pandas as pd

from daybook.app.notebook import open_shop
from daybook.state.clock import SYSTEM
from daybook.state.errors import ThreadBusy

shop = await open_shop()
thread = str(uuid4())

# %% [markdown]
# ## The crash
#
# A process of its own talks with the agent: it puts boots into the cart, checks out and approves
# (`--yes`). `DAYBOOK_DIE_AT` makes it kill itself with SIGKILL when the reply to the charge has
# come and before anything notes it. No handler and no `finally` runs. Leave the variable out and
# the purchase goes through.

# %%
command = [sys.executable, "-m", "daybook.app", "chat", "--yes", "--thread", thread]
killed = subprocess.run(
    command,
    env={
        **os.environ,
        "DAYBOOK_HOME": str(shop.home),
        "DAYBOOK_DIE_AT": "after_reply:charge_payment",
    },
    input="add BOOT-013\ncheck out\n",
    capture_output=True,
    text=True,
)
print(*[line for line in killed.stdout.splitlines() if "..." in line], sep="\n")
print("killed by SIGKILL:", killed.returncode == -signal.SIGKILL)

# %% [markdown]
# ## What is left
#
# The shop has charged the card. It is another process, and knows nothing of the crash.


# %%
async def happened():
    """Read what really happened, from the shop's own record."""
    effects = pd.DataFrame(await shop.resources.services.shop.get("/effects"))
    return effects[["n", "effect", "reference", "user_id"]]


await happened()

# %% [markdown]
# The ledger has the intent and the attempt of the charge, and nothing after that: it *may* have
# happened. That was written before the request was sent, which is why it is known now.


# %%
async def ledger(of):
    """Show the ledger's entries about one operation, and the process that claimed the attempt."""
    rows = pd.DataFrame(await shop.resources.postgres.ledger.stored(thread))
    about = rows[rows["op"].str.endswith(of, na=False)].set_index("seq")
    return about[["at", "event", "worker"]].fillna("")


await ledger("/charge")

# %% [markdown]
# ## Going on
#
# `None` as input goes on where the thread stands. No message is said again and no model is asked
# what to do: `execute` looks each open step up in the recovery table. This shop can be looked up,
# so the charge is looked for under its key first. The model comes last, when all is done, for the
# sentence that tells you ("thinking").

# %%
config = {"configurable": {"thread_id": thread, "user_id": "ada"}}


async def go_on():
    """Go on, as soon as Postgres has noticed that the killed process is gone (milliseconds)."""
    while True:
        try:
            async for told in shop.graph.astream(None, config, stream_mode="custom"):
                if "progress" in told:
                    print(told["progress"])
            return
        except ThreadBusy:
            await SYSTEM.sleep(0.05)


await go_on()

# %%
state = (await shop.graph.aget_state(config)).values
print(state["messages"][-1].text)

# %% [markdown]
# ## One charge
#
# It was *found*, so it was not sent again; the order and the mail were done by this notebook.

# %%
await ledger("/charge")

# %%
effects = await happened()
effects["effect"].value_counts().to_frame()

# %%
await shop.resources.postgres.ledger.verify(thread)

# %% [markdown]
# The number is how many entries the thread's ledger has; each is chained to the one before it by a
# hash, and the whole chain was checked. `daybook demo` shows the same beside an agent that asks its
# model again after the crash, and charges twice.

# %%
await shop.close()
