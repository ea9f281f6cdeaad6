"""How the reads that every domain has are written for the model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from daybook.tools.own import history, recall
from daybook.tools.own.recall import Renderer

OWN_RENDERERS: Mapping[str, Callable[[int, Any, Sequence[str], Renderer], str]] = {
    "query_history": history.render,
    "recall": recall.render,
}
"""Tool to what writes its result: handle, result, hidden keys, the domain's own renderer."""
