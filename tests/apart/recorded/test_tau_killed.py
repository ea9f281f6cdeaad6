"""A write to tau-bench's retailer is done once where its process dies."""

import asyncio
import signal
import sys
from pathlib import Path

from daybook.state.fault_points import FaultPoint
from daybook.testing.model import last_result
from evals.tau_retail.data import TauRetail
from evals.tau_retail.outside import Retailer
from tests.apart.recorded.runs import retail_agent
from tests.apart.recorded.test_tau_domain import RETURNS, data, retailer, world
from tests.conversation import Conversation, answer_of

__all__ = ["data", "retailer", "world"]


ROOT = Path(__file__).parents[3]


# -- the process dies ------------------------------------------------------------------------------


async def test_a_write_that_was_done_when_its_process_died_is_done_once(
    data: TauRetail, postgres_url: str, retailer: Retailer, world: str
):
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.returning_process"),
        *(postgres_url, retailer.url, world, f"{FaultPoint.AFTER_REPLY}:{RETURNS}"),
        cwd=ROOT,
    )
    assert await child.wait() == -signal.SIGKILL
    (done,) = retailer.world(world).executions
    async with retail_agent(data, postgres_url, retailer.url, world) as agent:
        agent.model.then(last_result)
        taken_over = await Conversation(agent.graph, thread=world).taken_over()
        assert answer_of(taken_over) == done["text"]
        assert agent.model.asked == 1, "it is asked for its answer and for nothing before"
    assert retailer.world(world).executions == [done]
