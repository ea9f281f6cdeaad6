"""A true process that is suspended while its person is forgotten, past its lease."""

from daybook.checkpoints.people.erasure import Held, everything, open_eraser
from daybook.checkpoints.postgres import Postgres
from daybook.state.clock import SYSTEM
from tests.conftest import Agent
from tests.integration.runners import Runners, says
from tests.purchases import PATIENCE


async def forgotten(postgres: Postgres, user: str = "ada") -> list[Held]:
    """Forget a person as the command does."""
    async with open_eraser(postgres) as eraser:
        threads = await eraser.of_person(user)
        return [await eraser.erase(held.thread_id, everything) for held in threads]


async def test_who_was_suspended_while_it_remembered_remembers_nothing_of_a_forgotten_person(
    agent: Agent, runners: Runners
):
    said = {"subject": "elephants", "value": "purple ones"}
    words = "remember of my elephants: purple ones"
    errand = says("t-1", words, "m-1", talk={words: [("remember", said)]}, lease=0.5)
    (suspended,) = await runners.start(errand.stops("after_commit:applied"))
    await suspended.stopped()
    postgres = agent.resources.postgres
    async with SYSTEM.timeout(PATIENCE):
        while any(held.kept for held in await forgotten(postgres)):
            await SYSTEM.sleep(0.05)
    await postgres.memory.forget_all("ada")
    suspended.wake()
    assert (await suspended.outcome()).error == "TakenOver"
    assert await postgres.memory.of("ada") == ()
