"""What the environment says. Every variable that Daybook reads stands here."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from state.errors import ConfigurationError


@dataclass(frozen=True)
class Settings:
    """Hold the settings of a process.

    Attributes:
        database_url: DATABASE_URL; None starts the embedded Postgres.
        shop_url: SHOP_URL; None starts a shop of our own, with its mail server.
        smtp_url: SMTP_URL, `smtp://host:port`.
        home: DAYBOOK_HOME; where embedded data live.
        openai_key, openai_base_url: OPENAI_API_KEY, OPENAI_BASE_URL; either one chooses ChatOpenAI.
        model: DAYBOOK_MODEL; its model name.
    """

    database_url: str | None
    shop_url: str | None
    smtp_url: str | None
    home: Path
    openai_key: str | None
    openai_base_url: str | None
    model: str

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
        home=Path(environment.get("DAYBOOK_HOME") or Path.home() / ".daybook").expanduser(),
        openai_key=environment.get("OPENAI_API_KEY") or None,
        openai_base_url=environment.get("OPENAI_BASE_URL") or None,
        model=environment.get("DAYBOOK_MODEL") or "gpt-5-mini",
    )
