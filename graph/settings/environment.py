"""The settings from the environment; variables.toml lists every variable."""

from __future__ import annotations

import math
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from pathlib import Path

from daybook.graph.settings.urls import URL_FAULTS
from daybook.state.errors import ConfigurationError
from daybook.state.fault_points import misnamed
from daybook.state.people.lifecycle import Part

MERCHANTS = "DAYBOOK_MERCHANTS"
"""Names the merchants to buy from (see `daybook.graph.merchants.resources`)."""


OPENAI = "https://api.openai.com/v1"


class ModelApi(StrEnum):
    """Say which parts of OpenAI's API a request to the model uses."""

    OPENAI = "openai"
    COMPATIBLE = "compatible"
    PLAIN = "plain"


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


VARIABLES = tuple(
    Variable(name, **about)
    for name, about in tomllib.loads(Path(__file__).with_name("variables.toml").read_text()).items()
)
"""Every variable that Daybook reads; docs/variables.md and `daybook doctor` print this table."""

SHOP_VARIABLES = (
    Variable("SHOP_URL", "the URL of the shop; needs `SMTP_URL`", "the demo shop"),
    Variable("SMTP_URL", "its mail server, `smtp://host:port`", "that shop's mail server"),
)
"""Those of the demo shop alone."""

# An idle conversation is of no use once its prices and stock are long out of date, and its reads
# serve nothing but it. What was done for whom is asked about for longer: a card payment can be
# disputed for up to 18 months, and a faulty product be returned within two years.
KEEP_VARIABLES = {
    Part.CHECKPOINTS: "DAYBOOK_KEEP_CHECKPOINTS",
    Part.READS: "DAYBOOK_KEEP_READS",
    Part.PAYLOADS: "DAYBOOK_KEEP_PAYLOADS",
}
"""Which variable says how long a part of a thread is kept."""

_MOST_DAYS = 36500
_AES_BYTES = (16, 24, 32)


@dataclass(frozen=True)
class Settings:
    """The settings of a process, read from `VARIABLES`.

    Attributes:
        database_url: None starts the embedded Postgres.
        is_pooled: the database is behind a pooler in transaction mode.
        ignores_timeline: a promoted replica of the database lacks no commits.
        shop_url, smtp_url: None starts the demo shop with its mail server.
        has_merchants: merchants are configured, so the domain `merchants` is the default.
        marks: the folder that reveals a restored disk snapshot of the database.
        budget: how long one attempt may take. keep: how long each part of a thread is kept.
    """

    database_url: str | None
    is_pooled: bool
    ignores_timeline: bool
    aegra_database_url: str | None
    redis_url: str | None
    shop_url: str | None
    smtp_url: str | None
    domain: str | None
    has_merchants: bool
    openai_key: str | None
    openai_base_url: str | None
    model: str
    model_api: ModelApi
    model_seconds: float
    max_tokens: int
    answer_seconds: float
    prompt_tokens: int
    decisions: int
    budget: timedelta
    attempts: int
    node_seconds: float
    question: timedelta
    approval: timedelta
    runs: int
    runs_each: int
    runs_unfinished: int
    policy: Path | None
    tenant: str
    schema: str
    home: Path
    marks: Path
    aes_key: bytes | None
    older_aes_keys: tuple[bytes, ...]
    keep: Mapping[Part, timedelta]
    exports_otlp: bool
    exports_langsmith: bool
    heads_key: Path | None
    heads_to: str | None
    heads_every: timedelta
    die_at: str | None

    @property
    def has_provider(self) -> bool:
        """Tell whether a model provider is set; else the stand-in is used."""
        return bool(self.openai_key or self.openai_base_url)


def settings_from(environment: Mapping[str, str] = os.environ) -> Settings:
    """Read the settings.

    Raises:
        ConfigurationError: a setting is invalid; one message lists all of them, without secrets.
    """
    read = _Reader(environment)
    _refuse_urls(read)
    aes_key, *older_keys = [
        key.encode()
        for key in (read.text("LANGGRAPH_AES_KEY"), *read.text("DAYBOOK_OLDER_AES_KEYS").split())
    ]
    if aes_key and len(aes_key) not in _AES_BYTES:
        how = "make one with `openssl rand -hex 16`"
        read.fault("LANGGRAPH_AES_KEY", f"must be 16, 24 or 32 bytes long (AES); {how}")
    if not all(len(key) in _AES_BYTES for key in older_keys):
        read.fault("DAYBOOK_OLDER_AES_KEYS", "must be of 16, 24 or 32 bytes each (AES)")
    elif older_keys and not aes_key:
        read.fault("DAYBOOK_OLDER_AES_KEYS", "needs LANGGRAPH_AES_KEY, the current key")
    if not ((key := read.text("OPENAI_API_KEY").strip()).isascii() and key.isprintable()):
        # Sent, it would stand in the client's error, and so in logs.
        read.fault(
            "OPENAI_API_KEY", "contains characters that no key contains; check how it was copied"
        )
    if (pooler := read.text("DAYBOOK_POOLER")) not in ("", "none", "transaction"):
        read.fault("DAYBOOK_POOLER", "must be none or transaction")
    if (promotions := read.text("DAYBOOK_PROMOTIONS")) not in ("", "complete"):
        read.fault("DAYBOOK_PROMOTIONS", "must be complete or unset")
    if read.text("DAYBOOK_HEADS_TO") and not read.text("DAYBOOK_HEADS_KEY"):
        read.fault("DAYBOOK_HEADS_TO", "needs DAYBOOK_HEADS_KEY, the key to sign with")
    if (wanted := read.text("DAYBOOK_DIE_AT")) and (fault := misnamed(wanted)):
        read.faults.append(fault)
    settings = Settings(
        database_url=read.text("DATABASE_URL") or None,
        is_pooled=pooler == "transaction",
        ignores_timeline=promotions == "complete",
        aegra_database_url=read.text("AEGRA_DATABASE_URL") or None,
        redis_url=read.text("REDIS_URL") or None,
        shop_url=read.text("SHOP_URL") or None,
        smtp_url=read.text("SMTP_URL") or None,
        domain=read.text("DAYBOOK_DOMAIN") or None,
        has_merchants=bool(read.text(MERCHANTS).split()),
        openai_key=key or None,
        openai_base_url=read.text("OPENAI_BASE_URL") or None,
        model=read.text("OPENAI_MODEL") or _default("OPENAI_MODEL"),
        model_api=_model_api(read),
        model_seconds=read.seconds("DAYBOOK_MODEL_SECONDS"),
        max_tokens=read.whole("DAYBOOK_MAX_TOKENS", 1_000_000),
        answer_seconds=read.seconds("DAYBOOK_ANSWER_SECONDS"),
        # Instructions and tools take about a third of the least.
        prompt_tokens=read.whole("DAYBOOK_PROMPT_TOKENS", 1_000_000, least=5_000),
        decisions=read.whole("DAYBOOK_DECISIONS", 1_000),
        budget=timedelta(seconds=read.seconds("DAYBOOK_BUDGET_SECONDS")),
        attempts=read.whole("DAYBOOK_ATTEMPTS", 100),
        node_seconds=read.seconds("DAYBOOK_NODE_SECONDS"),
        question=timedelta(seconds=read.seconds("DAYBOOK_QUESTION_SECONDS")),
        approval=timedelta(seconds=read.seconds("DAYBOOK_APPROVAL_SECONDS")),
        runs=read.whole("DAYBOOK_RUNS", 1_000),
        runs_each=read.whole("DAYBOOK_RUNS_EACH", 1_000),
        runs_unfinished=read.whole("DAYBOOK_RUNS_UNFINISHED", 1_000),
        policy=Path(file) if (file := read.text("DAYBOOK_POLICY")) else None,
        tenant=read.text("DAYBOOK_TENANT") or _default("DAYBOOK_TENANT"),
        schema=read.text("DAYBOOK_SCHEMA") or _default("DAYBOOK_SCHEMA"),
        home=(home := read.home()),
        marks=Path(read.text("DAYBOOK_MARKS") or home / "marks"),
        aes_key=aes_key or None,
        older_aes_keys=tuple(older_keys),
        keep={
            part: timedelta(days=read.whole(name, _MOST_DAYS))
            for part, name in KEEP_VARIABLES.items()
        },
        exports_otlp=_exports_otlp(environment),
        exports_langsmith=_exports_langsmith(environment),
        heads_key=Path(file) if (file := read.text("DAYBOOK_HEADS_KEY")) else None,
        heads_to=read.text("DAYBOOK_HEADS_TO") or None,
        heads_every=timedelta(seconds=read.seconds("DAYBOOK_HEADS_EVERY")),
        die_at=wanted or None,
    )
    if read.faults:
        raise ConfigurationError(" ".join([*read.faults, "Nothing was started."]))
    return settings


def home_of(environment: Mapping[str, str]) -> Path:
    """Return the folder in which embedded data live.

    Raises:
        ConfigurationError: DAYBOOK_HOME names none.
    """
    read = _Reader(environment)
    home = read.home()
    if read.faults:
        raise ConfigurationError(f"{read.faults[0]} Nothing was started.")
    return home


@dataclass
class _Reader:
    """Read variables, and note what is wrong with them, without the values of any.

    What is wrong is read as its least: nothing is started with it.
    """

    environment: Mapping[str, str]
    faults: list[str] = field(default_factory=list)

    def fault(self, name: str, what: str) -> None:
        self.faults.append(f"{name} {what}.")

    def text(self, name: str) -> str:
        return self.environment.get(name, "")

    def seconds(self, name: str) -> float:
        try:
            seconds = float(self.text(name) or _default(name))
        except ValueError:
            seconds = math.nan
        if 0 < seconds < _MOST_DAYS * 86_400:
            return seconds
        self.fault(name, "is not a number of seconds above 0")
        return 0

    def whole(self, name: str, most: int, *, least: int = 1) -> int:
        try:
            number = int(self.text(name) or _default(name))
        except ValueError:
            number = least - 1
        if least <= number <= most:
            return number
        self.fault(name, f"is not a whole number from {least} to {most}")
        return least

    def home(self) -> Path:
        home = Path(self.text("DAYBOOK_HOME") or _default("DAYBOOK_HOME"))
        try:
            return home.expanduser()
        except RuntimeError:
            there = f"there is no home folder for {home.parts[0]}"
            self.fault("DAYBOOK_HOME", f"cannot be found: {there}; use an absolute path")
            return home


def _refuse_urls(read: _Reader) -> None:
    for name, look in URL_FAULTS.items():
        if (url := read.text(name)) and (fault := look(url)):
            read.fault(name, fault)
    if bool(read.text("SHOP_URL")) != bool(read.text("SMTP_URL")):
        read.faults.append(
            "SHOP_URL and SMTP_URL belong to one shop: set both, or neither to start the demo shop."
        )


def _model_api(read: _Reader) -> ModelApi:
    if (given := read.text("DAYBOOK_MODEL_API")) in tuple(ModelApi):
        return ModelApi(given)
    if given:
        read.fault("DAYBOOK_MODEL_API", f"is not one of {', '.join(ModelApi)}")
    is_openai = (read.text("OPENAI_BASE_URL") or OPENAI).startswith("https://api.openai.com")
    return ModelApi.OPENAI if is_openai else ModelApi.COMPATIBLE


def _exports_otlp(environment: Mapping[str, str]) -> bool:
    """Tell whether a collector is named, and OpenTelemetry not switched off."""
    names = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
    is_off = environment.get("OTEL_SDK_DISABLED", "").strip().lower() == "true"
    is_none = environment.get("OTEL_TRACES_EXPORTER", "").strip().lower() == "none"
    return any(environment.get(name) for name in names) and not (is_off or is_none)


def _exports_langsmith(environment: Mapping[str, str]) -> bool:
    """Tell whether LangSmith is switched on and can be."""
    is_on = environment.get("LANGSMITH_TRACING") == "true"
    has_key = bool(environment.get("LANGSMITH_API_KEY", "").strip())
    return is_on and has_key and environment.get("LANGSMITH_TRACING_MODE") != "otel"


def _default(name: str) -> str:
    return next(variable.default for variable in VARIABLES if variable.name == name)
