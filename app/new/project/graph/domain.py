"""The domain: flow, tools, policy and prompt of this agent."""

from __future__ import annotations

import tomllib
from pathlib import Path

from daybook import Domain, FlowTable, Policy, Prompt, Registry
from daybook.domain import Action, outcome_line

from graph.stand_in import stand_in
from state.hire import HireState, settled
from tools.charge import charge
from tools.find_bikes import find_bikes, render_bikes
from tools.hire_bike import hire_bike
from tools.hold_bike import give_back, hold_bike

POLICY = Path(__file__).parents[1] / "policy.toml"

# The positions of a conversation, the moves between them, and the tools offered at each.
OPEN, HIRING = "open", "hiring"
FLOW = FlowTable(
    start=OPEN,
    moves={
        (OPEN, "hire_bike.opened"): HIRING,
        (HIRING, "hire_bike.succeeded"): OPEN,
        (HIRING, "hire_bike.failed"): OPEN,
    },
    offered={
        OPEN: frozenset({"find_bikes", "hire_bike"}),
        HIRING: frozenset({"find_bikes"}),
    },
)


def hired(action: Action) -> str:
    """Describe a successful hire in one line."""
    return f"the {action.args['bike']} bike is yours on {action.args['day']}"


DOMAIN = Domain(
    name="myproject",
    state=HireState,
    registry=Registry(offered=(find_bikes, hire_bike), steps=(hold_bike, give_back, charge)),
    flow=FLOW,
    policy=Policy.model_validate(tomllib.loads(POLICY.read_text())),
    prompt=Prompt(
        system="You rent out bikes: find which ones are free on a day, and hire them to customers.",
        read=render_bikes,
        tail=lambda state, session: [f"hired: {', '.join(state['hired']) or 'nothing'}"],
    ),
    initial=lambda session, turn_id, services: {"hired": []},
    settled=settled,
    outcome=lambda action: outcome_line(action, hired),
    embedded_model=stand_in,
    greeting="For which day? Try: bikes on 2031-05-06, then: hire red on 2031-05-06.",
    example="hire red on 2031-05-06",
)
