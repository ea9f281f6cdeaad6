"""What the environment says. Every variable that Daybook reads stands here."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from state.errors import ConfigurationError


@dataclass(frozen=True)
class Variable:
    """Describe one variable of the environment.

    Attributes:
        default: what holds where it is not set, in words or as its value.
        is_secret: its value is never shown.
    """

    name: str
    meaning: str
    default: str
    is_secret: bool = False


VARIABLES = (
    Variable("DATABASE_URL", "the Postgres to use", "an embedded one", is_secret=True),
    Variable("SHOP_URL", "the shop, `http://host:port`; with `SMTP_URL`", "a shop of its own"),
    Variable("SMTP_URL", "its mail server, `smtp://host:port`", "that shop's mail server"),
    Variable("OPENAI_API_KEY", "choose a model provider", "the embedded model", is_secret=True),
    Variable("OPENAI_BASE_URL", "a provider that speaks OpenAI's API", "OpenAI's own"),
    Variable("DAYBOOK_MODEL", "the provider's model", "gpt-5-mini"),
    Variable("DAYBOOK_TENANT", "all rows that are seen or written belong to it", "default"),
    Variable("DAYBOOK_HOME", "where embedded data live", "~/.daybook"),
)
"""Every variable that Daybook reads; the README and `daybook doctor` print this table."""


@dataclass(frozen=True)
class Settings:
    """Hold the settings of a process, read from `VARIABLES`.

    Attributes:
        database_url: None starts the embedded Postgres.
        shop_url, smtp_url: None starts a shop of our own, with its mail server.
        openai_key, openai_base_url: either one chooses ChatOpenAI.
    """

    database_url: str | None
    shop_url: str | None
    smtp_url: str | None
    openai_key: str | None
    openai_base_url: str | None
    model: str
    tenant: str
    home: Path

    @property
    def has_provider(self) -> bool:
        """Tell whether a model provider is set; else the embedded model is used."""
        return bool(self.openai_key or self.openai_base_url)


def settings_from(environment: Mapping[str, str] = os.environ) -> Settings:
    """Read the settings.

    Raises:
        ConfigurationError: SHOP_URL is set without SMTP_URL or the other way round.
    """
    shop, smtp = environment.get("SHOP_URL") or None, environment.get("SMTP_URL") or None
    if (shop is None) != (smtp is None):
        raise ConfigurationError(
            "SHOP_URL and SMTP_URL belong together: one shop has one mail server. Nothing was "
            "started; set both, or neither to start a shop of your own."
        )
    return Settings(
        database_url=environment.get("DATABASE_URL") or None,
        shop_url=shop,
        smtp_url=smtp,
        openai_key=environment.get("OPENAI_API_KEY") or None,
        openai_base_url=environment.get("OPENAI_BASE_URL") or None,
        model=environment.get("DAYBOOK_MODEL") or _default("DAYBOOK_MODEL"),
        tenant=environment.get("DAYBOOK_TENANT") or _default("DAYBOOK_TENANT"),
        home=Path(environment.get("DAYBOOK_HOME") or _default("DAYBOOK_HOME")).expanduser(),
    )


def _default(name: str) -> str:
    return next(variable.default for variable in VARIABLES if variable.name == name)
