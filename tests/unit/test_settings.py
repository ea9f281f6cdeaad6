"""The settings: what is wrong with them is said at once, and none of it is shown that is secret."""

from pathlib import Path

import pytest

from daybook.graph.database import open_database_of
from daybook.graph.settings.environment import SHOP_VARIABLES, VARIABLES, settings_from
from daybook.graph.settings.urls import printable_url
from daybook.state.errors import ConfigurationError
from daybook.tools.shop.domain import SHOP

PAGE = Path(__file__).parents[2] / "docs/variables.md"


def test_the_pages_table_is_the_table_of_variables():
    lines = PAGE.read_text().splitlines()
    start = lines.index("| variable | meaning | default |") + 2
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[start:]]
    table = rows[: rows.index([""])]
    assert table == [[f"`{v.name}`", v.meaning, v.default] for v in (*VARIABLES, *SHOP_VARIABLES)]


def test_a_malformed_url_is_refused_without_being_repeated():
    for name, value in (
        ("DATABASE_URL", "foo"),
        ("DATABASE_URL", "http://host/daybook"),
        ("DATABASE_URL", "postgresql://host:abc/daybook"),
        ("DATABASE_URL", "postgresql://host:0/daybook"),
        ("DATABASE_URL", "postgresql://ada:se%zzcret@host/daybook"),
        ("DATABASE_URL", "postgresql://ada:top@secret@host/daybook"),
        ("OPENAI_BASE_URL", "foo"),
        ("OPENAI_BASE_URL", "https://ada:secret@host/v1"),
    ):
        with pytest.raises(ConfigurationError, match=f"{name} .* Nothing was started") as refused:
            settings_from({name: value})
        assert value not in str(refused.value)
        assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    ("shop_url", "smtp_url", "fault"),
    [
        ("foo", "smtp://host:25", "SHOP_URL is not a URL of the form http://host:port"),
        ("http://host:99999", "smtp://host:25", "SHOP_URL is not a URL"),
        ("http://[::1", "smtp://host:25", "SHOP_URL is not a URL"),
        ("http://ada:secret@host", "smtp://host:25", "SHOP_URL must have the form"),
        ("http://host", "smtp://host", "SMTP_URL needs a port"),
        ("http://host", "smtp://ada:secret@host:25", "SMTP_URL must have the form"),
        ("http://host", "", "SHOP_URL and SMTP_URL belong"),
    ],
)
def test_a_shop_that_cannot_be_meant_is_refused(shop_url: str, smtp_url: str, fault: str):
    with pytest.raises(ConfigurationError) as refused:
        settings_from({"SHOP_URL": shop_url, "SMTP_URL": smtp_url})
    assert fault in str(refused.value)
    assert "secret" not in str(refused.value)


def test_a_password_in_the_wrong_place_of_a_url_is_not_shown():
    for url in (
        "postgresql://ada:1234/secret@host:5432/daybook",
        "host=host dbname=daybook user=ada,password=secret",
        "host=host dbname=daybook user=ada;password=secret",
        "postgresql://host/daybook?user=ada:secret",
    ):
        assert "cret" not in printable_url("DATABASE_URL", url)


def test_urls_that_libpq_takes_are_taken_and_shown_without_their_password():
    for url in (
        "postgresql://ada:secret@host:5432/daybook",
        "postgresql://ada:s%40cret@host/daybook?sslmode=require",
        "host=host dbname=daybook user=ada password=secret",
        "postgresql:///daybook?host=/run/postgresql&port=5433",
        "postgresql://one:5432,two:5433/daybook",
    ):
        assert settings_from({"DATABASE_URL": url}).database_url == url
        what = printable_url("DATABASE_URL", url)
        assert "dbname=daybook" in what
        assert "cret" not in what
        assert ("password=(hidden)" in what) == ("cret" in url)


@pytest.mark.parametrize("value", ["after_lunch", "after_reply:charge_paymnt"])
async def test_a_fault_point_that_is_never_reached_is_refused(value: str):
    with pytest.raises(ConfigurationError, match=r"DAYBOOK_DIE_AT .* Nothing was started"):
        async with open_database_of(SHOP, settings_from({"DAYBOOK_DIE_AT": value})):
            pass
