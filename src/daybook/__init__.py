"""What an adopter imports: an agent whose effects on the world happen once, or are asked about.

    from daybook import Domain, FlowTable, HttpService, Prompt, Registry, read, served, write

Two ways in; `docs/` tells what each of them promises:

* `Ledger`: effects in nodes of a StateGraph of one's own, and in agents of `create_agent`.
* `Domain`: tools, flow, policy and prompts of one's own; `build` or `served` makes the agent.

Public are the names below, and what these modules' documentation names: `daybook.app.notebook`,
`daybook.state.errors`. All others may change in any release.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from daybook.state.extras import not_installed

if TYPE_CHECKING:
    from daybook.checkpoints.embedded.postgres import embedded_postgres as embedded_postgres
    from daybook.checkpoints.postgres import Postgres as Postgres
    from daybook.checkpoints.postgres import open_postgres as open_postgres
    from daybook.graph.build import build as build
    from daybook.graph.database import open_database_of as open_database_of
    from daybook.graph.guarded import GuardedGraph as GuardedGraph
    from daybook.graph.ledger.effect import Call as Call
    from daybook.graph.ledger.effect import Effect as Effect
    from daybook.graph.ledger.effect import current_call as current_call
    from daybook.graph.ledger.ledger import Ledger as Ledger
    from daybook.graph.model.chosen import chosen_model as chosen_model
    from daybook.graph.serve import served as served
    from daybook.graph.settings.environment import Settings as Settings
    from daybook.graph.settings.environment import settings_from as settings_from
    from daybook.graph.settings.limits import limits_of as limits_of
    from daybook.nodes.running.work import Resources as Resources
    from daybook.state import errors as errors
    from daybook.state.agent import AgentState as AgentState
    from daybook.state.context import EffectContext as EffectContext
    from daybook.state.context import PlanContext as PlanContext
    from daybook.state.context import ReadContext as ReadContext
    from daybook.state.effects.bind import take as take
    from daybook.state.effects.bind import take_all as take_all
    from daybook.state.effects.bind import take_into as take_into
    from daybook.state.effects.guarantees import Guarantees as Guarantees
    from daybook.state.effects.guarantees import Patience as Patience
    from daybook.state.effects.outcome import Confirmed as Confirmed
    from daybook.state.effects.outcome import Declined as Declined
    from daybook.state.effects.outcome import NotSent as NotSent
    from daybook.state.effects.outcome import Outcome as Outcome
    from daybook.state.effects.outcome import Pending as Pending
    from daybook.state.effects.outcome import Unknown as Unknown
    from daybook.state.errors import DaybookError as DaybookError
    from daybook.state.errors import NothingCame as NothingCame
    from daybook.state.errors import ServiceUnavailable as ServiceUnavailable
    from daybook.state.errors import StillInHand as StillInHand
    from daybook.state.errors import ToolRefused as ToolRefused
    from daybook.state.flow import FlowTable as FlowTable
    from daybook.state.ledger.plan import Action as Action
    from daybook.state.money import Money as Money
    from daybook.state.panel import Button as Button
    from daybook.state.panel import Column as Column
    from daybook.state.panel import Line as Line
    from daybook.state.panel import Link as Link
    from daybook.state.panel import Panel as Panel
    from daybook.state.people.policy import Policy as Policy
    from daybook.state.people.policy import Rule as Rule
    from daybook.state.receipts import ReceiptLine as ReceiptLine
    from daybook.state.receipts import ReceiptStatus as ReceiptStatus
    from daybook.state.session import Session as Session
    from daybook.tools.bumps import Bump as Bump
    from daybook.tools.domain import Agent as Agent
    from daybook.tools.domain import Change as Change
    from daybook.tools.domain import Domain as Domain
    from daybook.tools.domain import Prompt as Prompt
    from daybook.tools.domain import Warned as Warned
    from daybook.tools.draft import ActionDraft as ActionDraft
    from daybook.tools.draft import StepDraft as StepDraft
    from daybook.tools.kinds import Undo as Undo
    from daybook.tools.kinds import change as change
    from daybook.tools.kinds import hybrid as hybrid
    from daybook.tools.kinds import plan as plan
    from daybook.tools.kinds import read as read
    from daybook.tools.kinds import write as write
    from daybook.tools.mcp.declared import McpTool as McpTool
    from daybook.tools.mcp.declared import Probe as Probe
    from daybook.tools.mcp.server import McpServer as McpServer
    from daybook.tools.mcp.server import mcp as mcp
    from daybook.tools.outcomes import outcome_line as outcome_line
    from daybook.tools.receipts.claims import EffectKind as EffectKind
    from daybook.tools.registry import Registry as Registry
    from daybook.tools.services.contract import STRIPE_V1 as STRIPE_V1
    from daybook.tools.services.contract import STRIPE_V2 as STRIPE_V2
    from daybook.tools.services.contract import Contract as Contract
    from daybook.tools.services.http import HttpService as HttpService
    from daybook.tools.services.http import resource as resource
    from daybook.tools.services.mail import MailService as MailService

_STANDS_IN = {
    "Action": "state.ledger.plan",
    "ActionDraft": "tools.draft",
    "Agent": "tools.domain",
    "AgentState": "state.agent",
    "Bump": "tools.bumps",
    "Button": "state.panel",
    "Call": "graph.ledger.effect",
    "Change": "tools.domain",
    "Column": "state.panel",
    "Confirmed": "state.effects.outcome",
    "Contract": "tools.services.contract",
    "DaybookError": "state.errors",
    "Declined": "state.effects.outcome",
    "Domain": "tools.domain",
    "Effect": "graph.ledger.effect",
    "EffectContext": "state.context",
    "EffectKind": "tools.receipts.claims",
    "FlowTable": "state.flow",
    "Guarantees": "state.effects.guarantees",
    "GuardedGraph": "graph.guarded",
    "HttpService": "tools.services.http",
    "Ledger": "graph.ledger.ledger",
    "Line": "state.panel",
    "Link": "state.panel",
    "MailService": "tools.services.mail",
    "McpServer": "tools.mcp.server",
    "McpTool": "tools.mcp.declared",
    "Money": "state.money",
    "NotSent": "state.effects.outcome",
    "NothingCame": "state.errors",
    "Outcome": "state.effects.outcome",
    "Panel": "state.panel",
    "Patience": "state.effects.guarantees",
    "Pending": "state.effects.outcome",
    "PlanContext": "state.context",
    "Policy": "state.people.policy",
    "Postgres": "checkpoints.postgres",
    "Probe": "tools.mcp.declared",
    "Prompt": "tools.domain",
    "ReadContext": "state.context",
    "ReceiptLine": "state.receipts",
    "ReceiptStatus": "state.receipts",
    "Registry": "tools.registry",
    "Resources": "nodes.running.work",
    "Rule": "state.people.policy",
    "STRIPE_V1": "tools.services.contract",
    "STRIPE_V2": "tools.services.contract",
    "ServiceUnavailable": "state.errors",
    "Session": "state.session",
    "Settings": "graph.settings.environment",
    "StepDraft": "tools.draft",
    "StillInHand": "state.errors",
    "ToolRefused": "state.errors",
    "Undo": "tools.kinds",
    "Unknown": "state.effects.outcome",
    "Warned": "tools.domain",
    "build": "graph.build",
    "change": "tools.kinds",
    "chosen_model": "graph.model.chosen",
    "current_call": "graph.ledger.effect",
    "embedded_postgres": "checkpoints.embedded.postgres",
    "errors": "state.errors",
    "hybrid": "tools.kinds",
    "limits_of": "graph.settings.limits",
    "mcp": "tools.mcp.server",
    "open_database_of": "graph.database",
    "open_postgres": "checkpoints.postgres",
    "plan": "tools.kinds",
    "read": "tools.kinds",
    "resource": "tools.services.http",
    "served": "graph.serve",
    "settings_from": "graph.settings.environment",
    "take": "state.effects.bind",
    "take_all": "state.effects.bind",
    "take_into": "state.effects.bind",
    "outcome_line": "tools.outcomes",
    "write": "tools.kinds",
}

__all__ = sorted(_STANDS_IN)


def __getattr__(name: str) -> Any:
    """Import a name where it stands when it is first asked for: nobody pays for all of them."""
    if name not in _STANDS_IN:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        place = import_module(f"{__name__}.{_STANDS_IN[name]}")
    except ModuleNotFoundError as error:
        raise ImportError(str(not_installed(error) or error), name=error.name) from error
    found = globals()[name] = place if name == "errors" else getattr(place, name)
    return found


def __dir__() -> list[str]:
    return [*globals(), *__all__]
