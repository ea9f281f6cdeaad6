"""`daybook doctor`: each thing that can be wrong is said in a sentence, and nothing is changed."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest
from langgraph.graph import START, StateGraph
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from daybook.app import doctor as doctor_module
from daybook.app.doctor import doctor
from daybook.app.domains import import_domain
from daybook.checkpoints.embedded.postgres import embedded_postgres
from daybook.checkpoints.postgres import Postgres
from daybook.graph import serve as graph_serve
from daybook.graph.serve import Check, Verdict
from tests.apart.terminal import Terminal
from tests.cases import test_cases
from tests.cases.test_cases import Bank
from tests.conftest import Shop
from tests.databases import database
from tests.integration.other_sides import closed_port, pooling_proxy
from tests.integration.test_whose_rows import serving_login
from tests.provider import is_silent as never_answers
from tests.provider import providing, status
from tests.unit.http_server import Answer, says, serving
from tests.unit.smtp_server import DROP, SILENCE, post_office

KEY = "sk-nobody-may-see-this"


class Doctor:
    """Ask the doctor about an environment, and keep what it said."""

    def __init__(self, home: Path) -> None:
        self.environment = {"DAYBOOK_HOME": str(home)}
        self.checks: dict[str, Check] = {}
        self.settings: dict[str, str] = {}

    async def says(self, **environment: str) -> bool:
        def keep(checks: Any, settings: Any) -> None:
            self.checks = {check.name: check for check in checks}
            self.settings = {setting.name: setting.now for setting in settings}

        return await doctor({**self.environment, **environment}, keep)

    def verdicts(self, *names: str) -> list[Verdict]:
        return [self.checks[name].verdict for name in names]

    def wrong(self) -> str:
        """Return what the one wrong check found, and its advice."""
        (check,) = [c for c in self.checks.values() if c.verdict is Verdict.WRONG]
        assert "Traceback" not in check.found
        return f"{check.name}: {check.found} {check.advice}"


@pytest.fixture
def asked(tmp_path: Path) -> Doctor:
    return Doctor(tmp_path / "home")


DATABASE = ("database", "sessions", "schema", "role", "ledger", "tenants", "threads")


async def test_with_nothing_set_up_it_says_what_the_first_chat_does(asked: Doctor, tmp_path: Path):
    assert await asked.says()
    assert asked.verdicts("database", "shop") == [Verdict.NOT_YET] * 2
    fine = ("Python", "settings", "policy", "model")
    assert asked.verdicts(*fine) == [Verdict.OK] * 4
    assert "first `daybook chat`" in asked.checks["database"].advice
    assert not (tmp_path / "home").exists()


async def test_with_everything_set_up_all_is_well(asked: Doctor, postgres_url: str, shop: Shop):
    assert await asked.says(DATABASE_URL=postgres_url, SHOP_URL=shop.url, SMTP_URL=shop.smtp_url)
    assert asked.verdicts(*DATABASE, "shop", "mail", "model") == [Verdict.OK] * 10
    assert "USD" in asked.checks["shop"].found
    assert asked.checks["database"].found.startswith("Postgres ")


async def test_who_serves_as_the_owner_is_told(asked: Doctor, postgres_url: str):
    assert await asked.says(DATABASE_URL=postgres_url)
    assert asked.verdicts("login") == [Verdict.NOT_YET]
    assert "owns the tables" in asked.checks["login"].found
    with serving_login(postgres_url) as url:
        assert await asked.says(DATABASE_URL=url)
        assert asked.verdicts(*DATABASE, "login") == [Verdict.OK] * 8


async def test_a_ledger_on_another_database_than_it_was_accepted_on_is_wrong(
    asked: Doctor, postgres: Postgres, postgres_url: str
):
    assert await asked.says(DATABASE_URL=postgres_url)
    assert asked.verdicts("cluster") == [Verdict.OK]
    with psycopg.connect(postgres_url, autocommit=True) as conn:
        # As after a promotion: the log goes on under another timeline.
        conn.execute("update cluster set timeline = '00000000', written_in = pg_current_xact_id()")
    assert not await asked.says(DATABASE_URL=postgres_url)
    assert asked.wrong().startswith("cluster: ")
    assert "daybook reconcile --apply" in asked.wrong()
    assert await asked.says(DATABASE_URL=postgres_url, DAYBOOK_PROMOTIONS="complete")
    await postgres.cluster.accept("an operator")
    assert await asked.says(DATABASE_URL=postgres_url)


async def test_a_graph_with_a_ledger_of_its_own_needs_no_domain(
    asked: Doctor, postgres_url: str, monkeypatch: pytest.MonkeyPatch
):
    bank = Bank(postgres_url)
    graph = StateGraph(dict).add_node("node", lambda state: state).add_edge(START, "node").compile()
    for name, own in (("plain", graph), ("guarded", bank.ledger.guarded(graph))):
        monkeypatch.setattr(test_cases, name, own, raising=False)
        where = {"DATABASE_URL": postgres_url, "DAYBOOK_DOMAIN": f"tests.cases.test_cases:{name}"}
        assert await asked.says(**where)
        assert asked.verdicts("domain", "programs", "ledger") == [Verdict.OK] * 3
        assert "shop" not in asked.checks
        import_domain.cache_clear()
    async with bank.ledger:
        await bank.ledger.sweep()
    assert await asked.says(DATABASE_URL=postgres_url)
    assert "agent (1)" in asked.checks["programs"].found


async def test_rules_that_cannot_be_used_are_wrong(asked: Doctor, tmp_path: Path):
    rules = tmp_path / "policy.toml"
    rules.write_text('[[rules]]\nname = "refunds"\ntools = ["refund"]\napproval = "clerk"\n')
    assert not await asked.says(DAYBOOK_POLICY=str(rules))
    assert asked.wrong().startswith(
        'policy: The rule "refunds" names refund, which is not a known effect'
    )
    rules.write_text(rules.read_text().replace('"refund"', '"refund_payment"'))
    assert await asked.says(DAYBOOK_POLICY=str(rules))
    assert asked.checks["policy"].found == "rules: 1 from DAYBOOK_POLICY, then 1 of the domain"


async def test_a_database_that_is_not_migrated_is_left_so(asked: Doctor, server_url: str):
    with database(server_url) as url:
        assert await asked.says(DATABASE_URL=url)
        assert asked.verdicts("schema") == [Verdict.NOT_YET]
        assert "0001_schema" in asked.checks["schema"].found
        with psycopg.connect(url) as conn:
            made = conn.execute("select to_regclass('migration'), to_regclass('thread')")
            assert made.fetchone() == (None, None)


async def test_our_own_database_and_shop_are_opened_where_they_have_data(
    asked: Doctor, tmp_path: Path
):
    home = tmp_path / "home"
    await asyncio.to_thread(lambda: embedded_postgres(home).close())
    (home / "shop").mkdir()
    (home / "shop" / "shop.sqlite").touch()
    assert await asked.says()
    assert asked.verdicts("database", "shop", "mail") == [Verdict.OK] * 3
    assert asked.verdicts("schema") == [Verdict.NOT_YET]


DATABASES: dict[str, tuple[Callable[[str], str], tuple[str, str]]] = {
    "nobody listens": (
        lambda server: f"postgresql://127.0.0.1:{closed_port()}/daybook",
        ("Connection refused", "Start the server"),
    ),
    "an unknown host": (
        lambda server: "postgresql://nobody.invalid/daybook",
        ("nobody.invalid", "Check the host in DATABASE_URL"),
    ),
    "no such database": (
        lambda server: make_conninfo(server, dbname="nowhere"),
        ('database "nowhere" does not exist', "Create it"),
    ),
    "no such user": (
        lambda server: make_conninfo(server, user="nobody"),
        ("nobody", "Check the user in DATABASE_URL"),
    ),
}


@pytest.mark.parametrize("kind", DATABASES)
async def test_a_database_that_cannot_be_opened(asked: Doctor, server_url: str, kind: str):
    url, told = DATABASES[kind]
    assert not await asked.says(DATABASE_URL=url(server_url))
    assert all(words in asked.wrong() for words in told)


@pytest.mark.parametrize(
    ("spoilt", "told"),
    [
        (
            "grant update on ledger_event to daybook_app",
            "ledger: not append-only: daybook_app may update",
        ),
        (
            "alter table ledger_event disable trigger ledger_event_is_append_only",
            "ledger: not append-only: the trigger that refuses changes is disabled",
        ),
        (
            "drop trigger ledger_event_is_append_only on ledger_event",
            "ledger: not append-only: the trigger that refuses changes is disabled or missing",
        ),
        (
            "alter table open_step no force row level security",
            "tenants: row-level security is not forced on open_step",
        ),
        (
            "alter table checkpoints disable row level security",
            "tenants: row-level security is not forced on checkpoints",
        ),
        (
            "insert into thread (thread_id, tenant_id, user_id) values ('t-1', 'default', 'ada');"
            "insert into runner (thread_id, tenant_id, user_id, tries)"
            " values ('t-1', 'default', 'ada', 14)",
            "threads: given up by the workers after repeated failures: t-1",
        ),
    ],
)
async def test_what_was_loosened_is_told(asked: Doctor, postgres_url: str, spoilt: str, told: str):
    with psycopg.connect(postgres_url, autocommit=True) as owner:
        owner.execute(spoilt)
    assert not await asked.says(DATABASE_URL=postgres_url)
    assert told in asked.wrong()


async def test_a_proxy_that_pools_transactions_is_told(asked: Doctor, postgres_url: str):
    parts = conninfo_to_dict(postgres_url)
    path = f"{parts['host']}/.s.PGSQL.{parts['port']}"
    async with pooling_proxy(path, parts["user"], parts["dbname"]) as port:
        assert not await asked.says(DATABASE_URL=f"postgresql://daybook@127.0.0.1:{port}/x")
    assert "sessions: behind a transaction-pooling proxy" in asked.wrong()


SHOPS: dict[str, tuple[Answer, str]] = {
    "500": (says(500, {"error": "x"}), "returned 500"),
    "HTML": (says(200, "<html>hello</html>"), "is not JSON"),
    "other JSON": (says(200, {"hello": "world"}), "is not a shop"),
}


@pytest.mark.parametrize("kind", SHOPS)
async def test_what_answers_as_no_shop_does(asked: Doctor, kind: str):
    answer, told = SHOPS[kind]
    async with serving(answer) as served, post_office() as post:
        assert not await asked.says(SHOP_URL=served.url, SMTP_URL=post.url)
    assert told in asked.wrong()
    assert asked.verdicts("mail") == [Verdict.OK]


@pytest.mark.parametrize("greeting", [DROP, SILENCE, "554 not today"])
async def test_a_mail_server_that_does_not_greet(
    asked: Doctor, shop: Shop, greeting: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(graph_serve, "SECONDS", 1.0)
    async with post_office(greeting=greeting) as post:
        assert not await asked.says(SHOP_URL=shop.url, SMTP_URL=post.url)
    assert asked.wrong().startswith("mail: ")


READY: list[tuple[str, dict[str, Any]]] = [("ready", {})]

TOOLS: dict[str, tuple[Any, Verdict]] = {
    "the tool is called": (READY, Verdict.OK),
    "a server that drops the tools": ("Hello!", Verdict.WRONG),
    "another tool is called": ([("other", {})], Verdict.WRONG),
}


@pytest.mark.parametrize("kind", TOOLS)
async def test_a_provider_is_asked_for_a_tool_call_as_a_conversation_does(asked: Doctor, kind: str):
    answer, verdict = TOOLS[kind]
    async with providing() as provider:
        provider.then(answer)
        where = {"OPENAI_BASE_URL": provider.url, "OPENAI_API_KEY": KEY}
        assert await asked.says(**where) == (verdict is Verdict.OK)
        (request,) = provider.requests
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert "tool_choice" not in request.body
    assert (list(request.tools), request.body["model"]) == (["ready"], "gpt-5-mini")
    assert asked.verdicts("model", "tools") == [Verdict.OK, verdict]
    assert asked.settings["OPENAI_API_KEY"] == "set"


NEEDS = '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser'
PROVIDERS: dict[str, tuple[Any, str]] = {
    "refused key": (status(401, f"Incorrect API key: {KEY}"), "Check OPENAI_API_KEY"),
    "unknown model": (status(404, f"no such model, {KEY}"), "does not know the model gpt-5-mini"),
    "500": (status(500, "x"), "(HTTP 500)"),
    "not started for tools": (status(400, NEEDS), "--enable-auto-tool-choice"),
    "silent": (never_answers, "no answer in 0.3 s"),
    "away": (None, "cannot be reached"),
}


@pytest.mark.parametrize("kind", PROVIDERS)
async def test_a_provider_that_goes_wrong_holds_nobody_up_and_shows_no_key(
    asked: Doctor, monkeypatch: pytest.MonkeyPatch, kind: str
):
    if kind == "silent":
        monkeypatch.setattr(doctor_module, "_CALL_SECONDS", 0.3)
    answer, told = PROVIDERS[kind]
    async with providing() as provider:
        provider.always = answer
        where = provider.url if answer else f"http://127.0.0.1:{closed_port()}/v1"
        assert not await asked.says(OPENAI_BASE_URL=where, OPENAI_API_KEY=KEY)
    assert told in asked.wrong()
    assert KEY not in asked.wrong()
    assert "Send the message again" not in asked.wrong()


async def test_what_is_there_and_cannot_be_opened_is_a_finding(asked: Doctor, tmp_path: Path):
    data = tmp_path / "home" / "postgres" / "data"
    data.mkdir(parents=True)
    (data / "PG_VERSION").write_text("9.6\n")
    away = f"127.0.0.1:{closed_port()}"
    assert not await asked.says(SHOP_URL=f"http://{away}", SMTP_URL=f"smtp://{away}")
    assert asked.verdicts("database", "shop", "mail") == [Verdict.WRONG] * 3
    assert "was created by Postgres 9.6" in asked.checks["database"].found


async def test_settings_that_are_wrong_are_told_and_their_secrets_are_not(asked: Doctor):
    assert not await asked.says(
        DATABASE_URL="postgresql://ada:top@secret@host/x", SHOP_URL="http://ada:secret@host"
    )
    assert "settings: DATABASE_URL contains an @" in asked.wrong()
    assert "SHOP_URL and SMTP_URL belong" in asked.wrong()
    assert "secret" not in asked.wrong() + "".join(asked.settings.values())
    assert asked.settings["DATABASE_URL"] == "set, malformed"


def test_the_command_prints_tables_for_people_and_json_for_machines(
    postgres_url: str, shop: Shop, tmp_path: Path
):
    terminal = Terminal(postgres_url, shop)
    terminal.environment["OPENAI_API_KEY"] = KEY
    terminal.environment["OPENAI_BASE_URL"] = f"http://127.0.0.1:{closed_port()}/v1"
    try:
        out, err, code = terminal.run("doctor")
        assert (err, code) == ("", 1)
        assert max(map(len, out.splitlines())) <= 120
        for shown in ("ok ", "wrong ", "OPENAI_API_KEY", "~/.daybook"):
            assert shown in out
        machines, _, code = terminal.run("doctor", "--json")
    finally:
        terminal.end()
    assert code == 1
    told = json.loads(machines)
    assert {check["name"]: check["verdict"] for check in told["checks"]}["model"] == "wrong"
    assert {setting["name"]: setting["now"] for setting in told["settings"]}[
        "OPENAI_API_KEY"
    ] == "set"
    assert KEY not in out + machines
