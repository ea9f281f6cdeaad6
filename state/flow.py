"""The flow of a thread: its positions, and one table of legal moves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from daybook.state.errors import IllegalMove


@dataclass(frozen=True)
class FlowTable:
    """The positions of a domain's flow and the moves between them.

    Attributes:
        start: the position of a new thread.
        moves: (position, trigger) to position. Triggers of plans are `<tool>.opened`,
            `<tool>.succeeded` and `<tool>.failed`; a domain adds its own for changes of state.
        offered: position to the tools that the model is offered there.

    Example:
        >>> flow = FlowTable(
        ...     start="looking",
        ...     moves={
        ...         ("looking", "book.opened"): "booking",
        ...         ("booking", "book.succeeded"): "looking",
        ...         ("booking", "book.failed"): "looking",
        ...     },
        ...     offered={"looking": frozenset({"find", "book"}), "booking": frozenset({"find"})},
        ... )
        >>> flow.move("looking", "book.opened")
        'booking'
        >>> flow.allows("booking", "book.opened")
        False
    """

    start: str
    moves: Mapping[tuple[str, str], str]
    offered: Mapping[str, frozenset[str]]

    def move(self, position: str, trigger: str) -> str:
        """Return the position after a trigger; unchanged if the table has no such trigger.

        Raises:
            IllegalMove: the table names the trigger, but not in this position.
        """
        if not self._knows(trigger):
            return position
        after = self.moves.get((position, trigger))
        if after is None:
            raise IllegalMove(
                f"The flow position is {position}, where the move {trigger} is not allowed. "
                "Nothing was changed; the domain's flow table lists the allowed moves."
            )
        return after

    def allows(self, position: str, trigger: str) -> bool:
        """Tell whether a trigger is a legal move here, or is not in the table at all."""
        return not self._knows(trigger) or (position, trigger) in self.moves

    def _knows(self, trigger: str) -> bool:
        return any(known == trigger for _, known in self.moves)
