"""What a stolen copy of the database tells: with a key nothing that a person said."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from itertools import product
from typing import cast

import ormsgpack
import psycopg
import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import CheckpointMetadata, empty_checkpoint
from psycopg import sql

from daybook.app.cli.operations import rekey_database
from daybook.app.ledger import listing as ledger_view
from daybook.checkpoints.encryption import Cipher
from daybook.checkpoints.migrate import migrate
from daybook.checkpoints.people.erasure import everything, open_eraser
from daybook.checkpoints.postgres import Postgres, open_postgres
from daybook.checkpoints.rekeying import rekey
from daybook.checkpoints.runs.reads import Read
from daybook.graph.settings.environment import settings_from
from daybook.state.clock import SYSTEM
from daybook.state.errors import CannotDecrypt, ChainBroken, ConfigurationError, UnsafeCheckpoint
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.recovery import Event
from daybook.state.people.facts import fact_of
from daybook.state.people.privacy import NOT_KEPT
from daybook.state.session import Session
from daybook.testing.model import last_result
from daybook.tools.shop.domain import SHOP
from tests.conftest import Agent, Shop, shop_agent
from tests.conversation import Conversation, texts
from tests.history import at, checkpoints
from tests.purchases import PURCHASE, asked_to_buy, rebuilt, shop_database, with_boots

KEY = b"0123456789abcdef"
ADDRESS = "17 Quince Lane"
CARD = "4111 1111 1111 1111"
TYPED = f"Check out, deliver to {ADDRESS}, charge {CARD}, cvc 123"


@asynccontextmanager
async def opened(url: str, key: bytes | None) -> AsyncIterator[Postgres]:
    async with open_postgres(
        url, tenant_id="default", stored_types=SHOP.restored_types, key=key
    ) as postgres:
        yield postgres


@asynccontextmanager
async def agent_with(url: str, key: bytes | None, shop: Shop) -> AsyncIterator[Agent]:
    async with opened(url, key) as postgres, shop_agent(postgres, shop) as agent:
        yield agent


def everything_in(url: str) -> Iterator[tuple[str, bytes]]:
    """Read every column of every row of every table of a database, of libraries too."""
    with psycopg.connect(url) as conn:
        tables = conn.execute(
            "select table_schema::text, table_name::text from information_schema.tables "
            "where table_type = 'BASE TABLE' "
            "and table_schema not in ('pg_catalog', 'information_schema')"
        ).fetchall()
        for schema, table in tables:
            columns = conn.execute(
                "select column_name::text, data_type from information_schema.columns "
                "where table_schema = %s and table_name = %s",
                (schema, table),
            ).fetchall()
            for column, type_ in columns:
                cast = sql.SQL("" if type_ == "bytea" else "::text")
                query = sql.SQL("select {}{} from {}").format(
                    sql.Identifier(column), cast, sql.Identifier(schema, table)
                )
                for (value,) in conn.execute(query):
                    yield table, value if isinstance(value, bytes) else str(value).encode()


def holding(url: str, *texts: str) -> set[str]:
    """Name the tables that hold one of the texts, as text, in bytes or as hex."""
    wanted = [needle for text in texts for needle in (text.encode(), text.encode().hex().encode())]
    return {table for table, held in everything_in(url) if any(one in held for one in wanted)}


async def talked(agent: Agent, thread: str | None = None) -> Conversation:
    """Buy boots, and say, search, mail, answer and configure an address on the way."""
    talk = await with_boots(agent, thread=thread)
    talk.config["metadata"] = {"note": f"they live at {ADDRESS}"}
    agent.model.then(
        [("search_products", {"query": f"shops near {ADDRESS}"})],
        [("checkout", {})],
        f"Then not to {ADDRESS}.",
    )
    await talk.say(TYPED)
    await talk.answer({"type": "reject", "message": f"I meant {ADDRESS}, with {CARD}"})
    agent.model.then([("checkout", {})], last_result)
    await talk.say(f"Well, check out. I live at {ADDRESS}.")
    await talk.approve()
    return talk


async def test_with_a_key_the_database_holds_nothing_of_what_was_said(
    postgres_url: str,
    shop: Shop,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    async with agent_with(postgres_url, KEY, shop) as agent:
        talk = await talked(agent)
        assert shop.happened() == PURCHASE
        said = await texts(talk)
        assert f"deliver to {ADDRESS}" in "\n".join(said)
        # Kept encrypted, and read back by every way there is.
        stored = holding(postgres_url, ADDRESS, "Quince", "boots", "DB-", "not to", CARD)
        assert stored == set()
        assert await agent.resources.postgres.ledger.verify(talk.thread_id) > 20
        reads = await agent.resources.postgres.reads.of_turns(
            talk.thread_id, [message.id for message in (await talk.state()).values["messages"]]
        )
        assert ADDRESS in str([read.args for read in reads])
        assert ADDRESS in str([s.metadata for s in await checkpoints(talk)])
        failed = await agent.resources.postgres.steps.failed(talk.thread_id, 10)
        assert failed.steps[-1].reason == f"I meant {ADDRESS}, with [card ending 1111]"

        # What a plan comes to is searched by within Postgres.
        with psycopg.connect(postgres_url) as owner:
            amount = "(body -> 'actions' -> '0' -> 'total' ->> 'amount')::int"
            found = owner.execute(
                f"select distinct {amount} from ledger_payload where {amount} > 0"
            )
            assert found.fetchall() == [(9_890,)]

        # A fork, from the end of the turn before.
        [early] = [s for s in (await checkpoints(talk))[1:] if s.values and not s.next]
        agent.model.then("Hello again.")
        await at(talk, early.config).say("hello")
        assert (await texts(talk))[-1].endswith("Hello again.")

    monkeypatch.setenv("DATABASE_URL", postgres_url)
    monkeypatch.setenv("LANGGRAPH_AES_KEY", KEY.decode())
    ledger_view.print_json(await ledger_view.ledger(settings_from(), talk.thread_id))
    assert ADDRESS in capsys.readouterr().out


async def test_what_is_known_and_learnt_of_people_and_their_progress_is_encrypted_too(
    postgres_url: str, shop: Shop
):
    """In rows of every table that context and memory have, and of none of them what was said."""
    async with agent_with(postgres_url, KEY, shop) as agent:
        talk = Conversation(rebuilt(agent, budget=3_000).graph)
        about = {"subject": "quince allergy", "value": "quinces and nuts", "kind": "constraint"}
        wrong = [("forget", {"subject": "my quince illness"})]
        agent.model.then([("remember", about), *wrong], wrong, "Noted.")
        await talk.say("I am allergic to quinces and nuts")
        brief = {"size": "quince", "must_have": ["quince"], "category": "hiking-boots"}
        goal, over = ("start_interview", {"goal": "a quince trip"}), ("hand_over", {})
        agent.model.then([goal], [("note_brief", brief)], [over], "Here?")
        await talk.say("help me with quinces")
        sql = [("query_history", {"sql": "select count(*) as quince from turns"})]
        agent.model.then(sql, sql, "Quinces?")
        await talk.say("how often did I say quince")
        memory = agent.resources.postgres.memory
        assert [fact.value for fact in await memory.of("ada")] == ["quinces and nuts"]
        documents = await agent.resources.postgres.documents.versions(talk.thread_id)
        assert "quinces and nuts" in documents[-1].document
    with psycopg.connect(postgres_url) as owner:
        for table in ("fact", "progress", "lesson", "read_call"):
            assert owner.execute(f"select count(*) > 0 from {table}").fetchone() == (True,), table
    assert holding(postgres_url, "quince", "Quince") == set()


async def test_a_card_number_that_is_typed_is_nowhere_and_its_person_is_told(
    postgres_url: str, shop: Shop
):
    """Without a key the address is found, by the same search: so it can find something."""
    async with agent_with(postgres_url, None, shop) as agent:
        talk = await talked(agent)
        said = await texts(talk)
        waiting = await with_boots(agent)
        agent.model.then([("checkout", {})])
        await waiting.say(TYPED)
        prompts = str(agent.model.prompts)
    assert holding(postgres_url, ADDRESS) >= {
        *("checkpoint_blobs", "checkpoints", "ledger_payload", "read_call")
    }
    assert holding(postgres_url, CARD, CARD.replace(" ", ""), "cvc 123") == set()
    assert "[card ending 1111]" in "\n".join(said)
    assert sum(text.startswith(NOT_KEPT) for text in said) == 1
    assert "1111 1111" not in prompts


async def test_what_a_model_repeats_and_a_page_sends_is_not_kept_either(
    postgres_url: str, agent: Agent
):
    talk = await with_boots(agent)
    await talk.happens("click-1", type="remove", sku="BOOT-001", note=CARD)
    agent.model.then([("search_products", {"query": f"paid by {CARD}"})], f"Noted: {CARD}.")
    await talk.say("go on")
    assert (await texts(talk))[-1] == "Noted: [card ending 1111]."
    assert holding(postgres_url, CARD, CARD.replace(" ", "")) == set()


async def test_threads_from_before_the_key_go_on_and_are_encrypted_from_then_on(
    postgres_url: str, shop: Shop
):
    async with agent_with(postgres_url, None, shop) as agent:
        talk = await with_boots(agent)
        before = (await talk.state()).values
    async with agent_with(postgres_url, KEY, shop) as agent:
        talk = Conversation(agent.graph, thread=talk.thread_id)
        assert (await talk.state()).values == before
        agent.model.then([("checkout", {})], last_result)
        await talk.say(TYPED)
        waiting = (await talk.state()).values
        assert {name: waiting[name] for name in ("salt", "version", "cart")} == {
            name: before[name] for name in ("salt", "version", "cart")
        }
        await talk.approve()
        assert shop.happened() == PURCHASE
        assert holding(postgres_url, ADDRESS) == set()
        # What was plain is plain no longer, from the first checkpoint on.
        assert waiting["salt"].encode() not in b"".join(
            held for table, held in everything_in(postgres_url) if table == "ledger_event"
        )
        assert await agent.resources.postgres.threads.salt(talk.thread_id) == before["salt"]
        assert await agent.resources.postgres.ledger.verify(talk.thread_id)


LIKE_SEALED = {"daybook_sealed": "x", "daybook_sealed'": {"daybook_sealed": 1}}


@pytest.mark.parametrize("key", [None, KEY])
async def test_what_looks_like_an_encrypted_value_and_is_none_can_be_read(
    postgres_url: str, key: bytes | None
):
    """A model's arguments, a result, a fact, or what a client puts beside a checkpoint."""
    ada = Session("default", "like-sealed", "ada", "ada", "customer", "worker")
    place: RunnableConfig = {"configurable": {"thread_id": "like-sealed", "checkpoint_ns": ""}}
    async with opened(postgres_url, key) as postgres:
        async with postgres.ledger.page(ada) as page:
            page.write(Entry(Event.RECEIVED, turn_id="t", payload=LIKE_SEALED))
        (entry,) = await postgres.ledger.entries("like-sealed")
        assert entry.payload == LIKE_SEALED
        assert await postgres.ledger.verify("like-sealed") == 1
        read = Read("1.0", "look", LIKE_SEALED, "h", "miss", LIKE_SEALED, lifetime=60)
        await postgres.reads.keep(ada, "t", [read])
        (kept,) = await postgres.reads.latest("like-sealed", 1)
        assert (kept.args, kept.result) == (LIKE_SEALED, LIKE_SEALED)
        beside = {**LIKE_SEALED, "sealed": LIKE_SEALED}
        metadata = cast(CheckpointMetadata, {"source": "input", "step": -1, **beside})
        await postgres.saver.aput(place, empty_checkpoint(), metadata, {})
        found = await postgres.saver.aget_tuple(place)
        assert found is not None
        assert {name: found.metadata[name] for name in beside} == beside  # type: ignore[literal-required]
    async with opened(postgres_url, KEY) as postgres:
        assert (await postgres.ledger.entries("like-sealed"))[0].payload == LIKE_SEALED


async def test_without_its_key_nothing_is_started_and_a_sentence_says_so(postgres_url: str):
    assert await migrate(postgres_url) == []
    async with opened(postgres_url, None):
        pass
    with psycopg.connect(postgres_url) as owner:
        assert owner.execute("select count(*) from encryption").fetchone() == (0,)
    async with opened(postgres_url, KEY):
        pass
    for key in (None, b"another key here"):
        with pytest.raises(CannotDecrypt, match="set LANGGRAPH_AES_KEY to the key"):
            async with opened(postgres_url, key):
                pytest.fail("it was opened")
    async with opened(postgres_url, KEY):
        pass


NEXT = b"fedcba9876543210"


async def test_keys_change_and_older_ones_read_what_they_wrote(
    postgres_url: str, shop: Shop, capsys: pytest.CaptureFixture[str]
):
    async with agent_with(postgres_url, KEY, shop) as agent:
        talk = await asked_to_buy(agent)
        fact = fact_of("secret hobby", "quinces", "fact", "a test", SYSTEM.now())
        await agent.resources.postgres.memory.put("ada", fact)
    async with (
        shop_database(postgres_url, key=NEXT, older_keys=[KEY]) as postgres,
        shop_agent(postgres, shop) as agent,
    ):
        talk = Conversation(agent.graph, thread=talk.thread_id)
        agent.model.then(last_result)
        await talk.approve()
        assert shop.happened() == PURCHASE
        assert await postgres.memory.forget("ada", "secret hobby")
        await postgres.memory.put("ada", fact)
        assert len(await postgres.memory.of("ada")) == 1
        # What the older key wrote is there still, and it alone opens it.
        with pytest.raises(CannotDecrypt):
            async with opened(postgres_url, NEXT):
                pytest.fail("it was opened")
        assert await rekey(postgres, Cipher(NEXT, [KEY])) > 20
        assert await rekey(postgres, Cipher(NEXT, [KEY])) == 0
    keys = {"LANGGRAPH_AES_KEY": NEXT.decode(), "DAYBOOK_OLDER_AES_KEYS": KEY.decode()}
    await rekey_database(settings_from({"DATABASE_URL": postgres_url, **keys}))
    assert capsys.readouterr().out.startswith("0 values were re-encrypted.")
    with pytest.raises(CannotDecrypt):
        async with opened(postgres_url, KEY):
            pytest.fail("it was opened")
    async with agent_with(postgres_url, NEXT, shop) as agent:
        talk = Conversation(agent.graph, thread=talk.thread_id)
        assert (await talk.state()).values["flow"] == "ordered"
        assert [s.metadata for s in await checkpoints(talk)]
        ledger = agent.resources.postgres.ledger
        assert await ledger.verify(talk.thread_id) == len(await ledger.entries(talk.thread_id))
        assert [one.value for one in await agent.resources.postgres.memory.of("ada")] == ["quinces"]


def test_a_key_of_another_length_is_refused():
    for keys, fault in (
        ({"LANGGRAPH_AES_KEY": "short"}, "LANGGRAPH_AES_KEY must be 16, 24 or 32 bytes"),
        (
            {"LANGGRAPH_AES_KEY": NEXT.decode(), "DAYBOOK_OLDER_AES_KEYS": "short"},
            "DAYBOOK_OLDER_AES_KEYS must be of 16, 24 or 32",
        ),
        ({"DAYBOOK_OLDER_AES_KEYS": KEY.decode()}, "needs LANGGRAPH_AES_KEY"),
    ):
        with pytest.raises(ConfigurationError, match=fault):
            settings_from(keys)


async def test_encrypted_rows_that_were_changed_show_in_the_chain_and_can_be_erased(
    postgres_url: str, shop: Shop
):
    async with agent_with(postgres_url, KEY, shop) as agent:
        talk = await with_boots(agent)
        postgres = agent.resources.postgres
        with psycopg.connect(postgres_url, autocommit=True) as owner:
            owner.execute(
                "update ledger_payload set body = (select body from ledger_payload order by seq limit 1)"
            )
            with pytest.raises(ChainBroken):
                await postgres.ledger.verify(talk.thread_id)
            owner.execute("""update ledger_payload set body = '{"daybook_sealed": "AAAA"}'""")
            with pytest.raises(ChainBroken, match="cannot be decrypted"):
                await postgres.ledger.verify(talk.thread_id)
        async with open_eraser(postgres) as eraser:
            await eraser.erase(talk.thread_id, everything)
        assert await postgres.ledger.verify(talk.thread_id)


# -- what a checkpoint can be made into -----------------------------------------------------------

FOREIGN = [
    ("os", "system", "touch /tmp/daybook-was-here"),
    ("subprocess", "Popen", "true"),
    # A class of ours that is no state.
    ("daybook.checkpoints.embedded.postgres", "EmbeddedPostgres", "x"),
]


def test_a_type_that_is_not_state_comes_back_as_data():
    for cipher, foreign, code in product((Cipher(), Cipher(KEY)), FOREIGN, range(6)):
        module, name, argument = foreign
        rest = {1: [argument], 2: {"args": argument}, 5: {"args": argument}}.get(code, argument)
        method = ["model_validate_json"] if code in (3, 5) else []
        attack = ormsgpack.packb(
            ormsgpack.Ext(code, ormsgpack.packb([module, name, rest, *method])),
            option=ormsgpack.OPT_NON_STR_KEYS,
        )
        restored = cipher.serializer(SHOP.restored_types).loads_typed(("msgpack", attack))
        assert restored is None or isinstance(restored, str | list | dict), (foreign, code)


async def test_state_comes_back_as_it_was_and_what_somebody_wrote_into_it_is_not_run(
    postgres_url: str, agent: Agent, tmp_path
):
    talk = await with_boots(agent)
    values = (await talk.state()).values
    assert type(values["cart"]).__name__ == "Cart"
    assert type(values["checkout"]).__name__ == "Checkout"
    serde = agent.resources.postgres.saver.serde
    now = SYSTEM.now()
    assert serde.loads_typed(serde.dumps_typed({"at": now})) == {"at": now}
    mark = tmp_path / "was-run"
    pickled = b"cposix\nsystem\n(S'touch " + str(mark).encode() + b"'\ntR."
    secret = b'{"lc": 1, "type": "secret", "id": ["PATH"]}'
    for kind, blob in (("pickle", pickled), ("json", secret), ("msgpack+rot13", b"")):
        with psycopg.connect(postgres_url, autocommit=True) as owner:
            owner.execute(
                "update checkpoint_blobs set type = %s, blob = %s where channel = 'messages'",
                (kind, blob),
            )
        with pytest.raises((UnsafeCheckpoint, CannotDecrypt)):
            await talk.state()
    assert not mark.exists()
