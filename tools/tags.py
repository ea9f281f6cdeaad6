"""Tags: by which a write names the reads that it makes stale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from daybook.tools.boundary import made_or


def tags_of(templates: Sequence[str], args: Mapping[str, Any]) -> list[str]:
    """Write the tags of a call from their templates and its arguments.

    A tag that needs an argument which was not given is left out: a tool that lets the other side
    say what is missing may be called without it, and then reads and changes nothing of that name.
    So is one that cannot be made of what was given. Nothing is raised: tags are made when the
    outcome of an effect is written down, and that may not be lost.
    """
    tags = (_tag(template, args) for template in templates)
    return [tag for tag in tags if tag is not None]


def _tag(template: str, args: Mapping[str, Any]) -> str | None:
    def written() -> str | None:
        try:
            return template.format_map(args)
        except KeyError:
            return None

    return made_or(lambda: None, f"the tag {template}", written)
