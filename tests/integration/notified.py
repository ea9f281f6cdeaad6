"""Routes and a sender for tests of notifications, and what they may not tell."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from typing import Any

import psycopg

from daybook.app.notifications.channel import Clients
from daybook.app.notifications.routes import Routes
from daybook.app.notifications.sender import Sender
from daybook.checkpoints.postgres import Postgres
from daybook.state.people.policy import Policy, Rule
from tests.conftest import Agent
from tests.conversation import Conversation
from tests.integration.receivers import BOT, SIGNING, Receiver
from tests.purchases import asked_to_buy as asked_once
from tests.purchases import rebuilt

OLD, NEW = "whsec_b2xkIHNlY3JldCBvZiBhIHdlYmhvb2s=", "whsec_bmV3IHNlY3JldCBvZiBhIHdlYmhvb2s="
SECRETS = {"HOOK": f"{OLD} {NEW}", "BOT": BOT, "SIGNING": SIGNING, "MAIL": "smtp://127.0.0.1:1"}
CONSOLE = "https://daybook.example.com"
USERS = {
    "UCLEO": {"user": "cleo", "role": "clerk"},
    "UBEN": {"user": "ben", "role": "customer"},
    "UADA": {"user": "ada", "role": "customer"},
}
PERSONAL = ("card_ada", "addr_ada", "4242", "visa", "ada@", "Elm", BOT, SIGNING, *OLD.split())
CLERKS = Rule(name="dear", tools=("charge_payment",), approval="clerk")


async def asked_to_buy(agent: Agent, user: str = "ada") -> Conversation:
    """Bring a purchase to its question; nothing is left for the model to say."""
    talk = await asked_once(agent, user)
    agent.model.script.clear()
    return talk


def to_hook(hook: Receiver, **more: Any) -> dict[str, Any]:
    about = {"name": "ops", "channel": "webhook", "to": f"{hook.url}/in", "secret": "HOOK"}
    return {**about, "inside": True, **more}


def by_slack(slack: Receiver, *routes: dict[str, Any], **more: Any) -> Routes:
    bot = {"name": "clerks", "channel": "slack", "to": "#approvals", **more}
    about = {"token": "BOT", "signing_secret": "SIGNING", "team": "T1", "users": USERS}
    app = {**about, "api": slack.url, "inside": True}
    return routes_of(bot, *routes, slack=app)


def routes_of(*routes: dict[str, Any], **about: Any) -> Routes:
    given = {"notify": routes, "notifications": {"console": CONSOLE, **about}}
    return Routes.model_validate(given)


@asynccontextmanager
async def notifying(
    postgres: Postgres, routes: Routes, program: str = "shop"
) -> AsyncIterator[Sender]:
    """Yield a sender that sends when it is told to."""
    clients = Clients()
    await postgres.notifications.keep_on(program)
    try:
        yield Sender(postgres, program, routes, clients, lambda said: None)
    finally:
        await clients.close()


def rows(url: str, query: str) -> list[Any]:
    with psycopg.connect(url, autocommit=True) as conn:
        return conn.execute(query).fetchall()  # type: ignore[arg-type]


def noted(url: str) -> list[tuple[str, str, str | None]]:
    return rows(url, "select kind, outcome, author from notification order by seq")


def patient(agent: Agent, *rules: Rule) -> Agent:
    """Build the agent with questions that wait for two days."""
    patience = replace(agent.resources.patience, question=timedelta(days=2))
    return rebuilt(agent, patience=patience, policy=Policy(rules=rules))
