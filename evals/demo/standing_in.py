"""Daybook's side: the stand-in for a model, asked through a server that counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from daybook.graph.model.stand_in import keep_stand_in
from daybook.tools.shop.domain import SHOP
from evals.model_server import Model


@contextmanager
def open_stand_in(home: Path) -> Iterator[Model]:
    """Keep the shop's stand-in below `home`, and yield what asks it.

    Raises:
        KeeperError: it did not start.
    """
    with (
        keep_stand_in(home, SHOP.stand_in) as kept,
        httpx.Client(base_url=kept.answer, trust_env=False) as http,
    ):

        def asked(request: Mapping[str, Any]) -> dict[str, Any]:
            whole = {**request, "stream": False}
            answer = http.post("chat/completions", json=whole).raise_for_status()
            message: dict[str, Any] = answer.json()["choices"][0]["message"]
            return message

        yield asked
