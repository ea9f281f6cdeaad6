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
# # Two merchants
#
# One conversation buys from two merchants that know nothing of each other. Both speak the Universal
# Commerce Protocol. The second one takes the order and loses its answer: was it placed, and may it
# be placed again? The ledger says what was sent, and the merchant is asked what came of it.
#
# The next cell starts two shops, each a process of its own with goods of its own, and writes down
# what pays and where it goes. The card is one that the shops have on file: no money is moved.

# %%
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from uuid import uuid4

import httpx
import pandas as pd
from IPython.display import Markdown
from langgraph.types import Command

from daybook.app.notebook import open_merchants

folder = Path(tempfile.mkdtemp(prefix="daybook-merchants-"))


def start(name, category):
    """Start a shop, and return its process and its URL."""
    command = [sys.executable, "-m", "daybook.demo.shop", "--port", "0", "--smtp-port", "0"]
    shop = subprocess.Popen(
        [*command, "--db", str(folder / f"{name}.sqlite"), "--sells", category, "--any-agent"],
        stdout=subprocess.PIPE,
        text=True,
    )
    return shop, json.loads(shop.stdout.readline())["shop_url"]


packs, packs_url = start("packs", "backpacks")
boots, boots_url = start("boots", "hiking-boots")

wallet = folder / "wallet.json"
card = {"type": "token", "token": "card_ada_1"}
address = {
    "street_address": "12 Birch Street",
    "address_locality": "Portland",
    "address_region": "OR",
    "postal_code": "97205",
    "address_country": "US",
}
visa = {"id": "visa", "handler_id": "shop_card", "type": "card", "label": "Visa ending in 4242"}
wallet.write_text(
    json.dumps(
        {
            "*": {
                "buyer": {"email": "ada@example.com"},
                "instruments": [{**visa, "credential": card}],
                "addresses": [{"id": "home", "label": "Home", "address": address}],
            }
        }
    )
)

buyer = await open_merchants(packs_url, boots_url, wallet=wallet)

# %% [markdown]
# ## Looking at both
#
# A search asks both merchants at once. What they say is data: bounded, in one line, and never an
# instruction.

# %%
config = {"configurable": {"thread_id": str(uuid4()), "user_id": "ada"}}
at_packs, at_boots = (url.removeprefix("http://") for url in (packs_url, boots_url))


async def say(text):
    """Say something in the thread, and show the answer."""
    state = await buyer.graph.ainvoke({"messages": [{"role": "user", "content": text}]}, config)
    return Markdown(state["messages"][-1].text)


await say("find something waterproof")

# %%
await say(f"add PACK-015 at {at_packs}")

# %%
await say(f"add BOOT-013 at {at_boots}")

# %% [markdown]
# ## The first order
#
# A checkout is opened first: the total is the merchant's to say. Then a person is asked, for
# exactly these lines, this total, this card and this address.


# %%
async def asks(text):
    """Say something that leads to a question, and return it."""
    state = await buyer.graph.ainvoke({"messages": [{"role": "user", "content": text}]}, config)
    [question] = state["__interrupt__"]
    return question


async def approve(question):
    """Approve what was asked, and show what came of it."""
    answer = {"decisions": [{"type": "approve"}], "approval_id": question.value["approval_id"]}
    state = await buyer.graph.ainvoke(Command(resume=answer), config)
    return Markdown(state["messages"][-1].text)


question = await asks(f"check out at {at_packs}")
print(question.value["action_requests"][0]["description"])

# %%
await approve(question)

# %% [markdown]
# ## The second order, and no answer
#
# The boots' shop is told to do what the next Complete asks of it and to drop the connection before
# it answers. Whoever asked cannot know whether the order was placed.

# %%
httpx.post(f"{boots_url}/admin/faults", json={"endpoint": "completions", "mode": "drop"}).json()
question = await asks(f"check out at {at_boots}")
await approve(question)

# %% [markdown]
# ## What the ledger says
#
# The exact bytes were in the ledger before they were sent, without the credential: that joined them
# at the moment of sending. No answer came, the checkout was looked up, and it shows an order. The
# request was sent once.


# %%
async def ledger(merchant):
    """Show the ledger's entries about the order at one merchant."""
    rows = pd.DataFrame(await buyer.resources.postgres.ledger.stored(thread_id))
    orders = rows[rows["op"].str.endswith("/complete", na=False)]
    intents = orders[orders["event"] == "intended"]
    (op,) = [
        row["op"] for _, row in intents.iterrows() if row["payload"]["args"]["merchant"] == merchant
    ]
    return orders[orders["op"] == op].set_index("seq")[["at", "event"]]


thread_id = config["configurable"]["thread_id"]
await ledger(at_boots)

# %%
rows = await buyer.resources.postgres.ledger.stored(thread_id)
print(
    *[
        row["payload"]["args"]["body"]
        for row in rows
        if row["event"] == "intended" and "body" in row["payload"]["args"]
    ],
    sep="\n",
)

# %% [markdown]
# ## What really happened
#
# Each shop keeps its own record. One hold, one charge and one order at each.

# %%
for url in (packs_url, boots_url):
    print([effect["effect"] for effect in httpx.get(f"{url}/effects").json()])

# %%
await say("what did I order?")

# %% [markdown]
# Close what was opened, and end the shops.

# %%
import shutil

await buyer.close()
for shop in (packs, boots):
    shop.terminate()
    shop.wait()
    shop.stdout.close()
shutil.rmtree(folder)
