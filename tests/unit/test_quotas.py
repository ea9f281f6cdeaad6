"""How many runs one user may have that have not ended."""

import asyncio

import pytest

from daybook.app.server.run_rules import UnfinishedRuns
from daybook.state.clock import SYSTEM
from daybook.state.errors import TooMany


class Server:
    """The runs of a server, and which of them have ended."""

    def __init__(self) -> None:
        self.ended, self.looks = set[str](), 0
        self.runs = UnfinishedRuns(3, self._is_over)

    async def _is_over(self, thread_id: str, run_id: str, who: str) -> bool:
        self.looks += 1
        await SYSTEM.sleep(0)
        return run_id in self.ended


async def test_so_many_runs_may_be_unfinished_and_others_are_not_held_up():
    server = Server()
    for run in "123":
        await server.runs.begin("ada", "thread", run)
    assert server.looks == 0, "nothing is looked up for who has room"
    with pytest.raises(TooMany) as no:
        await server.runs.begin("ada", "thread", "4")
    assert no.value.seconds == 5
    await server.runs.begin("ben", "another", "5")
    server.ended.add("2")
    await server.runs.begin("ada", "thread", "6")


async def test_of_many_runs_at_once_no_more_get_in_than_may():
    server = Server()
    server.ended.update("123")
    for run in "123":
        await server.runs.begin("ada", "thread", run)
    came = [server.runs.begin("ada", "thread", f"late {n}") for n in range(20)]
    answers = await asyncio.gather(*came, return_exceptions=True)
    assert sum(not isinstance(one, TooMany) for one in answers) == 3


async def test_a_run_that_could_not_be_created_takes_no_room():
    server = Server()
    runs = [await server.runs.begin("ada", "thread") for _ in "123"]
    with pytest.raises(TooMany):
        await server.runs.begin("ada", "thread")
    server.runs.end("ada", runs[0])
    await server.runs.begin("ada", "thread")
