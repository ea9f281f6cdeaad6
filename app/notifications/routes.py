"""Who is notified of what: the `[[notify]]` tables beside the rules of DAYBOOK_POLICY.

A secret stands in the environment, and the file names its variable.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from daybook.graph.settings.limits import NOT_RULES, document, read_as
from daybook.state.errors import ConfigurationError
from daybook.state.people.policy import User
from daybook.state.session import Person

Shown = Literal["title", "amount", "owner", "deadline"]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Route(_Table):
    """One way to someone.

    Attributes:
        to: the URL of a webhook, the id of a Slack channel, or an address. Without it Slack is
            told by an incoming webhook.
        secret: the variable with the secrets of a webhook, several with blanks between; the URL of
            an incoming webhook of Slack; or the URL of the mail server.
        inside: its URL may lead into a private network, and be plain HTTP.
        kinds: of questions that it is for; none if it is for escalations alone.
        roles, tools, rules, people: of the questions; what is left out fits every one. `people` may
            answer: it fits what they alone may, and what everybody of a role may.
        quiet: seconds for which a message to people is held back while someone who may answer has
            the inbox before them; 0 holds nothing back, and webhooks are never held back.
        remind_after, escalate_after: seconds that a question waits.
        escalate_to: the name of another route.
    """

    name: str = Field(min_length=1, max_length=60)
    channel: Literal["webhook", "slack", "email"]
    to: str = ""
    secret: str = ""
    inside: bool = False
    kinds: tuple[Literal["question", "doubt"], ...] = ("question", "doubt")
    roles: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    people: tuple[User, ...] = ()
    quiet: float = Field(default=120.0, ge=0)
    remind_after: float | None = Field(default=None, gt=0)
    escalate_after: float | None = Field(default=None, gt=0)
    escalate_to: str = ""

    @model_validator(mode="after")
    def _is_whole(self) -> Route:
        if (self.escalate_after is None) == bool(self.escalate_to):
            raise ValueError("escalate_after and escalate_to belong together")
        if self.channel == "webhook":
            schemes = ("https://", "http://") if self.inside else ("https://",)
            if not self.to.startswith(schemes) or not self.secret:
                raise ValueError(
                    "a webhook needs `to`, an https URL (http where `inside = true`), and `secret`"
                )
        elif self.channel == "email" and ("@" not in self.to or not self.secret):
            raise ValueError("an e-mail needs `to`, an address, and `secret`")
        elif self.channel == "slack" and bool(self.to) == bool(self.secret):
            raise ValueError("Slack needs `to`, a channel, or `secret`, an incoming webhook")
        return self

    @property
    def has_bot(self) -> bool:
        """Tell whether a bot of Slack posts by it, whose messages can be changed and answered."""
        return self.channel == "slack" and bool(self.to)

    @property
    def held_for(self) -> float:
        """Return for how many seconds it is held back while the inbox is looked at."""
        return 0.0 if self.channel == "webhook" else self.quiet

    @property
    def hears_of_ends(self) -> bool:
        """Tell whether it is told that a question is over."""
        return self.channel == "webhook" or self.has_bot

    def is_for(self, role: str | None) -> bool:
        """Tell whether it is named as the way to those of a role."""
        return role in self.roles

    def fits(
        self,
        kind: str,
        role: str,
        tools: Collection[str],
        rules: Collection[str],
        people: Collection[str] = (),
    ) -> bool:
        """Tell whether a question goes there.

        Args:
            people: who alone may answer; none if everybody of the role may.
        """
        return (
            kind in self.kinds
            and (not self.roles or role in self.roles)
            and (not self.tools or bool({*self.tools} & {*tools}))
            and (not self.rules or bool({*self.rules} & {*rules}))
            and (not self.people or not people or bool({*self.people} & {*people}))
        )


class SlackUser(_Table):
    """Who someone at Slack is here."""

    user: str = Field(min_length=1)
    role: Literal["customer", "clerk", "operator"]


class SlackApp(_Table):
    """Our application at Slack.

    Attributes:
        token: the variable with the bot's token (`xoxb-...`).
        signing_secret: the variable with the secret that Slack signs by; without it there are no
            buttons.
        team: the id of the workspace; "" for any that the application is installed in.
        users: Slack's user ids; whoever is not here answers nothing.
        api: of Slack. inside: it may lead into a private network.
    """

    token: str
    signing_secret: str = ""
    team: str = ""
    users: Mapping[str, SlackUser] = {}
    api: str = "https://slack.com/api"
    inside: bool = False

    def person(self, slack_id: str) -> Person | None:
        """Return who someone at Slack is; None for one who is nobody here."""
        found = self.users.get(slack_id)
        return Person(found.user, found.role) if found is not None else None


class About(_Table):
    """What all routes have in common.

    Attributes:
        console: the address of the server, such as https://daybook.example.com.
        shows: what is said of a question, beside what it is and a link.
    """

    console: str = ""
    shows: tuple[Shown, ...] = ("title", "amount", "owner", "deadline")
    sender: str = "Daybook <daybook@daybook.example>"
    slack: SlackApp | None = None


class Routes(_Table):
    """All routes, in the order in which they stand."""

    notify: tuple[Route, ...] = ()
    notifications: About = About()

    @model_validator(mode="after")
    def _belong_together(self) -> Routes:
        names = [route.name for route in self.notify]
        if len({*names}) != len(names):
            raise ValueError("two routes have the same name")
        for route in self.notify:
            if route.escalate_to and route.escalate_to not in names:
                raise ValueError(
                    f"{route.name} escalates to {route.escalate_to}, which is not a route"
                )
            if route.has_bot and self.notifications.slack is None:
                raise ValueError(f"{route.name} needs [notifications.slack] with a token")
        return self

    @property
    def slack(self) -> SlackApp:
        """Return our application at Slack."""
        assert self.notifications.slack is not None, "a route with a bot has one"
        return self.notifications.slack

    def find(self, name: str) -> Route | None:
        """Return a route by its name."""
        return next((route for route in self.notify if route.name == name), None)

    def variables(self) -> Iterator[str]:
        """Name the variables of the environment that hold secrets."""
        for route in self.notify:
            yield route.secret
        if (slack := self.notifications.slack) is not None:
            yield from (slack.token, slack.signing_secret)


def secret_of(name: str) -> str:
    """Return a secret by its variable, which was looked at when the routes were read."""
    return os.environ[name]


def routes_in(path: Path | None) -> Routes:
    """Read the routes of a deployment; none if there is no file.

    Raises:
        ConfigurationError: the file is not there, is no TOML, holds something else, or a variable
            that it names is not set.
    """
    if path is None:
        return Routes()
    given = {name: value for name, value in document(path).items() if name in NOT_RULES}
    routes = read_as(Routes, given, path)
    if missing := sorted(
        {name for name in routes.variables() if name and not os.environ.get(name)}
    ):
        raise ConfigurationError(
            f"DAYBOOK_POLICY names {path}, whose notifications need these variables, which are "
            f"not set: {', '.join(missing)}. Nothing was started; set them."
        )
    return routes
