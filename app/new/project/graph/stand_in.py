"""A stand-in for a model, used if no provider is set. It understands two phrases."""

from __future__ import annotations

import re

from daybook.testing import ReplayedModel
from langchain_core.messages import BaseMessage

HIRE = re.compile(r"hire (?:the )?(?P<bike>\w+)(?: bike)? on (?P<day>\d{4}-\d\d-\d\d)", re.I)
FIND = re.compile(r"bikes.* on (?P<day>\d{4}-\d\d-\d\d)", re.I)

HELP = 'I am a stand-in for a model. Say "bikes on 2031-05-06" or "hire red on 2031-05-06".'


def decided(prompt: list[BaseMessage]) -> str | list[tuple[str, dict[str, str]]]:
    """Return the call that a message asks for, or say which phrases are understood."""
    said = [message.text for message in prompt if message.type == "human"][-1]
    if hire := HIRE.search(said):
        return [("hire_bike", {"bike": hire["bike"].lower(), "day": hire["day"]})]
    if find := FIND.search(said):
        return [("find_bikes", {"day": find["day"]})]
    return HELP


def stand_in() -> ReplayedModel:
    """Make the model; it decides once on every message."""
    return ReplayedModel(turns={"": [decided]})
