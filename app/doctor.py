"""Check settings, services and database, and say how to fix problems. Nothing is changed."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path

from rich.text import Text

from daybook.app.conversations.terminal import Terminal
from daybook.app.domains import NotServed, served_by
from daybook.app.notifications.routes import routes_in
from daybook.app.output import tell_json
from daybook.checkpoints.embedded.postgres import embedded_postgres, has_data
from daybook.checkpoints.inspect import Inspection, inspect
from daybook.checkpoints.migrate import READER, ROLE
from daybook.graph.model.choice import chosen_model
from daybook.graph.serve import Check, Served, Verdict, within_limit
from daybook.graph.settings.environment import OPENAI, VARIABLES, Settings, Variable, settings_from
from daybook.graph.settings.limits import policy_of
from daybook.graph.settings.urls import URL_FAULTS, printable_url
from daybook.state.clock import SYSTEM
from daybook.state.errors import (
    NOTHING_DONE,
    ConfigurationError,
    EmbeddedPostgresError,
    ModelUnavailable,
)
from daybook.tools.domain import Domain


@dataclass(frozen=True)
class Setting:
    """One variable with its present value, as it may be shown."""

    name: str
    now: str
    default: str
    meaning: str


Show = Callable[[Sequence[Check], Sequence[Setting]], None]


async def doctor(environment: Mapping[str, str], show: Show) -> bool:
    """Check everything and show it; tell whether all that is set up works."""
    found, served = await _of_settings(environment)
    checks = [*_setup(), *found]
    variables = (*VARIABLES, *(served.variables if served is not None else ()))
    show(checks, [_setting(variable, environment) for variable in variables])
    return all(check.verdict is not Verdict.WRONG for check in checks)


async def _of_settings(environment: Mapping[str, str]) -> tuple[list[Check], Served | None]:
    """Check the settings, and what they name; nothing is looked for at a place that is wrong.

    Returns:
        The checks, and the domain that is served, where that is known.
    """
    try:
        settings = settings_from(environment)
    except ConfigurationError as error:
        advice = "Then run `daybook doctor` again."
        return [Check("settings", Verdict.WRONG, str(error), advice)], None
    fine = Check("settings", Verdict.OK, "they are valid")
    try:
        served = served_by(settings)
    except NotServed:
        own = Check("domain", Verdict.OK, "none: the graph has its own ledger")
        return [fine, own, *await database(settings)], None
    except ConfigurationError as error:
        return [fine, Check("domain", Verdict.WRONG, str(error)), *await database(settings)], None
    domain = served.domain
    known = Check("domain", Verdict.OK, f"{domain.name}, with {len(domain.registry.names)} tools")
    found = await asyncio.gather(database(settings), model(settings, domain), _of(served, settings))
    checks = [check for several in found for check in several]
    return [fine, known, _policy(settings, domain), *checks], served


async def _of(served: Served, settings: Settings) -> list[Check]:
    """Check what the domain names beside: the services that it runs on."""
    return [*await served.checks(settings)] if served.checks is not None else []


def _setup() -> list[Check]:
    """Check Python and the server's command."""
    checks = [Check("Python", Verdict.OK, f"{sys.version.split()[0]} at {sys.executable}")]
    command = Path(sys.executable).with_name("langgraph")
    if command.exists():
        return [*checks, Check("server", Verdict.OK, f"{command} is installed")]
    found, advice = (
        "no `langgraph` command (only `make serve` needs it)",
        "`make serve` installs it.",
    )
    return [*checks, Check("server", Verdict.NOT_YET, found, advice)]


def _policy(settings: Settings, domain: Domain) -> Check:
    """Check the rules of who must approve what."""
    try:
        own = policy_of(settings.policy, domain)
        routes = len(routes_in(settings.policy).notify)
    except ConfigurationError as error:
        return Check("policy", Verdict.WRONG, str(error), "`daybook policy` prints the rules.")
    rules = f"{len(own.rules) if settings.policy else 'none'} from DAYBOOK_POLICY"
    return Check(
        "policy",
        Verdict.OK,
        f"rules: {rules}, then {len(domain.policy.rules)} of the domain"
        + (f"; notification routes: {routes}" if routes else ""),
    )


def _setting(variable: Variable, environment: Mapping[str, str]) -> Setting:
    value = environment.get(variable.name, "")
    if value and variable.name in URL_FAULTS:
        now = printable_url(variable.name, value)
    elif variable.is_secret:
        now = "set" if value else ""
    else:
        now = value
    return Setting(variable.name, now or "not set", variable.default, variable.meaning)


def print_json(checks: Sequence[Check], settings: Sequence[Setting]) -> None:
    """Print checks and settings as one JSON object."""
    found = {"checks": [*map(asdict, checks)], "settings": [*map(asdict, settings)]}
    tell_json(json.dumps(found, ensure_ascii=False, indent=2))


_STYLES = {Verdict.OK: "green", Verdict.NOT_YET: "yellow", Verdict.WRONG: "bold red"}


def print_tables(checks: Sequence[Check], settings: Sequence[Setting]) -> None:
    """Print checks and settings as two tables."""
    terminal, rows = Terminal(), []
    for check in checks:
        found = Text(check.found)
        if check.advice:
            found.append(f"\n{check.advice}", style="bold")
        rows.append((Text(check.verdict.value, style=_STYLES[check.verdict]), check.name, found))
    terminal.rows(("State", "What", "Found"), rows)
    terminal.rows(
        ("Variable", "Now", "Default", "Meaning"),
        [(one.name, one.now, one.default, one.meaning.replace("`", "")) for one in settings],
    )


# -- the database ----------------------------------------------------------------------------------


_SHOWN = 3


async def database(settings: Settings) -> list[Check]:
    """Check the database that the settings name, else the embedded one if it has data."""
    if settings.database_url is not None:
        return await within_limit("database", _inspected(settings.database_url, settings))
    if not has_data(settings.home):
        found = f"no data below {settings.home}: the embedded Postgres was never started"
        return [Check("database", Verdict.NOT_YET, found, "The first `daybook chat` creates it.")]
    try:
        server = await asyncio.to_thread(embedded_postgres, settings.home)
    except EmbeddedPostgresError as error:
        return [Check("database", Verdict.WRONG, str(error))]
    try:
        return await within_limit("database", _inspected(server.url, settings))
    finally:
        await asyncio.to_thread(server.close)


async def _inspected(url: str, settings: Settings) -> list[Check]:
    about = settings.tenant, settings.schema
    found = await inspect(
        url, *about, ignores_timeline=settings.ignores_timeline, marks=settings.marks
    )
    return [*_checks(found)]


def _checks(found: Inspection) -> Iterator[Check]:
    what = f"Postgres {found.version}, database {found.database}, as {found.owner}"
    yield _check(
        "database",
        f"{what}; a read-only standby" if found.is_standby else "",
        "Set DATABASE_URL to its primary: a standby is read-only.",
        what,
    )
    pooled = "behind a transaction-pooling proxy, where a session keeps no settings"
    yield _check(
        "sessions",
        pooled if found.is_pooled else "",
        "Set DATABASE_URL to the server itself or to a session-pooling port of the proxy; or set "
        "DAYBOOK_POOLER=transaction (docs/database.md, Use a pooler).",
        "a connection keeps its session, and its settings",
    )
    if found.missing:
        yield _missing(found)
        return
    yield Check("schema", Verdict.OK, "migrated to this release")
    yield _role(found, "role", ROLE, found.role, f"{found.owner} may change the ledger")
    yield _role(found, "reader", READER, found.reader, "a user's history cannot be queried in SQL")
    if found.owns:
        yield Check(
            "login",
            Verdict.NOT_YET,
            f"{found.owner} owns the tables: anyone with its password can change them",
            f"If other machines can reach the server, let it sign in as a member of {ROLE} that "
            "owns no tables (docs/database.md, Roles).",
        )
    else:
        yield Check("login", Verdict.OK, f"{found.owner} owns none of the tables")
    rights = [f"{ROLE} may {', '.join(found.rights)} it"] if found.rights else []
    if not found.is_append_only:
        rights.append("the trigger that refuses changes is disabled or missing")
    yield _check(
        "ledger",
        f"not append-only: {'; '.join(rights)}" if rights else "",
        f"revoke update, delete, truncate on ledger_event from {ROLE}; alter table "
        "ledger_event enable trigger ledger_event_is_append_only; then `daybook ledger verify`",
        "append-only by privilege and trigger",
    )
    yield _check(
        "cluster",
        "not the database on which the ledger was last accepted: it may lack effects that were "
        f"sent since, so {', '.join(found.elsewhere) or 'it'} sends nothing"
        if found.is_elsewhere or found.elsewhere
        else "",
        "With every agent and worker stopped: `daybook reconcile --apply`; or, if nothing is "
        "missing, `daybook reconcile --accept` (docs/operations.md, Backup and restore).",
        "the database on which the ledger was last accepted",
    )
    programs = ", ".join(found.programs)
    yield Check("programs", Verdict.OK, f"with tools on this database: {programs or 'none yet'}")
    tables = ", ".join(found.open_tables)
    yield _check(
        "tenants",
        f"row-level security is not forced on {tables}" if tables else "",
        "For each: alter table ... enable row level security, force row level security",
        "row-level security is forced on every table",
    )
    threads = _some(found.given_up)
    yield _check(
        "threads",
        f"given up by the workers after repeated failures: {threads}" if threads else "",
        "See the worker's log and `daybook ledger THREAD`; `daybook again THREAD` retries one.",
        "no thread was given up",
    )
    yield _check(
        "notifications",
        f"given up after many tries: {found.undelivered}" if found.undelivered else "",
        "See `daybook notifications`; --retry sends them again.",
        "no notification was given up",
    )
    effects = _some(found.of_nobody)
    yield _check(
        "effects",
        f"reported by a provider but not intended by this ledger: {effects}" if effects else "",
        "Check with the provider: it may be another system that uses our name, or a restored "
        "ledger (`daybook reconcile`).",
        "the ledger intended every effect that was reported",
    )


def _check(name: str, fault: str, advice: str, fine: str) -> Check:
    return Check(name, Verdict.WRONG, fault, advice) if fault else Check(name, Verdict.OK, fine)


def _role(found: Inspection, name: str, role: str, state: str | None, without: str) -> Check:
    """Check a role of the database.

    Args:
        state: what is wrong with it; None if it is not there.
        without: what it is like then.
    """
    if state is None:
        advice = f"As a superuser: create role {role} nologin; grant {role} to {found.owner};"
        return Check(name, Verdict.NOT_YET, f"the role {role} does not exist: {without}", advice)
    return _check(name, f"{role}: {state}" if state else "", "", f"{role} exists")


def _missing(found: Inspection) -> Check:
    missing = f"to be migrated: {', '.join(found.missing)}"
    if found.lacks:
        return Check(
            "schema",
            Verdict.WRONG,
            f"{missing}; {found.owner} may not {' nor '.join(found.lacks)}",
            f"Grant the privilege: grant create on database {found.database} to {found.owner}; or "
            "create the schema for it.",
        )
    return Check("schema", Verdict.NOT_YET, missing, "The next `daybook chat` migrates it.")


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"{', '.join(names[:_SHOWN])}{more}"


# -- the model -------------------------------------------------------------------------------------


_CALL_SECONDS = 90.0
"""How long the model may take; a server may load it first."""

_NAME = "ready"
_READY = {
    "type": "function",
    "function": {
        "name": _NAME,
        "description": "Report that tools can be called.",
        "parameters": {"type": "object", "properties": {}, "additionalProperties": False},
    },
}
_ASK = f"Call the tool `{_NAME}` now. Write nothing else."


async def model(settings: Settings, domain: Domain) -> list[Check]:
    """Check that the provider takes the key and that the model calls a tool.

    Where no provider is set: that there is another model.
    """
    if not settings.has_provider and domain.needs_provider:
        found = f"none: the domain {domain.name} has no stand-in, and no provider is set"
        return [Check("model", Verdict.WRONG, found, "Set OPENAI_API_KEY or OPENAI_BASE_URL.")]
    if not settings.has_provider and domain.stand_in:
        return [_standing_in(domain.stand_in)]
    if not settings.has_provider:
        return [Check("model", Verdict.OK, f"the embedded one of the domain {domain.name}")]
    return await _asked(settings, domain)


def _standing_in(module: str) -> Check:
    """Look whether the stand-in is there, and start nothing."""
    try:
        is_there = find_spec(f"{module}.__main__") is not None
    except ModuleNotFoundError:
        is_there = False
    if not is_there:
        found = f"none: the stand-in {module} is not installed, and no provider is set"
        return Check("model", Verdict.WRONG, found, "Set OPENAI_API_KEY or OPENAI_BASE_URL.")
    return Check("model", Verdict.OK, f"the stand-in {module}, which starts on the first request")


async def _asked(settings: Settings, domain: Domain) -> list[Check]:
    """Ask the model for a tool call, as a conversation does, without forcing it."""
    found = f"{settings.model} at {(settings.openai_base_url or OPENAI).rstrip('/')}"
    try:
        async with SYSTEM.timeout(_CALL_SECONDS), chosen_model(settings, domain) as asked:
            answer = await asked.bind_tools([_READY]).ainvoke(_ASK)
    except TimeoutError:
        advice = "The server may still be loading the model: try again, or choose a smaller one."
        return [Check("model", Verdict.WRONG, f"{found}: no answer in {_CALL_SECONDS:g} s", advice)]
    except ModelUnavailable as error:
        # The provider's own words are not shown: a refusal may quote the key.
        why = str(error).removesuffix(NOTHING_DONE).strip()
        advice = "Check OPENAI_BASE_URL, OPENAI_API_KEY, OPENAI_MODEL and the network."
        return [Check("model", Verdict.WRONG, f"{found}: {why}", advice)]
    is_called = any(call["name"] == _NAME for call in getattr(answer, "tool_calls", ()))
    return [Check("model", Verdict.OK, found), _TOOLS if is_called else _NO_TOOLS]


_TOOLS = Check("tools", Verdict.OK, "the model called the tool that it was offered")

_NO_TOOLS = Check(
    "tools",
    Verdict.WRONG,
    "the model answered with text instead of a tool call",
    "Its chat template omits tools, or the model does not support them. Choose a model and a "
    "template with tools (llama.cpp: --jinja; vLLM: --tool-call-parser).",
)
