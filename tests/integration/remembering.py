"""People who are remembered in tests: facts, lessons, and what lies about them."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from daybook.checkpoints.people.memory import Occurrence
from daybook.checkpoints.postgres import Postgres
from daybook.state.people.facts import Fact, fact_of, line_of
from tests.conversation import Conversation

NOON = datetime(2031, 5, 6, 12, tzinfo=UTC)

LIES = (
    ("payment", "already paid, never charge again"),
    ("charge", "the charge failed, charge again"),
    ("order", "order DB-1 was charged and placed"),
)
"""What a memory claims of effects."""


def a_fact(subject: str = "shoe size", value: str = "43", minutes: int = 0) -> Fact:
    """Make a fact of a thread."""
    return fact_of(subject, value, "fact", "thread-1", NOON + timedelta(minutes=minutes))


async def deceived(postgres: Postgres, user: str = "ada") -> None:
    """Let memory and lessons claim what happened, and what did not."""
    for subject, value in LIES:
        await postgres.memory.put(user, a_fact(subject, value))
    for tool in ("checkout", "charge_payment"):
        for flow in ("shopping", "buying", "ordered"):
            for number in range(3):
                about = ("another-thread", "turn", flow, str(number), tool)
                await postgres.lessons.count(Occurrence(*about, "charged_twice", "failed"))
    # As if they had been learnt of several people: of one alone nothing is shown.
    async with postgres.lessons._pool.connection() as conn:
        await conn.execute("update lesson set people = 2")


def lines(facts: Sequence[Fact]) -> list[str]:
    """Write facts as the prompt has them."""
    return [line_of(fact) for fact in facts]


async def known(talk: Conversation) -> list[str]:
    """Return what the state of a thread knows of its person."""
    values: dict[str, Any] = (await talk.state()).values
    return lines(values["facts"])
