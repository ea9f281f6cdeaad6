"""`daybook memory` as a command."""

from daybook.checkpoints.postgres import Postgres
from tests.apart.test_cli import Terminal, terminal
from tests.integration.remembering import a_fact

__all__ = ["terminal"]


def test_the_command_lists_sets_and_forgets(terminal: Terminal):
    out, err, code = terminal.run("memory")
    assert (out.strip(), err, code) == ("Nothing is remembered of ada.", "", 0)
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
    assert "known: shoe size" in err
    out, err, code = terminal.run("memory", "forget", "shoe size")
    assert (err, code) == ("", 0)
    assert "Forgotten of ada: shoe size" in out
    out, err, code = terminal.run("memory", "forget", "--all")
    assert code == 1
    assert "Nothing is remembered of ada" in err


def test_wrong_input_is_refused_in_a_sentence(terminal: Terminal):
    for words, said in (
        (("set", "card", "4111 1111 1111 1111"), "Nothing was"),
        (("set", "size", "43", "--kind", "order"), "There is no kind"),
        (("set", "my", "43"), "A subject is a few words"),
        (("forget",), "SUBJECT or --all"),
        (("forget", "size", "--all"), "SUBJECT or --all"),
    ):
        out, err, code = terminal.run("memory", *words)
        assert code != 0
        assert said in err
        assert "Traceback" not in err
        assert out == ""


async def test_forgetting_a_person_forgets_what_is_known_of_them(
    postgres: Postgres, terminal: Terminal
):
    await postgres.memory.put("ada", a_fact())
    await postgres.memory.put("ben", a_fact())
    out, err, code = terminal.run("forget", "ada", "--yes")
    assert (err, code) == ("", 0)
    assert "all 1 facts" in out
    assert await postgres.memory.of("ada") == ()
    assert await postgres.memory.of("ben") == (a_fact(),)
