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
# # A first purchase
#
# An agent buys a pair of boots. You say what you want, the graph stops before
# anything costs money and asks, and you answer in a cell. At the end the shop's own record says
# what really happened.
#
# The next cell opens all that the agent runs on: a Postgres, a shop (a process of its own, with a
# mail server) and a model. Without an account the model is a stand-in that understands plain
# shopping English; set `OPENAI_API_KEY` before you start Jupyter, and it is a provider's. The data
# live in a temporary folder, or below `DAYBOOK_HOME` if you set it.

# %%
from uuid import uuid4

from IPython.display import Markdown
from langgraph.types import Command

from daybook.app.notebook import open_shop

shop = await open_shop()

# %% [markdown]
# ## The graph
#
# It is an ordinary compiled LangGraph, and JupyterLab draws it without a network. A message enters
# at `receive`, `decide` asks the model, and the arrows say why a node is entered: `look` runs
# reads, `change` changes the cart, `intend` writes down what is to be done, `approve` asks you, and
# `execute` is the only place that acts.

# %%
Markdown(f"```mermaid\n{shop.graph.get_graph().draw_mermaid()}\n```")

# %% [markdown]
# ## Saying what you want
#
# A run needs a thread and a user, as in any LangGraph with a checkpointer. `ada` is a customer of
# the demo shop.

# %%
config = {"configurable": {"thread_id": str(uuid4()), "user_id": "ada"}}


async def say(text):
    """Say something in the thread, and show the answer."""
    state = await shop.graph.ainvoke({"messages": [{"role": "user", "content": text}]}, config)
    return Markdown(state["messages"][-1].text)


await say("I need waterproof hiking boots under 150")

# %%
await say("add the second one and two pairs of SOCK-002")

# %%
await say("remove the socks")

# %% [markdown]
# ## What is kept is typed state, not the chat
#
# The cart is a model with integer cents. The socks are remembered as removed: they are not
# recommended again unless you ask for them.

# %%
state = (await shop.graph.aget_state(config)).values
print(state["cart"].model_dump_json(indent=2, exclude={"cart_id"}))

# %% [markdown]
# ## The question
#
# A checkout is a plan of four effects: reserve, charge, order, mail. Before the first of them the
# run is interrupted, and one question covers the whole plan. It is langchain's human-in-the-loop
# request: what would be done, with which arguments, for how much.

# %%
state = await shop.graph.ainvoke({"messages": [{"role": "user", "content": "check out"}]}, config)
[question] = state["__interrupt__"]
print(question.value["action_requests"][0]["description"])

# %% [markdown]
# By now the plan stands in the ledger, with the exact arguments and an idempotency key for each
# step, and nothing has been sent: the shop has recorded no effect.


# %%
async def happened():
    """List what really happened, from the shop's own record."""
    effects = await shop.resources.services.shop.get("/effects")
    return [effect["effect"] for effect in effects]


await happened()

# %% [markdown]
# ## The answer
#
# `approve` is one of four decisions; `edit`, `reject` and `respond` are the others. The
# `approval_id` says which question is answered: an answer to an older question would change
# nothing. Run this cell twice: the second time no question waits, and nothing is bought again.

# %%
from daybook.state.errors import NothingPending

answer = {"decisions": [{"type": "approve"}], "approval_id": question.value["approval_id"]}
try:
    state = await shop.graph.ainvoke(Command(resume=answer), config)
    print(state["messages"][-1].text)
except NothingPending as refusal:
    print(refusal)

# %%
await happened()

# %% [markdown]
# One of each. `crash_and_recovery` kills the process right after the charge, and it is still one of
# each.
#
# Close what was opened. (If you forget, it ends with the kernel.)

# %%
await shop.close()
