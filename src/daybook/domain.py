"""The names that authors of a `Domain` import in addition to those of `daybook`.

Drafts of plans, panels, MCP tools, contracts of services, and what opens the resources of a graph.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from daybook.state.extras import imported

if TYPE_CHECKING:
    from daybook.checkpoints.embedded.postgres import embedded_postgres as embedded_postgres
    from daybook.graph.database import open_database_of as open_database_of
    from daybook.graph.guarded import GuardedGraph as GuardedGraph
    from daybook.graph.model.choice import chosen_model as chosen_model
    from daybook.graph.settings.environment import Settings as Settings
    from daybook.graph.settings.environment import settings_from as settings_from
    from daybook.graph.settings.limits import limits_of as limits_of
    from daybook.nodes.running.work import Resources as Resources
    from daybook.state.agent import AgentState as AgentState
    from daybook.state.effects.bind import take as take
    from daybook.state.effects.bind import take_all as take_all
    from daybook.state.effects.bind import take_into as take_into
    from daybook.state.errors import NothingCame as NothingCame
    from daybook.state.errors import StillInHand as StillInHand
    from daybook.state.ledger.plan import Action as Action
    from daybook.state.panel import Button as Button
    from daybook.state.panel import Column as Column
    from daybook.state.panel import Line as Line
    from daybook.state.panel import Link as Link
    from daybook.state.panel import Panel as Panel
    from daybook.state.session import Session as Session
    from daybook.tools.bumps import Bump as Bump
    from daybook.tools.domain import Agent as Agent
    from daybook.tools.domain import Change as Change
    from daybook.tools.domain import Warned as Warned
    from daybook.tools.draft import ActionDraft as ActionDraft
    from daybook.tools.draft import StepDraft as StepDraft
    from daybook.tools.mcp.declaration import McpTool as McpTool
    from daybook.tools.mcp.declaration import Probe as Probe
    from daybook.tools.mcp.server import McpServer as McpServer
    from daybook.tools.outcomes import outcome_line as outcome_line
    from daybook.tools.receipts.claims import EffectKind as EffectKind
    from daybook.tools.services.contract import STRIPE_V1 as STRIPE_V1
    from daybook.tools.services.contract import STRIPE_V2 as STRIPE_V2
    from daybook.tools.services.contract import Contract as Contract
    from daybook.tools.services.http import resource as resource
    from daybook.tools.services.mail import MailService as MailService

_STANDS_IN = {
    "Action": "state.ledger.plan",
    "ActionDraft": "tools.draft",
    "Agent": "tools.domain",
    "AgentState": "state.agent",
    "Bump": "tools.bumps",
    "Button": "state.panel",
    "Change": "tools.domain",
    "Column": "state.panel",
    "Contract": "tools.services.contract",
    "EffectKind": "tools.receipts.claims",
    "GuardedGraph": "graph.guarded",
    "Line": "state.panel",
    "Link": "state.panel",
    "MailService": "tools.services.mail",
    "McpServer": "tools.mcp.server",
    "McpTool": "tools.mcp.declaration",
    "NothingCame": "state.errors",
    "Panel": "state.panel",
    "Probe": "tools.mcp.declaration",
    "Resources": "nodes.running.work",
    "STRIPE_V1": "tools.services.contract",
    "STRIPE_V2": "tools.services.contract",
    "Session": "state.session",
    "Settings": "graph.settings.environment",
    "StepDraft": "tools.draft",
    "StillInHand": "state.errors",
    "Warned": "tools.domain",
    "chosen_model": "graph.model.choice",
    "embedded_postgres": "checkpoints.embedded.postgres",
    "limits_of": "graph.settings.limits",
    "open_database_of": "graph.database",
    "outcome_line": "tools.outcomes",
    "resource": "tools.services.http",
    "settings_from": "graph.settings.environment",
    "take": "state.effects.bind",
    "take_all": "state.effects.bind",
    "take_into": "state.effects.bind",
}

__all__ = sorted(_STANDS_IN)


def __getattr__(name: str) -> Any:
    """Import a name where it stands when it is first asked for: nobody pays for all of them."""
    return imported(__name__, name, _STANDS_IN, globals())


def __dir__() -> list[str]:
    return [*globals(), *__all__]
