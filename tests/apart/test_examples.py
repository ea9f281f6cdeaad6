"""The examples, killed by SIGKILL when the provider has done the effect and not replied yet."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from psycopg.conninfo import make_conninfo

from daybook.testing import Provider, serve
from tests.integration.keyboard import PATIENCE, ROOT

EXAMPLES = ROOT / "examples"
KINDS: Any = {"email_assistant": ("messages", "write"), "supervisor": ("payments", "pay")}


def started(script: Path, step: str, **environment: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, script, step], env={**os.environ, **environment})


@pytest.mark.parametrize(("script", "times"), [("before.py", 2), ("after.py", 1)])
@pytest.mark.parametrize("example", KINDS)
async def test_killed_before_the_reply_the_effect_is_done_twice_before_and_once_after(
    postgres_url: str, example: str, script: str, times: int
):
    kind, begins = KINDS[example]
    # The mail's provider ignores keys; the bank honours them.
    provider = Provider(keys="ignored" if kind == "messages" else "honoured")
    program = EXAMPLES / example / script
    with serve({"it": provider}) as url:
        reached = dict.fromkeys(("MAIL_URL", "BANK_URL"), f"{url}/it")
        reached["DATABASE_URL"] = make_conninfo(postgres_url, options="")
        assert started(program, begins, **reached).wait(PATIENCE) == 0
        assert provider.happened() == []
        provider.spoil(kind, "hold")
        process = started(program, "approve", **reached)
        assert provider.wait_for(kind, "", PATIENCE)
        process.kill()
        process.wait()
        provider.go_on.set()
        assert started(program, "resume", **reached).wait(PATIENCE) == 0
    assert provider.happened() == [kind] * times
