"""Tags: by which a write names the reads that it makes stale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def tags_of(templates: Sequence[str], args: Mapping[str, Any]) -> list[str]:
    """Write the tags of a call from their templates and its arguments.

    A tag that needs an argument which was not given is left out: a tool that lets the other side
    say what is missing may be called without it, and then reads and changes nothing of that name.
    """
    tags = []
    for template in templates:
        try:
            tags.append(template.format_map(args))
        except KeyError:
            continue
    return tags
