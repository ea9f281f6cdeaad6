"""Print the graph of a domain as a picture, in Mermaid."""

from __future__ import annotations

from daybook.app.served import served_by
from daybook.app.telling import tell
from daybook.graph.build import build
from daybook.graph.picture import mermaid
from daybook.graph.settings.environment import Settings
from daybook.nodes.running.work import Resources


def print_picture(settings: Settings) -> None:
    """Print the picture; nothing is opened for it.

    Raises:
        ConfigurationError: there is no such domain.
    """
    tell(mermaid(build(served_by(settings).domain, _none).get_graph()))


def _none() -> Resources:
    raise AssertionError("a picture needs no resources")
