"""The command `daybook mandate`; it is found as an entry point."""

from __future__ import annotations

import json
from dataclasses import asdict
from enum import StrEnum
from typing import Annotated

import typer

from daybook.app.running import run
from daybook.app.telling import tell, tell_aside, tell_json
from daybook.graph.database import open_database
from daybook.graph.merchants.exported import Exported, exported
from daybook.graph.merchants.resources import signatory_of
from daybook.graph.merchants.settings import merchants_from
from daybook.graph.settings.environment import Settings, settings_from
from daybook.state.people.named import user_named
from daybook.tools.merchants.domain import MERCHANTS


class Kind(StrEnum):
    """What can be exported of an approval."""

    CHECKOUT = "checkout"
    PAYMENT = "payment"
    APPROVAL = "approval"


def mandate(
    thread: Annotated[str, typer.Argument(help="The thread's id.")],
    plan: Annotated[str, typer.Argument(help="The plan's id; where it is wrong, all are listed.")],
    user: Annotated[
        str | None, typer.Option("--user", help="Whose thread it is; else who the domain says.")
    ] = None,
    kind: Annotated[
        Kind | None, typer.Option("--kind", help="Else the checkout's, where there is one.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="All of it, as a JSON array.")] = False,
) -> None:
    """Export the approval of an order at a merchant, signed: an SD-JWT, a line each.

    Where the merchant takes mandates (AP2), those that it was sent: over the
    checkout as the merchant signed it, and over the payment. Else what this
    deployment says of the approval.
    """
    whose = user_named(user or MERCHANTS.user)
    found = run(_exported(settings_from(), thread, plan, whose))
    if as_json:
        tell_json(json.dumps([asdict(one) for one in found], indent=1))
        return
    for one in found:
        _show(one, kind)


async def _exported(settings: Settings, thread: str, plan: str, user: str) -> list[Exported]:
    async with open_database(settings) as postgres:
        return await exported(
            postgres, signatory_of(merchants_from(), postgres), thread, plan, user
        )


def _show(one: Exported, kind: Kind | None) -> None:
    chosen = kind or (Kind.CHECKOUT if one.checkout else Kind.APPROVAL)
    token = getattr(one, chosen.value)
    if not token:
        tell_aside(
            f"{one.merchant} takes no mandates, so none was made. --kind approval prints what this "
            "deployment says of the approval."
        )
        raise typer.Exit(1)
    if kind is None and not one.checkout:
        tell_aside(
            f"{one.merchant} signs no checkouts, so this is no mandate of AP2: it is what this "
            "deployment says of the approval."
        )
    tell(token)
