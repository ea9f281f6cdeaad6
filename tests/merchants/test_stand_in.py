"""The stand-in where it buys from merchants: its table row by row, and no guess with goods."""

from dataclasses import replace
from typing import Any

import pytest
from langchain_core.language_models import BaseChatModel

from daybook.demo.model.commands import Command
from daybook.demo.model.merchants import TABLE
from daybook.graph.build import build
from daybook.tools.merchants.domain import MERCHANTS
from tests.conversation import Conversation, answer_of
from tests.merchants.conftest import Buyer
from tests.merchants.stranger import Stranger
from tests.opened import standing_in  # noqa: F401
from tests.stand_in import played

HONEST = "OPENAI_API_KEY"
"""Stands in the sentence for what is not understood."""


@pytest.fixture
def graph(buyer: Buyer, standing_in: BaseChatModel):  # noqa: F811
    """Build the agent with the stand-in as its model, asked over HTTP."""
    resources = replace(buyer.resources, model=standing_in)
    return build(MERCHANTS, lambda: resources, buyer.postgres.saver)


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name)
async def test_a_row_of_the_table_calls_what_it_says(
    row: Command, graph: Any, buyer: Buyer, merchant: Stranger
):
    talk = Conversation(graph)
    assert await played(talk, buyer.postgres, row) == row.calls
    if row.name not in ("hello", "yes"):
        assert HONEST not in answer_of(await talk.state())
