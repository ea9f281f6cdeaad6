"""Say in words what a validation found, without repeating what was given."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic import ValidationError


def faults_of(error: ValidationError, whole: str, but: Collection[str] = ()) -> str:
    """Say which parts do not fit and why; nothing where only those of `but` do not.

    Args:
        whole: names the value itself, where no part of it is to blame.
    """
    found = error.errors(include_url=False, include_context=False, include_input=False)
    return "; ".join(
        f"{'.'.join(str(part) for part in fault['loc']) or whole}: "
        # As pydantic begins what a check of ours says.
        f"{fault['msg'].removeprefix('Value error, ')}"
        for fault in found
        if not (fault["loc"] and fault["loc"][0] in but)
    )
