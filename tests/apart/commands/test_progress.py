"""Commands that tell what a thread has come to, and begin anew from it."""

from datetime import timedelta

from daybook.checkpoints.people.threads import standing
from daybook.nodes.past.fresh import FRESH_FROM
from daybook.state.people.lifecycle import lifecycle
from daybook.state.prompt.progress import parse
from tests.apart.test_cli import Terminal, terminal
from tests.conftest import Agent, Shop
from tests.conversation import Conversation
from tests.integration.test_progress_documents import told
from tests.purchases import asked_to_buy

__all__ = ["terminal"]


async def test_the_document_tells_what_the_thread_has_come_to(agent, shop, terminal):
    talk = await told(agent)
    out, err, code = terminal.run("progress", talk.thread_id)
    assert (err, code) == ("", 0)
    document = parse(out)
    assert [(fact.subject, fact.value) for fact in document.facts] == [("shoe size", "43 wide")]
    assert any("order DB-" in line for line in document.decided)
    sections = {section.title: "\n".join(section.lines) for section in document.now}
    assert "SOCK-001 x1" in sections["Cart"]
    assert "DB-" in sections["Orders"]
    assert document.questions == ("Anything else?",)


async def test_the_terminal_starts_from_another_thread_and_lists_what_is_kept(
    agent: Agent, shop: Shop, terminal: Terminal
):
    old = await told(agent)
    out, err, code = terminal.run("chat", "--fresh-from", old.thread_id, lines=["show my cart"])
    assert (err, code) == ("", 0)
    assert f"Started from {old.thread_id}" in out
    assert "SOCK-001" in out
    new = next(line for line in out.splitlines() if line.startswith("thread ")).split()[1]
    listed, _, _ = terminal.run("progress", new, "--list")
    assert f"started from {old.thread_id}" in listed
    stored, _, _ = terminal.run("progress", new, "--version", "1")
    there = parse(terminal.run("progress", old.thread_id)[0])
    assert parse(stored).facts == there.facts
    # A handle is a thread's own: here it opens nothing, or later something else.
    assert (len(there.reads), parse(stored).reads) == (1, ())
    _, err, code = terminal.run("progress", new, "--version", "7")
    assert code == 1
    assert "has no version 7" in err
    _, err, code = terminal.run("progress", "no-such")
    assert code == 1
    assert "There is no thread no-such" in err


async def test_what_was_forgotten_since_is_told_no_more(agent, shop, terminal):
    old, new = await told(agent), Conversation(agent.graph)
    await agent.resources.postgres.memory.forget("ada", "shoe size")
    assert parse(terminal.run("progress", old.thread_id)[0]).facts == ()
    await new.happens("begin", type=FRESH_FROM, thread=old.thread_id)
    (stored,) = await agent.resources.postgres.documents.versions(new.thread_id)
    assert parse(stored.document).facts == ()


async def test_a_conversation_says_where_it_stands(agent: Agent, shop: Shop, terminal: Terminal):
    talk = await asked_to_buy(agent)
    out, err, code = terminal.run("threads", "--user", "ada", "--json")
    assert (err, code) == ("", 0)
    assert '"waits_for": "the customer to decide"' in out
    (question,) = parse(terminal.run("progress", talk.thread_id)[0]).questions
    assert question == "waits for approval: Check out for 98.90 USD"
    postgres = agent.resources.postgres
    (found,) = await standing(postgres.pool, "shop", thread_id=talk.thread_id)
    assert found.status == "waiting"
    assert found.until is not None
    await talk.answer({"type": "reject", "message": "not now"})
    (found,) = await standing(postgres.pool, "shop", thread_id=talk.thread_id)
    assert (found.status, found.asks, found.holds_until) == ("idle", "", None)
    shown = lifecycle(found, {"reads": timedelta(days=7)}, found.last_activity)
    assert shown.waits_for == "ada to speak"
    assert shown.cache_until is not None
