"""A person's word on what a service answered wrongly: what it binds, and what is undone by it."""

from collections.abc import Iterator

import pytest

from tests.conversation import answer_of
from tests.integration.test_strangers_evidence import BOUGHT, in_doubt, opened
from tests.strangers.services import wrong
from tests.strangers.services.wire import as_json, served
from tests.strangers.services.wrong import Wrong

NOTHING = as_json(200, {"matches": []})


@pytest.fixture
def service() -> Wrong:
    return Wrong()


@pytest.fixture
def url(service: Wrong) -> Iterator[str]:
    with served({"wrong": service}) as url:
        yield f"{url}/wrong"


def says(message: str) -> dict[str, str]:
    return {"type": "respond", "message": message}


async def test_a_person_may_name_what_was_answered_and_no_look_up_showed(
    postgres_url: str, url: str, service: Wrong
):
    service.lie("look", "charge", "mia", NOTHING)
    async with opened(postgres_url, url, budget=1.0) as agent:
        talk = await in_doubt(agent, service, "charge")
        done = await talk.answer(says(f"it happened {service.effects[0]['id']}"))
        assert not done.interrupts, done.interrupts[0].value["note"]
        assert service.happened("mia") == BOUGHT
        assert answer_of(done).startswith("buy confirmed: done")


@pytest.mark.parametrize("word", ["undo", "it happened"])
async def test_a_word_that_names_nothing_undoes_nothing_of_somebody_else(
    postgres_url: str, url: str, service: Wrong, word: str
):
    theirs = service.charged(service.STRANGER, 13190)
    service.lie("reply", "charge", "mia", wrong.instead(theirs))
    service.lie("look", "charge", "mia", wrong.instead(theirs))
    service.spoil("order", "decline", "mia", times=100)
    async with opened(postgres_url, url, budget=1.0) as agent:
        talk = await in_doubt(agent, service, "charge")
        asked = await talk.answer(says(word))
        assert "refund" not in service.happened(), "the charge of somebody else was given back"
        assert asked.interrupts, "what was charged is forgotten"
