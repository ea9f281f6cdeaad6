"""`daybook doctor` speaks to each merchant, and says in words what is wrong with one."""

from pathlib import Path
from typing import Any, cast

import pytest

from daybook.graph.merchants.resources import merchant_checks
from daybook.graph.serve import Check, Verdict
from daybook.graph.settings.environment import settings_from
from daybook.tools.merchants.ucp.profile import VERSIONS
from evals.crash.merchants import listening
from tests.merchants.stranger import VERSION, Asked, Said, Stranger, said
from tests.merchants.test_hostile import once

NOBODY = "http://127.0.0.1:9"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DAYBOOK_HOME", str(tmp_path))
    monkeypatch.delenv("DAYBOOK_WALLET", raising=False)
    monkeypatch.setenv("DAYBOOK_PUBLIC_URL", NOBODY)
    return tmp_path


async def told(monkeypatch: pytest.MonkeyPatch, *urls: str) -> dict[str, Check]:
    monkeypatch.setenv("DAYBOOK_MERCHANTS", " ".join(urls))
    return {one.name: one for one in await merchant_checks(settings_from())}


async def test_a_merchant_without_keys_can_be_bought_from_and_is_not_believed(
    merchant: Stranger, home: Path, monkeypatch: pytest.MonkeyPatch
):
    checks = await told(monkeypatch, merchant.url)
    one = checks[merchant.name]
    assert one.verdict is Verdict.OK
    assert "version 2026-04-08 over rest; checkout, catalog.search" in one.found
    assert "it publishes no keys" in one.found
    assert checks["wallet"].verdict is Verdict.NOT_YET
    unsigned = (await told(monkeypatch, f"{merchant.url}#rest,unsigned"))[merchant.name]
    assert "over rest" in unsigned.found
    assert "its order events are not signed, so orders are looked up" in unsigned.found
    wrong = (await told(monkeypatch, f"{merchant.url}#rest,mcp"))["merchants"]
    assert "#rest,mcp is not known" in wrong.found


async def test_one_that_is_down_or_speaks_otherwise_hides_no_other(
    merchant: Stranger, other: Stranger, home: Path, monkeypatch: pytest.MonkeyPatch
):
    async def older(asked: Asked) -> Said:
        return said({"ucp": {"version": "2020-01-01"}})

    merchant.does("profile", older, older)
    checks = await told(monkeypatch, NOBODY, merchant.url, other.url)
    down, old = checks["127.0.0.1:9"], checks[merchant.name]
    assert (down.verdict, old.verdict) == (Verdict.WRONG, Verdict.WRONG)
    assert "cannot be reached" in down.found
    assert f"Check that {NOBODY} is its URL" in down.advice
    assert "it uses version 2020-01-01 of the protocol" in old.found
    assert checks[other.name].verdict is Verdict.OK


async def test_our_profile_is_looked_for_where_each_request_says_that_it_is(
    merchant: Stranger, home: Path, monkeypatch: pytest.MonkeyPatch
):
    assert (await told(monkeypatch, merchant.url))["our profile"].verdict is Verdict.NOT_YET
    far = await told(monkeypatch, merchant.url, "https://shop.example")
    assert far["our profile"].verdict is Verdict.WRONG
    assert "https://shop.example must read our profile" in far["our profile"].found
    monkeypatch.setenv("DAYBOOK_PUBLIC_URL", "http://192.168.7.5:2024")
    near = (await told(monkeypatch, merchant.url, "https://shop.example"))["our profile"]
    assert "only its own network reaches" in near.found
    async with listening() as ear:
        ear.resources = cast("Any", object())
        monkeypatch.setenv("DAYBOOK_PUBLIC_URL", ear.url)
        checks = await told(monkeypatch, merchant.url)
    assert checks["our profile"].found.endswith("with our key")


async def test_a_merchant_is_told_our_version_of_its_own_and_a_wrong_leaf_is_named(
    merchant: Stranger, other: Stranger, home: Path, monkeypatch: pytest.MonkeyPatch
):
    leaf = {"ucp": {"version": "2026-01-23", "supported_versions": {}}}
    leaf["ucp"]["supported_versions"] = {VERSION: f"{merchant.url}/.well-known/ucp"}

    async def newer(asked: Asked) -> Said:
        return said(leaf)

    merchant.does("profile", newer)
    bare = other.profile()

    async def unwrapped(asked: Asked) -> Said:
        return said({**bare["ucp"], "keys": bare["keys"]})

    other.does("profile", unwrapped)
    checks = await told(monkeypatch, merchant.url, other.url)
    assert checks[merchant.name].verdict is checks[other.name].verdict is Verdict.OK
    for place, verdict in (
        ("/.well-known/ucp", Verdict.OK),
        (f"{other.url}/.well-known/ucp", Verdict.WRONG),
        (f"//{other.name}/.well-known/ucp", Verdict.WRONG),
        ("http://[", Verdict.WRONG),
    ):
        leaf["ucp"]["supported_versions"][VERSION] = place
        merchant.does("profile", newer)
        assert (await told(monkeypatch, merchant.url))[merchant.name].verdict is verdict, place
    leaf["ucp"]["supported_versions"][VERSION] = f"{merchant.url}/.well-known/ucp"
    merchant.does("profile", newer, newer)
    wrong = (await told(monkeypatch, merchant.url))[merchant.name]
    assert f"names a profile of version {VERSION}, whose own version is 2026-01-23" in wrong.found


async def test_the_newest_version_that_both_know_is_spoken_wherever_its_profile_is(
    merchant: Stranger, home: Path, monkeypatch: pytest.MonkeyPatch
):
    older, newer = merchant.profile(), merchant.profile()
    newer["ucp"]["version"] = VERSIONS[0]
    older["ucp"]["supported_versions"] = {VERSIONS[0]: "/.well-known/ucp"}
    merchant.does("profile", once(said(older)), once(said(newer)))
    found = (await told(monkeypatch, merchant.url))[merchant.name].found
    assert f"version {VERSIONS[0]} over rest" in found
