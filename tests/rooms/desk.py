"""The rooms agent as a command takes it: with a model of its own that follows two phrases."""

from __future__ import annotations

import os
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult

from daybook.graph.check import Check, Verdict, within_limit
from daybook.graph.database import open_database_of
from daybook.graph.model.chosen import chosen_model
from daybook.graph.serve import served
from daybook.graph.settings.environment import Settings, Variable, settings_from
from daybook.graph.settings.limits import limits_of
from daybook.nodes.running.work import Resources
from daybook.state.panel import Button, Column, Line, Panel
from daybook.tools.domain import State
from daybook.tools.services.http import HttpService
from tests.rooms.domain import ROOMS, Meeting


class DeskModel(BaseChatModel):
    """Note "8 people on 2031-05-06", book "book the Barn", and repeat what a tool said."""

    @property
    def _llm_type(self) -> str:
        return "desk"

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Any:
        return self

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        latest = max(place for place, one in enumerate(messages) if one.type == "human")
        results = [one.text for one in messages[latest:] if one.type == "tool"]
        message = AIMessage(results[-1]) if results else _decided(messages[latest].text)
        return ChatResult(generations=[ChatGeneration(message=message)])


def _decided(text: str) -> AIMessage:
    if noted := re.search(r"(\d+) people on ([\d-]+)", text):
        args: dict[str, Any] = {"people": int(noted[1]), "day": noted[2]}
        return AIMessage("", tool_calls=[{"name": "note_meeting", "args": args, "id": "c-1"}])
    if wanted := re.search(r"book the (\w+)", text):
        args = {"room": wanted[1], "title": "Review"}
        return AIMessage("", tool_calls=[{"name": "book_room", "args": args, "id": "c-2"}])
    return AIMessage("Say how many people come on which day, or which room to book.")


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
    embedded_model=DeskModel,
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
