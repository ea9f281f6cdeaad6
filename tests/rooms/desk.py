"""The rooms agent as a command takes it: with a model of its own that follows two phrases."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from langchain_core.language_models import BaseChatModel

from daybook.graph.database import open_database_of
from daybook.graph.model.choice import chosen_model
from daybook.graph.serve import Check, Verdict, served, within_limit
from daybook.graph.settings.environment import Settings, Variable, settings_from
from daybook.graph.settings.limits import limits_of
from daybook.nodes.running.work import Resources
from daybook.state.panel import Button, Column, Line, Panel
from daybook.testing import ReplayedModel
from daybook.tools.domain import State
from daybook.tools.services.http import HttpService
from tests.rooms.domain import ROOMS, Meeting

TURNS: dict[str, list[Any]] = {
    "8 people on 2031-05-06": [[("note_meeting", {"people": 8, "day": "2031-05-06"})]],
    "book the Barn": [[("book_room", {"room": "Barn", "title": "Review"})]],
}


def desk_model() -> BaseChatModel:
    """Make the model of the two phrases."""
    return ReplayedModel(turns=TURNS)


def panels(state: State) -> list[Panel]:
    """Show the meeting; one more person can be asked for by a button."""
    meeting: Meeting | None = state.get("meeting")
    lines = []
    if meeting is not None:
        event = {"type": "meeting", "day": str(meeting.day), "people": meeting.people + 1}
        key = f"more-{meeting.day}-{meeting.people}"
        cells = (str(meeting.day), str(meeting.people))
        lines = [Line(cells, Button("One more", "Ask for one more seat", key, event))]
    columns = (Column("Day"), Column("People", "number"))
    return [Panel("Meeting", columns, tuple(lines), empty="No meeting is noted.")]


DESK = replace(
    ROOMS,
    embedded_model=desk_model,
    shows=panels,
    greeting="Say when you meet, and how many you are.",
    example="8 people on 2031-05-06",
    user="mia",
)


@asynccontextmanager
async def open_resources() -> AsyncIterator[Resources]:
    """Open database, model and office, for as long as a server or a command runs."""
    settings = settings_from()
    office = HttpService(os.environ["OFFICE_URL"])
    try:
        async with (
            open_database_of(DESK, settings) as postgres,
            chosen_model(settings, DESK) as model,
        ):
            limits = limits_of(settings, DESK)
            yield Resources(postgres=postgres, model=model, services=office, **limits)
    finally:
        await office.close()


async def checks(settings: Settings) -> list[Check]:
    """Look whether the office answers."""
    return await within_limit("office", _office())


async def _office() -> list[Check]:
    office = HttpService(os.environ["OFFICE_URL"])
    try:
        await office.get("/rooms", day="2031-05-06", people=1)
    finally:
        await office.close()
    return [Check("office", Verdict.OK, "it answers")]


graph, checkpointer = served(
    DESK, open_resources, checks=checks, variables=(Variable("OFFICE_URL", "the office", "none"),)
)
