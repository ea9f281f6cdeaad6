"""What others wrote comes to a terminal as text: from products, reviews, models and people."""

from daybook.state.plain import plain
from tests.apart.test_cli import Terminal, terminal
from tests.conftest import Agent, Shop
from tests.conversation import Conversation
from tests.integration.remembering import a_fact

__all__ = ["terminal"]

HOSTILE = (
    "Sock [/bold]\x1b[2J\x1b]52;c;ZXZpbA==\x07\x9b31m\u202e\u2066 [link=http://evil]x[/link]"
    "\x1b]8;;http://evil\x1b\\y"
)
COMMANDS = (
    *("threads", "threads --json", "memory", "lessons", "policy", "unsettled", "failed"),
    *("ledger THREAD", "ledger THREAD --json", "progress THREAD", "grade THREAD"),
    *("grade THREAD --json", "ledger HOSTILE", "chat --thread THREAD --user ada", "doctor"),
    *("retention", "reconcile --thread THREAD", "token --list"),
)


async def test_no_command_shows_more_than_text(terminal: Terminal, agent: Agent, shop: Shop):
    await agent.resources.postgres.memory.put("ada", a_fact("note", "[/bold]"))
    talk = Conversation(agent.graph)
    agent.model.then(
        [("search_products", {"query": HOSTILE}), ("add_to_cart", {"sku": HOSTILE})],
        [("get_reviews", {"sku": "BOOT-001"}), (HOSTILE, {})],
        f"Here: {HOSTILE}",
    )
    await talk.say(f"I want {HOSTILE}")
    agent.model.then([("add_to_cart", {"sku": "BOOT-001"})], [("checkout", {})])
    assert (await talk.say(f"buy {HOSTILE}")).interrupts
    seen, named = "", {"THREAD": talk.thread_id, "HOSTILE": HOSTILE}
    for command in COMMANDS:
        words = [named.get(word, word) for word in command.split()]
        out, err, _ = terminal.run(*words, lines=["later", "/quit"])
        for shown in (out, err):
            assert plain(shown) == shown, words
        assert "MarkupError" not in err
        assert "Traceback" not in err
        seen += out
    assert seen.count("[/bold]") > 5
