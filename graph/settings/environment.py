"""What the environment says. Every variable that Daybook reads stands here."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from daybook.checkpoints.people.erasure import Part
from daybook.graph.settings.urls import URL_FAULTS
from daybook.state.errors import ConfigurationError
from daybook.state.fault_points import misnamed

MERCHANTS = "DAYBOOK_MERCHANTS"
"""Names the merchants to buy from (see `daybook.graph.merchants.settings`)."""


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
    Variable(
        "DAYBOOK_SCHEMA",
        "the schema that all of Daybook's tables are in; nothing outside of it is changed",
        "daybook",
    ),
    Variable(
        "DAYBOOK_POOLER",
        "`transaction`: DATABASE_URL leads to a pooler that lends sessions for a transaction",
        "none",
    ),
    Variable(
        "AEGRA_DATABASE_URL",
        "where `daybook serve --production` keeps the server's own threads and runs",
        "the database of `DATABASE_URL`, its name with `_aegra`",
        is_secret=True,
    ),
    Variable(
        "REDIS_URL",
        "by which the processes of `daybook serve --production` wake each other",
        "none: one process",
        is_secret=True,
    ),
    Variable(
        "DAYBOOK_DOMAIN",
        "the domain that is served, `module:NAME`; `daybook --domain` goes before it",
        "that of `langgraph.json` here, else the demo shop",
    ),
    Variable("OPENAI_API_KEY", "choose a model provider", "the domain's stand-in", is_secret=True),
    Variable("OPENAI_BASE_URL", "a provider that speaks OpenAI's API", "OpenAI's own"),
    Variable("OPENAI_MODEL", "the provider's model", "gpt-5-mini"),
    Variable("DAYBOOK_MODEL_SECONDS", "how long the provider may be silent", "120"),
    Variable(
        "DAYBOOK_MAX_TOKENS",
        "how many tokens one answer of the model may take; sent to the provider as `max_tokens`",
        "4096",
    ),
    Variable(
        "DAYBOOK_ANSWER_SECONDS",
        "how long one answer of the model may take in all; then it is cut off and says so",
        "180",
    ),
    Variable("DAYBOOK_PROMPT_TOKENS", "what a prompt may take, by an estimate from above", "8000"),
    Variable("DAYBOOK_QUESTION_SECONDS", "how long a question for approval waits", "3600"),
    Variable(
        "DAYBOOK_APPROVAL_SECONDS",
        "how long after its approval a plan is begun on; then what was done of it is undone",
        "900",
    ),
    Variable(
        "DAYBOOK_DECISIONS",
        "how many decisions of the model one turn may take; then it ends and says so",
        "25",
    ),
    Variable(
        "DAYBOOK_BUDGET_SECONDS",
        "how long one attempt of an effect may take; nothing is sent after it",
        "5",
    ),
    Variable("DAYBOOK_ATTEMPTS", "how often a step is sent before it fails or is in doubt", "5"),
    Variable(
        "DAYBOOK_NODE_SECONDS",
        "how long a run waits for what is not settled, before it leaves it to a worker",
        "10",
    ),
    Variable("DAYBOOK_RUNS", "how many runs work at a time; others wait their turn", "10"),
    Variable("DAYBOOK_RUNS_EACH", "how many of these may be one person's", "3"),
    Variable(
        "DAYBOOK_RUNS_UNFINISHED",
        "how many runs of one person may wait and work at the server; more are refused",
        "10",
    ),
    Variable("DAYBOOK_RUNS_A_MINUTE", "how many runs one person may begin in it", "60"),
    Variable(
        "DAYBOOK_OPEN_REQUESTS", "how many requests and streams one person may have open", "30"
    ),
    Variable(
        "DAYBOOK_SIGN_IN_FAILURES", "how often a minute one address may fail to sign in", "30"
    ),
    Variable("DAYBOOK_POLICY", "a file of rules of who must approve what", "the domain's own"),
    Variable("DAYBOOK_TENANT", "all rows that are seen or written belong to it", "default"),
    Variable(
        "LANGGRAPH_AES_KEY",
        "16, 24 or 32 characters: what threads hold is encrypted with it in the database",
        "nothing is encrypted",
        is_secret=True,
    ),
    Variable(
        "DAYBOOK_OLDER_AES_KEYS",
        "keys of before, with blanks between them: what was written with them is read",
        "none",
        is_secret=True,
    ),
    Variable("DAYBOOK_HOME", "where embedded data live", "~/.daybook"),
    Variable(
        "OTEL_EXPORTER_OTLP_ENDPOINT",
        "a collector that traces go to; with the other standard variables of OpenTelemetry",
        "none",
    ),
    Variable(
        "LANGSMITH_TRACING",
        "`true`, with `LANGSMITH_API_KEY`: traces go to LangSmith, without anybody's words",
        "false",
    ),
    Variable("LANGSMITH_API_KEY", "the key of LangSmith", "none", is_secret=True),
    Variable("LOGLEVEL", "what is logged on standard error", "ERROR"),
    Variable("DAYBOOK_KEEP_CHECKPOINTS", "days for which an idle thread can be taken up", "30"),
    Variable("DAYBOOK_KEEP_READS", "days for which an idle thread's read results are kept", "30"),
    Variable("DAYBOOK_KEEP_PAYLOADS", "days for which the ledger's payloads are kept", "730"),
    Variable(
        "DAYBOOK_DIE_AT",
        "the fault point at which the process kills itself, as `after_reply:charge_payment`",
        "none",
    ),
)
"""Every variable that Daybook reads; docs/variables.md and `daybook doctor` print this table."""

SHOP_VARIABLES = (
    Variable("SHOP_URL", "the shop, `http://host:port`; with `SMTP_URL`", "a shop of its own"),
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

_SECONDS = (
    "DAYBOOK_MODEL_SECONDS",
    "DAYBOOK_ANSWER_SECONDS",
    "DAYBOOK_QUESTION_SECONDS",
    "DAYBOOK_APPROVAL_SECONDS",
    "DAYBOOK_BUDGET_SECONDS",
    "DAYBOOK_NODE_SECONDS",
)

_COUNTS = {
    "DAYBOOK_MAX_TOKENS": 1_000_000,
    "DAYBOOK_DECISIONS": 1_000,
    "DAYBOOK_ATTEMPTS": 100,
    "DAYBOOK_RUNS": 1_000,
    "DAYBOOK_RUNS_EACH": 1_000,
    "DAYBOOK_RUNS_UNFINISHED": 1_000,
    "DAYBOOK_RUNS_A_MINUTE": 100_000,
    "DAYBOOK_OPEN_REQUESTS": 100_000,
    "DAYBOOK_SIGN_IN_FAILURES": 100_000,
}
"""Variables that count something, and the most that they may."""

_MOST_DAYS = 36500

_TOKENS = "DAYBOOK_PROMPT_TOKENS"
_LEAST_TOKENS, _MOST_TOKENS = 5_000, 1_000_000
"""Instructions and tools take about a third of the least."""

_AES_BYTES = (16, 24, 32)


@dataclass(frozen=True)
class Settings:
    """The settings of a process, read from `VARIABLES`.

    Attributes:
        database_url: None starts the embedded Postgres.
        schema: of the database, in which our tables are.
        is_pooled: between us and it stands a pooler, which lends sessions for a transaction each.
        aegra_database_url, redis_url: what a server of several processes keeps its runs in, and
            wakes them by; None is a database beside ours, and no waking.
        shop_url, smtp_url: None starts a shop of our own, with its mail server.
        domain: `module:NAME` of the domain that is served, or None.
        has_merchants: merchants are named, so buying from them is served where no domain is.
        openai_key, openai_base_url: either one chooses ChatOpenAI.
        model_seconds: how long the provider may be silent before it is asked again.
        max_tokens, answer_seconds: what one answer of the model may take: tokens, and seconds with
            all requests that are made for it.
        prompt_tokens: what a prompt may take (see `daybook.state.prompt.tokens`).
        decisions, budget, attempts, node_seconds: the limits of a turn (see
        `daybook.graph.settings.limits`). question, approval: how long a question waits, and how
        long its answer is made use of. runs, runs_each: how many work at a time, of all and of one
        person. runs_unfinished, runs_a_minute, open_requests, sign_in_failures: what a server lets
        one person, or one address, ask for. policy: a TOML file of rules (see
        `daybook.graph.settings.policies`), or None. aes_key: what threads hold is encrypted with
        it, or None. keep: how long each part of a thread is kept after the thread's last activity.
        exports_otlp, exports_langsmith: traces go to a collector, and to LangSmith.
        die_at: a fault point (see `daybook.state.fault_points`), or None.
    """

    database_url: str | None
    schema: str
    is_pooled: bool
    aegra_database_url: str | None
    redis_url: str | None
    shop_url: str | None
    smtp_url: str | None
    domain: str | None
    has_merchants: bool
    openai_key: str | None
    openai_base_url: str | None
    model: str
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
    runs_a_minute: int
    open_requests: int
    sign_in_failures: int
    policy: Path | None
    tenant: str
    home: Path
    aes_key: bytes | None
    older_aes_keys: tuple[bytes, ...]
    keep: Mapping[Part, timedelta]
    exports_otlp: bool
    exports_langsmith: bool
    die_at: str | None

    @property
    def has_provider(self) -> bool:
        """Tell whether a model provider is set; else the stand-in is used."""
        return bool(self.openai_key or self.openai_base_url)


def settings_from(environment: Mapping[str, str] = os.environ) -> Settings:
    """Read the settings.

    Raises:
        ConfigurationError: a URL is malformed, SHOP_URL is set without SMTP_URL or the other way
            round, OPENAI_API_KEY, LANGGRAPH_AES_KEY, a number of seconds or days,
            or DAYBOOK_DIE_AT cannot be used, or DAYBOOK_HOME names no folder.
    """
    _refuse_faults(environment)
    return Settings(
        database_url=environment.get("DATABASE_URL") or None,
        schema=environment.get("DAYBOOK_SCHEMA") or _default("DAYBOOK_SCHEMA"),
        is_pooled=environment.get("DAYBOOK_POOLER") == "transaction",
        aegra_database_url=environment.get("AEGRA_DATABASE_URL") or None,
        redis_url=environment.get("REDIS_URL") or None,
        shop_url=environment.get("SHOP_URL") or None,
        smtp_url=environment.get("SMTP_URL") or None,
        domain=environment.get("DAYBOOK_DOMAIN") or None,
        has_merchants=bool(environment.get(MERCHANTS, "").split()),
        openai_key=environment.get("OPENAI_API_KEY", "").strip() or None,
        openai_base_url=environment.get("OPENAI_BASE_URL") or None,
        model=environment.get("OPENAI_MODEL") or _default("OPENAI_MODEL"),
        model_seconds=_seconds(environment, "DAYBOOK_MODEL_SECONDS"),
        max_tokens=_whole(environment, "DAYBOOK_MAX_TOKENS"),
        answer_seconds=_seconds(environment, "DAYBOOK_ANSWER_SECONDS"),
        prompt_tokens=_whole(environment, _TOKENS),
        decisions=_whole(environment, "DAYBOOK_DECISIONS"),
        budget=timedelta(seconds=_seconds(environment, "DAYBOOK_BUDGET_SECONDS")),
        attempts=_whole(environment, "DAYBOOK_ATTEMPTS"),
        node_seconds=_seconds(environment, "DAYBOOK_NODE_SECONDS"),
        question=timedelta(seconds=_seconds(environment, "DAYBOOK_QUESTION_SECONDS")),
        approval=timedelta(seconds=_seconds(environment, "DAYBOOK_APPROVAL_SECONDS")),
        runs=_whole(environment, "DAYBOOK_RUNS"),
        runs_each=_whole(environment, "DAYBOOK_RUNS_EACH"),
        runs_unfinished=_whole(environment, "DAYBOOK_RUNS_UNFINISHED"),
        runs_a_minute=_whole(environment, "DAYBOOK_RUNS_A_MINUTE"),
        open_requests=_whole(environment, "DAYBOOK_OPEN_REQUESTS"),
        sign_in_failures=_whole(environment, "DAYBOOK_SIGN_IN_FAILURES"),
        policy=Path(file) if (file := environment.get("DAYBOOK_POLICY")) else None,
        tenant=environment.get("DAYBOOK_TENANT") or _default("DAYBOOK_TENANT"),
        home=home_of(environment),
        aes_key=environment.get("LANGGRAPH_AES_KEY", "").encode() or None,
        older_aes_keys=_older_keys(environment),
        keep={
            part: timedelta(days=_whole(environment, name)) for part, name in KEEP_VARIABLES.items()
        },
        exports_otlp=_exports_otlp(environment),
        exports_langsmith=_exports_langsmith(environment),
        die_at=environment.get("DAYBOOK_DIE_AT") or None,
    )


def _exports_otlp(environment: Mapping[str, str]) -> bool:
    """Tell whether a collector is named, and OpenTelemetry not switched off."""
    names = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
    is_off = environment.get("OTEL_SDK_DISABLED", "").strip().lower() == "true"
    is_none = environment.get("OTEL_TRACES_EXPORTER", "").strip().lower() == "none"
    return any(environment.get(name) for name in names) and not (is_off or is_none)


def _exports_langsmith(environment: Mapping[str, str]) -> bool:
    """Tell whether LangSmith is switched on and can be; its older names count too."""

    def said(*names: str) -> str:
        return next((value for name in names if (value := environment.get(name))), "")

    is_on = said("LANGSMITH_TRACING", "LANGSMITH_TRACING_V2", "LANGCHAIN_TRACING_V2") == "true"
    has_key = bool(said("LANGSMITH_API_KEY", "LANGCHAIN_API_KEY").strip())
    return is_on and has_key and environment.get("LANGSMITH_TRACING_MODE") != "otel"


def _refuse_faults(environment: Mapping[str, str]) -> None:
    """Refuse what can be seen to be wrong without opening anything: all of it in one message."""
    faults = [
        f"{name} {fault}."
        for name, look in URL_FAULTS.items()
        if (value := environment.get(name)) and (fault := look(value))
    ]
    if bool(environment.get("SHOP_URL")) != bool(environment.get("SMTP_URL")):
        faults.append(
            "SHOP_URL and SMTP_URL belong together, as one shop has one mail server: set both, or "
            "neither to start a shop of your own."
        )
    key = environment.get("OPENAI_API_KEY", "").strip()
    if not (key.isascii() and key.isprintable()):
        # Sent, it would stand in the client's error, and so in logs.
        faults.append("OPENAI_API_KEY holds characters that no key has; see how it was copied.")
    if len(environment.get("LANGGRAPH_AES_KEY", "").encode()) not in (0, *_AES_BYTES):
        faults.append(
            "LANGGRAPH_AES_KEY must be 16, 24 or 32 bytes long (AES); make one with "
            "`openssl rand -hex 16`."
        )
    if not all(len(key) in _AES_BYTES for key in _older_keys(environment)):
        faults.append("Each of DAYBOOK_OLDER_AES_KEYS must be 16, 24 or 32 bytes long (AES).")
    elif _older_keys(environment) and not environment.get("LANGGRAPH_AES_KEY"):
        faults.append("DAYBOOK_OLDER_AES_KEYS needs a newer one beside it: LANGGRAPH_AES_KEY.")
    faults += [
        f"{name} is no number of seconds above 0."
        for name in _SECONDS
        if not 0 < _seconds(environment, name) < _MOST_DAYS * 86_400
    ]
    faults += [
        f"{name} is no whole number from 1 to {most}."
        for name, most in _COUNTS.items()
        if not 1 <= _whole(environment, name) <= most
    ]
    faults += [
        f"{name} is no whole number of days from 1 to {_MOST_DAYS}."
        for name in KEEP_VARIABLES.values()
        if not 1 <= _whole(environment, name) <= _MOST_DAYS
    ]
    if not _LEAST_TOKENS <= _whole(environment, _TOKENS) <= _MOST_TOKENS:
        faults.append(
            f"{_TOKENS} is no whole number of tokens from {_LEAST_TOKENS} to {_MOST_TOKENS}."
        )
    if environment.get("DAYBOOK_POOLER", "none") not in ("", "none", "transaction"):
        faults.append("DAYBOOK_POOLER is neither none nor transaction.")
    if (wanted := environment.get("DAYBOOK_DIE_AT")) and (fault := misnamed(wanted)):
        faults.append(fault)
    if faults:
        raise ConfigurationError(" ".join([*faults, "Nothing was started."]))


def _older_keys(environment: Mapping[str, str]) -> tuple[bytes, ...]:
    return tuple(key.encode() for key in environment.get("DAYBOOK_OLDER_AES_KEYS", "").split())


def _seconds(environment: Mapping[str, str], name: str) -> float:
    """Read a number of seconds; not a number where it is none."""
    try:
        return float(environment.get(name) or _default(name))
    except ValueError:
        return math.nan


def _whole(environment: Mapping[str, str], name: str) -> int:
    """Read a whole number; 0 where it is none."""
    try:
        return int(environment.get(name) or _default(name))
    except ValueError:
        return 0


def home_of(environment: Mapping[str, str]) -> Path:
    """Return the folder in which embedded data live.

    Raises:
        ConfigurationError: DAYBOOK_HOME names none.
    """
    home = Path(environment.get("DAYBOOK_HOME") or _default("DAYBOOK_HOME"))
    try:
        return home.expanduser()
    except RuntimeError as error:
        raise ConfigurationError(
            f"DAYBOOK_HOME cannot be found: there is no home folder for {home.parts[0]}. Nothing "
            "was started; name a folder by its whole path."
        ) from error


def _default(name: str) -> str:
    return next(variable.default for variable in VARIABLES if variable.name == name)
