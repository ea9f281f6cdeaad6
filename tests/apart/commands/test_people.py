"""Commands about what is kept of people: forget, memory, lessons, tokens, retention."""

import asyncio

from daybook.checkpoints.people.tokens import Tokens, open_token_office
from daybook.checkpoints.postgres import Postgres
from daybook.state.session import Person
from tests.apart.terminal import Terminal
from tests.conftest import Agent
from tests.integration.keyboard import Keyboard
from tests.integration.test_retention import CHECKPOINTS, idle_for, kept
from tests.integration.test_tokens import CLEO, YEAR, made
from tests.purchases import asked_to_buy, with_boots


async def test_forget_asks_erases_and_says_what_it_cannot_reach(agent: Agent, terminal: Terminal):
    talk = await with_boots(agent)
    ledger = agent.resources.postgres.ledger
    with Keyboard(terminal.environment, "forget", "ada") as keyboard:
        asked = keyboard.sees("Erase it permanently? (y/n) ")
        keyboard.type("n")
        out, code = keyboard.leaves()
    assert talk.thread_id in asked
    assert "of payloads" in asked
    assert "Nothing was erased." in out
    assert code == 1
    assert any(entry.payload for entry in await ledger.entries(talk.thread_id))
    out, err, code = terminal.run("forget", "ada", "--yes")
    assert (err, code) == ("", 0)
    for said in ("Erased: ", "backups", "own records", ".langgraph_api"):
        assert said in out
    assert not any(entry.payload for entry in await ledger.entries(talk.thread_id))
    again, err, code = terminal.run("forget", "ada")
    assert (err, code) == ("", 0)
    assert "Erased: " not in again


async def test_at_a_terminal_the_end_of_the_input_is_no_yes(agent: Agent, terminal: Terminal):
    talk = await with_boots(agent)
    with Keyboard(terminal.environment, "forget", "ada") as keyboard:
        keyboard.sees("Erase it permanently?")
        _, code = keyboard.leaves()
    assert code == 1
    entries = await agent.resources.postgres.ledger.entries(talk.thread_id)
    assert any(entry.payload for entry in entries)


async def test_forget_keeps_what_is_open_and_says_what_to_do(agent: Agent, terminal: Terminal):
    done, waiting = await with_boots(agent), await asked_to_buy(agent)
    out, err, code = terminal.run("forget", "ada", "--yes")
    assert code == 1
    assert "Erased: " in out
    assert f"{waiting.thread_id} (its plan waits for an answer or is in progress)" in err
    assert "daybook chat --user ada --thread" in err
    assert done.thread_id not in err


def test_the_command_lists_sets_and_forgets(terminal: Terminal):
    out, err, code = terminal.run("memory")
    assert (out.strip(), err, code) == ("Nothing is remembered about ada.", "", 0)
    terminal.run("memory", "set", "My shoe-size", "43", "--kind", "constraint")
    terminal.run("memory", "--user", "ben", "set", "shoe size", "forty-five")
    terminal.run("memory", "set", "--user", "ben", "diet", "no nuts")
    out, err, code = terminal.run("memory")
    assert (err, code) == ("", 0)
    assert "shoe size" in out
    assert "constraint" in out
    assert "daybook memory" in out
    assert "forty-five" not in out
    out, _, _ = terminal.run("memory", "--user", "ben")
    assert "forty-five" in out
    assert "no nuts" in out
    out, err, code = terminal.run("memory", "forget", "hat size")
    assert code == 1
    assert "Known: shoe size" in err
    out, err, code = terminal.run("memory", "forget", "shoe size", "--yes")
    assert (err, code) == ("", 0)
    assert "Forgotten about ada: shoe size" in out
    out, err, code = terminal.run("memory", "forget", "--all")
    assert code == 1
    assert "Nothing is remembered about ada" in err


# -- the command ----------------------------------------------------------------------------------


async def test_the_command_prints_a_token_alone_and_says_the_rest_beside_it(
    terminal: Terminal, postgres: Postgres
):
    out, err, code = await asyncio.to_thread(
        terminal.run, "token", "cleo", "--role", "clerk", "--days", "3", "--note", "till 2"
    )
    assert code == 0
    (text,) = out.splitlines()
    assert await Tokens(postgres.pool).person_with(text) == CLEO
    assert "shown only once" in err
    assert "This is the first token" in err
    (about,) = await Tokens(postgres.pool).all()
    assert (about.expires_at - about.made_at).days == 3

    listed, _, _ = await asyncio.to_thread(terminal.run, "token", "--list")
    assert f"{about.token_id}  cleo  clerk  until " in listed
    assert "till 2" in listed
    assert text.split("_", 2)[2] not in listed + err

    # By the whole token too: it is what people have at hand.
    revoked, _, _ = await asyncio.to_thread(terminal.run, "token", "--revoke", text)
    assert revoked == f"revoked {about.token_id}, a token of cleo\n"
    assert await Tokens(postgres.pool).person_with(text) is None


def test_who_stands_in_for_whom_is_listed_ended_and_forgotten(terminal: Terminal):
    out, err, code = terminal.run("delegate", "Cleo", "dora", "--until", "2999-01-02")
    assert (err, code) == ("", 0)
    number = out.split()[-1]
    assert "dora may answer for cleo as clerk until 2999-01-02 00:00 UTC" in out
    assert "dora for cleo as clerk  until 2999-01-02" in terminal.run("delegate")[0]
    assert (
        terminal.run("delegate", "--end", number)[0]
        == "Ended: dora can no longer answer as a delegate.\n"
    )
    assert "dora for cleo as clerk  ended " in terminal.run("delegate")[0]
    for words, said in (
        (("cleo", "dora", "--until", "2001-01-01"), "is in the past"),
        (("cleo", "cleo", "--until", "2999-01-01"), "and two users"),
        (("cleo", "dora", "--until", "2999-01-01", "--role", "customer"), "clerk or operator"),
    ):
        out, err, code = terminal.run("delegate", *words)
        assert (out, code) == ("", 1)
        assert said in err
    assert terminal.run("delegate", "cleo")[2] == 2
    assert terminal.run("forget", "dora", "--yes")[2] == 0
    assert terminal.run("delegate")[0] == "There are no delegations.\n"


async def test_what_cannot_be_done_is_said_and_makes_no_token(terminal, postgres):
    for words, said in (
        (("a/b",), "The id of a user"),
        (("cleo", "--role", "king"), "Unknown role"),
        (("cleo", "--note", "x" * 300), "at most 200 characters"),
        (("--revoke", "0" * 12), "Token not found"),
    ):
        out, err, code = await asyncio.to_thread(terminal.run, "token", *words)
        assert (out, code) == ("", 1)
        assert said in err
    out, err, code = await asyncio.to_thread(terminal.run, "token", "cleo", "--list")
    assert (out, code) == ("", 2)
    assert "Give one of" in err
    assert not await Tokens(postgres.pool).were_made()


async def test_who_is_forgotten_has_no_token_any_more(terminal, agent, postgres):
    await with_boots(agent)
    async with open_token_office(postgres) as office:
        ada = (await office.make(Person("ada"), YEAR, "her phone")).text
    ben = await made(postgres, Person("ben"))
    out, err, code = await asyncio.to_thread(terminal.run, "forget", "ada", "--yes")
    assert (err, code) == ("", 0)
    assert "Revoked: all 1 tokens of ada" in out
    tokens = Tokens(postgres.pool)
    assert await tokens.person_with(ada) is None
    assert await tokens.person_with(ben) == Person("ben")
    assert [token.note for token in await tokens.all()] == ["", ""]
    # Somebody who never shopped has tokens all the same.
    await asyncio.to_thread(terminal.run, "forget", "ben", "--yes")
    assert await tokens.person_with(ben) is None


async def test_retention_prints_what_is_due_and_erases_it_when_told_to(
    agent: Agent, terminal: Terminal, postgres_url: str
):
    talk = await with_boots(agent)
    await idle_for(postgres_url, talk.thread_id, 31)
    out, err, code = terminal.run("retention")
    assert (err, code) == ("", 0)
    assert "DAYBOOK_KEEP_PAYLOADS" in out
    assert "Due: 1 threads, rows: " in out
    assert CHECKPOINTS & await kept(postgres_url, talk.thread_id)
    out, err, code = terminal.run("retention", "--apply", "--yes")
    assert (err, code) == ("", 0)
    assert "Erased in 1 threads, rows: " in out
    assert await kept(postgres_url, talk.thread_id) == {"ledger_payload"}
