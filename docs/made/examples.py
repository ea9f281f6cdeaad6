"""What griffe, which reads docstrings for the site, is told of ours: `Example:` holds examples."""

from __future__ import annotations

from typing import Any

import griffe


class Examples(griffe.Extension):
    """Name the section as griffe knows it, so that it is shown as code."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Rename the section in the docstring of an object."""
        if obj.docstring:
            obj.docstring.value = obj.docstring.value.replace("\nExample:\n", "\nExamples:\n")
