"""What a langgraph.json names of an adopter's domain: a graph and the checkpointer around it."""

from collections.abc import Iterator

import pytest

from daybook.graph.serve import served
from daybook.state.errors import ConfigurationError
from tests.beside import serving
from tests.conversation import Conversation, answer_of
from tests.provider import providing
from tests.rooms import app
from tests.rooms.agent import BARN, MEETING
from tests.rooms.domain import ROOMS
from tests.rooms.office import Office


@pytest.fixture
def office() -> Iterator[Office]:
    with serving(Office()) as office:
        yield office


async def test_the_served_graph_books_a_room_with_a_model_over_the_wire(
    postgres_url: str, office: Office, monkeypatch: pytest.MonkeyPatch
):
    async with providing() as provider:
        for name, value in {
            "DATABASE_URL": postgres_url,
            "OFFICE_URL": office.url,
            "OPENAI_API_KEY": "sk-test",
            "OPENAI_BASE_URL": provider.url,
        }.items():
            monkeypatch.setenv(name, value)
        provider.then([("note_meeting", MEETING)], [("book_room", BARN)], "It is booked.")
        async with app.checkpointer() as saver:
            # As the server does on every access.
            talk = Conversation(app.graph.copy(update={"checkpointer": saver}), "mia")
            await talk.say("eight of us on the sixth of May, in the Barn")
            done = await talk.approve()
        assert answer_of(done).endswith("It is booked.")
        assert office.happened() == ["hold", "booking"]
        assert provider.requests[-1].results[-1].startswith("book_room confirmed: Barn is booked")


async def test_a_domain_without_a_model_of_its_own_says_to_name_a_provider(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("DATABASE_URL", postgres_url)
    monkeypatch.setenv("OFFICE_URL", "http://127.0.0.1:9")
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(ConfigurationError, match=r"no model.*OPENAI_API_KEY"):
        async with app.checkpointer():
            raise AssertionError("it must not open")


async def test_a_graph_whose_checkpointer_is_not_open_says_what_langgraph_json_lacks():
    graph, _ = served(ROOMS, app.open_resources)
    with pytest.raises(ConfigurationError, match=r"langgraph\.json must name it"):
        await Conversation(graph).say("hello")
