"""What the pages for newcomers link to is there."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("page", ["for-langgraph-people.md", "new_project.md"])
def test_what_a_page_links_to_is_there(page: str):
    links = re.findall(r"\]\(([^)#]+)", (DOCS / page).read_text())
    assert links
    assert [link for link in links if not (DOCS / link).exists()] == []
