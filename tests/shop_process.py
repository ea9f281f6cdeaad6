"""The shop as a process of its own, started and ended by a test."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import httpx

ROOT = Path(__file__).parents[1]
PATIENCE = 20.0
"""Seconds after which a test gives up waiting for something that should have happened."""


class ShopProcess:
    """Run `python -m daybook.demo.shop` and hold what it said: where it listens, and its log.

    Most agents of tests have no profile, so none is checked before a test puts `profiles` so.
    """

    def __init__(self, folder: Path, *options: str) -> None:
        self._log = (folder / "shop.log").open("w+")
        self.process = subprocess.Popen(
            [
                *(sys.executable, "-m", "daybook.demo.shop", "--port", "0", "--smtp-port", "0"),
                *("--db", str(folder / "shop.db"), "--any-agent", *options),
            ],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            self.end()
            raise RuntimeError(f"the shop did not start: {self.log()}")
        places = json.loads(line)
        self.url: str = places["shop_url"]
        smtp = urlsplit(places["smtp_url"])
        self.smtp_host, self.smtp_port = smtp.hostname, smtp.port

    @property
    def smtp_url(self) -> str:
        return f"smtp://{self.smtp_host}:{self.smtp_port}"

    async def settles_soon(self) -> None:
        """Shorten its D; an agent asks for it when it starts, and tests can wait for that."""
        async with httpx.AsyncClient(base_url=self.url) as http:
            (await http.put("/admin/settings", json={"settle_seconds": 0.5})).raise_for_status()

    def log(self) -> str:
        self._log.flush()
        return Path(self._log.name).read_text()

    def terminate(self) -> int:
        self.process.terminate()
        return self.process.wait(PATIENCE)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(PATIENCE)

    def end(self) -> None:
        if self.process.poll() is None:
            self.kill()
        assert self.process.stdout is not None
        self.process.stdout.close()
        self._log.close()


@contextmanager
def running_shop(*options: str) -> Iterator[ShopProcess]:
    """Run a shop that nobody kills; at its end it must end cleanly and have said nothing."""
    with tempfile.TemporaryDirectory(prefix="shop-") as folder:
        process = ShopProcess(Path(folder), *options)
        try:
            yield process
            assert process.terminate() == 0
            assert process.log() == ""
        finally:
            process.end()
