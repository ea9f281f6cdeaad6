"""`daybook token` makes tokens, lists them and takes them back."""

import asyncio

import pytest

from daybook.app.cli.operations import list_tokens, make_token, revoke_token
from daybook.app.cli.people import forget_user
from daybook.app.conversations.terminal import Terminal as AppTerminal
from daybook.checkpoints.people.tokens import Tokens, open_token_office
from daybook.checkpoints.postgres import Postgres
from daybook.graph.settings.environment import settings_from
from daybook.state.errors import DaybookError
from daybook.state.session import Person
from tests.apart.test_cli import Terminal, terminal
from tests.integration.test_tokens import CLEO, YEAR, made
from tests.purchases import with_boots

__all__ = ["terminal"]


# -- the command ----------------------------------------------------------------------------------


async def test_the_command_prints_a_token_alone_and_says_the_rest_beside_it(
    terminal: Terminal, postgres: Postgres, capsys: pytest.CaptureFixture[str]
):
    out, err, code = await asyncio.to_thread(
        terminal.run, "token", "cleo", "--role", "clerk", "--days", "3", "--note", "till 2"
    )
    assert code == 0
    (text,) = out.splitlines()
    assert await Tokens(postgres.pool).person_with(text) == CLEO
    assert "shown this once" in err
    assert "It is the first" in err
    (about,) = await Tokens(postgres.pool).all()
    assert (about.expires_at - about.made_at).days == 3

    settings = settings_from(terminal.environment)
    await list_tokens(settings)
    listed = capsys.readouterr().out
    assert f"{about.token_id}  cleo  clerk  until " in listed
    assert "till 2" in listed
    assert text.split("_", 2)[2] not in listed + err

    # By the whole token too: it is what people have at hand.
    await revoke_token(settings, text)
    assert capsys.readouterr().out == f"revoked {about.token_id}, a token of cleo\n"
    assert await Tokens(postgres.pool).person_with(text) is None


async def test_what_cannot_be_done_is_said_and_makes_no_token(terminal, postgres):
    settings = settings_from(terminal.environment)
    for person, note, said in (
        (Person("a/b"), "", "The id of a user"),
        (Person("cleo", "king"), "", "There is no such role"),
        (Person("cleo"), "x" * 300, "at most 200 characters"),
        (Person("cleo"), "two\nlines", "one line"),
    ):
        with pytest.raises(DaybookError, match=said):
            await make_token(settings, person, days=1, note=note)
    with pytest.raises(DaybookError, match="no such token"):
        await revoke_token(settings, "0" * 12)
    out, err, code = await asyncio.to_thread(terminal.run, "token", "cleo", "--list")
    assert (out, code) == ("", 2)
    assert "one of the three" in err
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
    await forget_user(settings_from(terminal.environment), AppTerminal(), "ben", is_sure=True)
    assert await tokens.person_with(ben) is None
