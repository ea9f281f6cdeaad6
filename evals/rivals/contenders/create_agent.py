"""langchain's create_agent with a checkpointer on Postgres and its middleware for approvals."""

from __future__ import annotations

from evals.rivals.contenders.agent import drive, opened
from evals.rivals.contenders.outside import Order, Outside, Result, serve


def work(order: Order) -> str:
    """Buy; the key, where one is sent, is the id of the model's call."""
    outside = Outside(order)

    def perform(effect: str, args: Result, call: str) -> Result:
        return outside.perform(effect, args, call, call if "keys" in order else None)

    with opened(order, outside, perform) as (agent, config):
        return drive(agent, config, outside, durability=order["durability"])


if __name__ == "__main__":
    serve(work)
