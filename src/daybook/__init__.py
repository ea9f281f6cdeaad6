"""The API for adopters: agents whose side effects happen exactly once, or are in doubt.

    from daybook import Declined, Ledger

Two ways in; `docs/` tells what each of them promises:

* `Ledger`: effects in nodes of a StateGraph of one's own, and in agents of `create_agent`.
* `Domain`: tools, flow, policy and prompts of one's own; `build` or `served` makes the agent.

Public are the names below, those of `daybook.domain`, and what these modules' documentation names:
`daybook.app.notebook`, `daybook.state.errors`. All others may change in any release.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from daybook.state.extras import imported

if TYPE_CHECKING:
    from daybook.checkpoints.postgres import Postgres as Postgres
    from daybook.checkpoints.postgres import open_postgres as open_postgres
    from daybook.graph.build import build as build
    from daybook.graph.ledger.effect import Call as Call
    from daybook.graph.ledger.effect import Effect as Effect
    from daybook.graph.ledger.effect import current_call as current_call
    from daybook.graph.ledger.ledger import Ledger as Ledger
    from daybook.graph.serve import served as served
    from daybook.state import errors as errors
    from daybook.state.context import EffectContext as EffectContext
    from daybook.state.context import PlanContext as PlanContext
    from daybook.state.context import ReadContext as ReadContext
    from daybook.state.effects.guarantees import Guarantees as Guarantees
    from daybook.state.effects.guarantees import Patience as Patience
    from daybook.state.effects.outcome import Confirmed as Confirmed
    from daybook.state.effects.outcome import Declined as Declined
    from daybook.state.effects.outcome import NotSent as NotSent
    from daybook.state.effects.outcome import Outcome as Outcome
    from daybook.state.effects.outcome import Pending as Pending
    from daybook.state.effects.outcome import Unknown as Unknown
    from daybook.state.errors import DaybookError as DaybookError
    from daybook.state.errors import ServiceUnavailable as ServiceUnavailable
    from daybook.state.errors import ToolRefused as ToolRefused
    from daybook.state.flow import FlowTable as FlowTable
    from daybook.state.money import Money as Money
    from daybook.state.people.policy import Policy as Policy
    from daybook.state.people.policy import Rule as Rule
    from daybook.state.receipts import ReceiptLine as ReceiptLine
    from daybook.state.receipts import ReceiptStatus as ReceiptStatus
    from daybook.tools.domain import Domain as Domain
    from daybook.tools.domain import Prompt as Prompt
    from daybook.tools.kinds import Undo as Undo
    from daybook.tools.kinds import change as change
    from daybook.tools.kinds import hybrid as hybrid
    from daybook.tools.kinds import plan as plan
    from daybook.tools.kinds import read as read
    from daybook.tools.kinds import write as write
    from daybook.tools.mcp.server import mcp as mcp
    from daybook.tools.registry import Registry as Registry
    from daybook.tools.services.http import HttpService as HttpService

_STANDS_IN = {
    "Call": "graph.ledger.effect",
    "Confirmed": "state.effects.outcome",
    "DaybookError": "state.errors",
    "Declined": "state.effects.outcome",
    "Domain": "tools.domain",
    "Effect": "graph.ledger.effect",
    "EffectContext": "state.context",
    "FlowTable": "state.flow",
    "Guarantees": "state.effects.guarantees",
    "HttpService": "tools.services.http",
    "Ledger": "graph.ledger.ledger",
    "Money": "state.money",
    "NotSent": "state.effects.outcome",
    "Outcome": "state.effects.outcome",
    "Patience": "state.effects.guarantees",
    "Pending": "state.effects.outcome",
    "PlanContext": "state.context",
    "Policy": "state.people.policy",
    "Postgres": "checkpoints.postgres",
    "Prompt": "tools.domain",
    "ReadContext": "state.context",
    "ReceiptLine": "state.receipts",
    "ReceiptStatus": "state.receipts",
    "Registry": "tools.registry",
    "Rule": "state.people.policy",
    "ServiceUnavailable": "state.errors",
    "ToolRefused": "state.errors",
    "Undo": "tools.kinds",
    "Unknown": "state.effects.outcome",
    "build": "graph.build",
    "change": "tools.kinds",
    "current_call": "graph.ledger.effect",
    "errors": "state.errors",
    "hybrid": "tools.kinds",
    "mcp": "tools.mcp.server",
    "open_postgres": "checkpoints.postgres",
    "plan": "tools.kinds",
    "read": "tools.kinds",
    "served": "graph.serve",
    "write": "tools.kinds",
}

__all__ = sorted(_STANDS_IN)


def __getattr__(name: str) -> Any:
    """Import a name where it stands when it is first asked for: nobody pays for all of them."""
    return imported(__name__, name, _STANDS_IN, globals())


def __dir__() -> list[str]:
    return [*globals(), *__all__]
