"""No link of a page leads nowhere: neither to a file, nor to a heading of it."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGES = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").glob("*.md")),
    ROOT / "evals/README.md",
]
LINK = re.compile(r"\]\((?![a-z]+:)([^)\s#]*)(?:#([^)\s]+))?\)")
CODE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
TESTS = re.compile(r"`(tests/[\w/]+(?:\.py)?)(?:::(\w+))?`")


def slug(heading: str) -> str:
    """Name a heading as GitHub and the site do."""
    words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", words))


def headings(page: Path) -> set[str]:
    text = CODE.sub("", page.read_text())
    return {slug(heading) for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_leads_somewhere(page: Path):
    for path, anchor in LINK.findall(CODE.sub("", page.read_text())):
        meant = page.parent / path if path else page
        assert meant.exists(), path
        if anchor and meant.suffix == ".md":
            assert anchor in headings(meant), f"{path}#{anchor}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_test_that_a_page_names_is_there(page: Path):
    for path, name in TESTS.findall(page.read_text()):
        assert (ROOT / path).exists(), path
        if name:
            assert f"def {name}" in (ROOT / path).read_text(), name


def test_every_page_stands_in_the_sites_contents():
    listed = set(re.findall(r": ([\w-]+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE))
    assert {page.name for page in (ROOT / "docs").glob("*.md")} <= listed


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_no_page_needs_another_host_to_be_shown(page: Path):
    assert not re.search(r"!\[[^\]]*\]\(\w+:|<(?:img|script|link)\b", page.read_text())


def test_the_pages_and_sections_that_code_names_are_there():
    folders = ("app", "checkpoints", "graph", "nodes", "state", "tools")
    code = "".join(one.read_text() for name in folders for one in (ROOT / name).rglob("*.py"))
    assert all((ROOT / page).exists() for page in re.findall(r"docs/[\w-]+\.md", code))
    cited = set(re.findall(r"docs/protocol\.md(?:, | \(|,\n)([A-Z]\w+)", code))
    assert {slug(one) for one in cited} <= headings(ROOT / "docs/protocol.md")
    assert {"Append", "Name", "Send"} <= cited
