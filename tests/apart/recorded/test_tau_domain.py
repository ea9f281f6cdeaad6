"""tau-bench's retailer as a domain: real decisions through our nodes, each text byte for byte."""

from collections.abc import AsyncIterator, Callable

import pytest

from daybook.state.fault_points import FaultPoint, arm
from daybook.testing.model import Prompt, ScriptedModel, last_result
from daybook.testing.model import Turn as Decided
from evals.tau_retail.data import TauRetail, Turn
from evals.tau_retail.domain import retail_domain
from evals.tau_retail.outside import Retailer
from tests.apart.recorded.runs import RetailAgent, retail_agent, run_of
from tests.conversation import Conversation, answer_of
from tests.cuts import Cut

RETURNS, MOVES = "return_delivered_order_items", "modify_user_address"

MISTAKEN = {
    "user_id": "yusuf_rossi_9620",
    "address1": "763 Broadway",
    "address2": "Suite 135",
    "city": "Philadelphia",
    "state": "PA",
    "country": "USA",
    "zip": "19122",
    "last_name": "Rossi",
    "first_name": "Yusuf",
    "id": "9620",
}
"""The retailer names the first argument that it does not know; a database keeps no order."""

NAMED_FIRST = "Error: ModifyUserAddress.invoke() got an unexpected keyword argument 'last_name'"


@pytest.fixture
def world(retailer: Retailer, request: pytest.FixtureRequest) -> str:
    """Begin a world of this test's own."""
    name = f"{request.node.name}#1"
    retailer.begin(name)
    return name


@pytest.fixture
async def agent(
    data: TauRetail, postgres_url: str, retailer: Retailer, world: str
) -> AsyncIterator[RetailAgent]:
    async with retail_agent(data, postgres_url, retailer.url, world) as agent:
        yield agent


def results_in(model: ScriptedModel) -> list[str]:
    """Return the results in the last prompt, in order."""
    return [message.text for message in model.prompts[-1] if message.type == "tool"]


def test_the_model_is_shown_the_tools_as_they_are_described(data: TauRetail):
    registry = retail_domain(data.tools, data.policy).registry
    assert registry.schemas(registry.names) == [spec.schema for spec in data.tools]


@pytest.mark.parametrize(
    "run_id",
    [
        # Writes, a refused one, and a tool that nobody has.
        "retail/llama-3.1-8b/t063.2",
        # Arguments that the tool does not have, two and more of them.
        "retail/llama-3.1-8b/t112.2",
        # Reads that were away.
        "retail/grok-3-faults/t017.0",
        # Several writes, and a write and reads, in one message.
        "retail/tau2-gpt-4.1/t102.0",
        pytest.param("retail/llama-3.1-8b/t039.2", marks=pytest.mark.long),
        pytest.param("retail/tau2-gpt-5-toolorchestra/t40.0", marks=pytest.mark.long),
    ],
)
async def test_a_recorded_run_comes_to_its_results_its_database_and_its_writes(
    data: TauRetail, agent: RetailAgent, retailer: Retailer, world: str, run_id: str
):
    run = run_of(data, run_id)

    def deciding(turn: Turn) -> Callable[[Prompt], Decided]:
        def decide(prompt: Prompt) -> Decided:
            retailer.world(world).is_away = turn.calls[0].fault
            return [(call.name, call.args) for call in turn.calls]

        return decide

    agent.model.then(*(deciding(turn) for turn in run.turns if turn.calls), "done")
    await Conversation(agent.graph).say("all of it, please")
    assert results_in(agent.model) == [call.result for call in run.calls]
    assert retailer.sha256(world) == run.final_db_sha256
    writes = {spec.name for spec in data.tools if spec.is_write}
    log = retailer.world(world)
    assert [(one["tool"], one["args"], one["text"]) for one in log.executions] == [
        (call.name, call.args, call.result) for call in run.calls if call.name in writes
    ]
    assert log.repeats == 0


@pytest.mark.parametrize(
    ("point", "about"),
    [
        # The decision is taken from the ledger, and not from the checkpoint.
        (FaultPoint.AFTER_COMMIT, "decided"),
        # The intent is.
        (FaultPoint.BEFORE_REQUEST, MOVES),
        # The refusal is not recorded, and is asked for again under the key.
        (FaultPoint.AFTER_REPLY, MOVES),
    ],
)
async def test_what_the_retailer_says_of_a_call_is_the_same_after_a_restart(
    agent: RetailAgent, retailer: Retailer, world: str, point: FaultPoint, about: str
):
    def dies(now: FaultPoint, what: str) -> None:
        if (now, what) == (point, about):
            arm(None)
            raise Cut

    agent.model.then([(MOVES, MISTAKEN)], last_result)
    talk = Conversation(agent.graph)
    arm(dies)
    try:
        with pytest.raises(Cut):
            await talk.say("yes", "m-1")
    finally:
        arm(None)
    assert answer_of(await talk.run(None)) == NAMED_FIRST
    (done,) = retailer.world(world).executions
    assert done["args"] == MISTAKEN
