"""`make tau-live` with a provider that follows a script, as agent and as customer."""

import io
import os
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Mapping
from typing import Any

import pytest
from rich.console import Console

from daybook.graph.settings.environment import settings_from
from daybook.state.errors import ConfigurationError
from evals.model_server import Unanswerable, serving, text_of
from evals.tau_retail.__main__ import live
from evals.tau_retail.chaos import message_of
from evals.tau_retail.data import EXACT, STOP, Script, Task, TauRetail, scripts_of
from evals.tau_retail.live import GREETING, Asked, Desk, open_desk, tasks_of
from evals.tau_retail.outside import Retailer
from evals.tau_retail.table import show_live
from tests.integration.processes import REPOSITORY

AGENT, CUSTOMER = "the agent", "the customer"


class Roles:
    """Play agent and customer of a recorded run, each asked by its model's name."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.told: list[str] = []
        self._decides = list(script.decides)
        self._lock = threading.Lock()

    def reply(self, request: Mapping[str, Any]) -> dict[str, Any]:
        messages = request["messages"]
        if request["model"] == AGENT:
            with self._lock:
                if not self._decides:
                    raise Unanswerable("the run has nothing more to decide")
                return message_of(self._decides.pop(0))
        said = sum(message["role"] == "assistant" for message in messages)
        self.told = [text_of(message) for message in messages]
        says = self.script.says
        return {"role": "assistant", "content": says[said] if said < len(says) else STOP}


@pytest.fixture(scope="module")
def solves(data: TauRetail) -> Script:
    """A run that solved its task with one write, in few words."""
    return min(
        (
            one
            for one in scripts_of(data, EXACT)
            if one.gold is not None and one.writes and one.decides[-1].text
        ),
        key=lambda one: len(one.decides),
    )


@pytest.fixture(scope="module")
def task(data: TauRetail, solves: Script) -> Task:
    return next(one for one in tasks_of(data, "test", 200) if one.gold_db_sha256 == solves.gold)


@pytest.fixture
def roles(solves: Script) -> Roles:
    return Roles(solves)


@pytest.fixture
async def desk(
    data: TauRetail, retailer: Retailer, postgres_url: str, roles: Roles
) -> AsyncIterator[Desk]:
    with serving({"live": roles.reply}) as models:
        environment = {"OPENAI_BASE_URL": models["live"].url, "OPENAI_MODEL": AGENT}
        settings = settings_from(environment)
        async with open_desk(data, postgres_url, retailer, CUSTOMER, settings) as desk:
            yield desk


async def test_a_task_is_solved_by_an_agent_and_a_customer_and_its_steps_are_judged(
    desk: Desk, roles: Roles, task: Task
):
    solved = await desk.solved(task, 0)
    assert (solved.error, solved.has_database, solved.has_outputs) == ("", True, True)
    assert solved.is_solved
    assert solved.grade is not None
    assert len(solved.grade.verdicts) >= len(roles.script.calls)
    instructions, greeting, *_ = roles.told
    assert task.instruction in instructions
    assert greeting == GREETING
    assert STOP in instructions
    shown = io.StringIO()
    show_live([solved], AGENT, Asked([task], 1, CUSTOMER), Console(file=shown, width=150))
    assert "1.000" in shown.getvalue()


def test_without_a_model_it_says_what_to_set(data: TauRetail):
    with pytest.raises(ConfigurationError, match="set OPENAI_API_KEY or OPENAI_BASE_URL"):
        live()


@pytest.mark.long
def test_the_command_reports_what_was_solved_and_how_the_steps_were(
    data: TauRetail, roles: Roles, task: Task
):
    """The first task of the split is another one, so this conversation does not solve it."""
    with serving({"live": roles.reply}) as models:
        done = subprocess.run(
            [
                *(sys.executable, "-m", "evals.tau_retail", "live", "--tasks", "1"),
                *("--model", AGENT, "--customer", CUSTOMER),
            ],
            cwd=REPOSITORY,
            env={**os.environ, "OPENAI_BASE_URL": models["live"].url},
            capture_output=True,
            text=True,
        )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "pass^1" in done.stdout
    assert "wasted tokens" in done.stdout
