"""What Prometheus is told: of purchases that really happened, by the text that it reads."""

import re
from datetime import timedelta
from pathlib import Path

import psycopg
import pytest
import yaml
from prometheus_client import generate_latest
from prometheus_client.parser import text_string_to_metric_families

from daybook.app.operating.metrics import Scraper
from daybook.checkpoints.postgres import Postgres
from daybook.testing.model import last_result
from daybook.tools.shop.domain import SHOP
from tests.conftest import Agent, Shop
from tests.conversation import Conversation
from tests.purchases import asked_to_buy, bought, bought_until

ALERTS = Path(__file__).parents[2] / "docs" / "alerts.yaml"

Samples = dict[tuple[str, frozenset[tuple[str, str]]], float]


def read(text: str) -> Samples:
    """Read the text as Prometheus does."""
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def of(samples: Samples, name: str, **labels: str) -> float:
    """Return the one sample that has these labels; what tells of a tool tells of its domain too."""
    labels = {"domain": "shop", **labels} if "tool" in labels else labels
    return samples[f"daybook_{name}", frozenset(labels.items())]


@pytest.fixture(autouse=True)
async def shop_was_opened(postgres: Postgres) -> None:
    """Declare the shop's tools, as `served` does when it opens it."""
    await postgres.rules.declare("shop", SHOP.registry.declarations())


def scraper_of(postgres: Postgres) -> Scraper:
    return Scraper(postgres, lag=timedelta(0))


async def scraped(scraper: Scraper, most: int | None = None) -> Samples:
    return read(generate_latest(await scraper.scrape(most)).decode())


async def test_a_purchase_is_counted_and_timed_once_however_often_it_is_read(
    agent: Agent, postgres: Postgres, shop: Shop
):
    scraper = scraper_of(postgres)
    empty = await scraped(scraper)
    assert of(empty, "open_steps", tool="charge_payment", state="in_doubt") == 0
    assert of(empty, "turns_total", event="received") == 0

    shop.fault("charges", "slow", seconds=0.1)
    await bought(agent)
    for samples in (
        await scraped(scraper),
        await scraped(scraper),
        await scraped(scraper_of(postgres)),
    ):
        assert of(samples, "turns_total", event="turn_done") == 2
        charged = {"tool": "charge_payment", "outcome": "acknowledged"}
        assert of(samples, "effect_attempt_seconds_count", **charged) == 1
        assert of(samples, "effect_attempt_seconds_bucket", le="+Inf", **charged) == 1
        assert 0.1 <= of(samples, "effect_attempt_seconds_sum", **charged) < 60
        assert of(samples, "approval_wait_seconds_count", decision="approved") == 1
        assert of(samples, "holds_open", tool="charge_payment") == 0
        assert of(samples, "approvals_waiting", role="customer") == 0
        assert of(samples, "threads", status="idle") == 1
        assert of(samples, "chain_faults", fault="chain") == 0
    rules = yaml.safe_load(ALERTS.read_text())["groups"][0]["rules"]
    named = {name for rule in rules for name in re.findall(r"daybook_\w+", rule["expr"])}
    assert len(rules) >= 10
    assert named <= {name for name, _ in samples}, "every metric that an alert names is told"


async def test_what_is_open_waits_or_is_in_doubt_is_told_with_its_age(
    agent: Agent, postgres: Postgres, shop: Shop
):
    await bought_until(agent, 2)
    agent.model.script.clear()
    await asked_to_buy(agent)
    doubtful = Conversation(agent.graph)
    agent.model.script.clear()
    agent.model.then([("send_email", {"subject": "Hello", "body": "As asked."})], last_result)
    await doubtful.say("mail me")
    shop.fault("mail", "drop")
    await doubtful.approve()

    samples = await scraped(scraper_of(postgres))
    assert of(samples, "open_steps", tool="charge_payment", state="unknown") == 1
    assert of(samples, "open_steps", tool="send_email", state="in_doubt") == 1
    assert of(samples, "open_step_oldest_age_seconds", state="in_doubt") > 0
    assert of(samples, "open_step_oldest_age_seconds", state="stuck") == 0
    assert of(samples, "holds_open", tool="reserve_inventory") == 1
    assert of(samples, "holds_open", tool="charge_payment") == 1
    assert of(samples, "approvals_waiting", role="customer") == 1
    assert of(samples, "approval_oldest_age_seconds", role="customer") > 0
    assert of(samples, "threads", status="waiting") == 2
    assert of(samples, "effect_attempt_seconds_count", tool="send_email", outcome="unanswered") == 1
    assert of(samples, "workers") == 0


async def test_every_chain_is_checked_in_turn_and_a_fault_stays_until_it_is_mended(
    agent: Agent, postgres: Postgres, postgres_url: str
):
    for _ in range(3):
        agent.model.then("Hello.")
        await Conversation(agent.graph).say("hello")
    with psycopg.connect(postgres_url, autocommit=True) as owner:
        (changed,) = owner.execute("select max(thread_id) from thread").fetchone()
        where = "where event = 'received' and thread_id = %s"
        owner.execute("alter table ledger_event disable trigger all")
        owner.execute(f"update ledger_event set author = 'eve' {where}", (changed,))
        scraper = scraper_of(postgres)
        seen = [await scraped(scraper, most=2) for _ in range(3)]
        assert [of(one, "chain_threads_checked_total") for one in seen] == [2, 3, 5]
        assert [of(one, "chain_faults", fault="chain") for one in seen] == [0, 1, 1]
        assert of(seen[1], "chain_passed_timestamp_seconds") > 0
        assert ("daybook_chain_passed_timestamp_seconds", frozenset()) not in seen[0]
        owner.execute(f"update ledger_event set author = null {where}", (changed,))
        owner.execute("alter table ledger_event enable trigger all")
    assert of(await scraped(scraper), "chain_faults", fault="chain") == 0
