"""Tables of what the stand-in for a model understands."""

from __future__ import annotations

from collections.abc import Sequence

from daybook.demo.model import merchants
from daybook.demo.model.commands import PARTS, Command
from daybook.demo.model.shop import INTERVIEW, TABLE
from docs.made.tables import table


def stand_in() -> str:
    """Make the tables of the commands of each domain, and what a word in capitals stands for."""
    return "\n\n".join(
        (
            "## In the shop",
            _commands(TABLE),
            "## In the shop's interview",
            _commands(INTERVIEW),
            "## At merchants",
            _commands(merchants.TABLE),
            "## Words in capitals",
            table(("word", "meaning"), ((f"`{name}`", said) for name, (_, said) in PARTS.items())),
        )
    )


def _commands(commands: Sequence[Command]) -> str:
    rows = (
        (
            "<br>".join(f"`{_cell(phrase)}`" for phrase in one.phrases),
            f"`{one.example}`",
            one.does,
            ", ".join(f"`{tool}`" for tool in one.calls) or "nothing",
        )
        for one in commands
    )
    return table(("phrase", "example", "what it does", "tools that the example calls"), rows)


def _cell(phrase: str) -> str:
    return phrase.replace("|", "\\|")
