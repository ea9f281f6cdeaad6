"""A text of which pieces are left out: no gap is seen, and lists are numbered on."""

from __future__ import annotations

from dataclasses import replace

from daybook.tools.shop.named.pieces import Piece, Shape


class Page:
    """Write the pieces that are kept as they stood; what is written is never changed again.

    Attributes:
        has_shown: something was written.
        has_dropped: something was left out.
    """

    def __init__(self) -> None:
        self.has_shown = False
        self.has_dropped = False
        self._blanks: list[str] = []
        self._dropped: Piece | None = None
        self._label: Piece | None = None
        self._less: dict[int, tuple[int, int]] = {}

    def keep(self, piece: Piece) -> str:
        """Write a piece; one that introduces what follows waits until something does."""
        if not piece.text:
            self._blanks.append(piece.before)
            return ""
        given = self._introduced(piece)
        fresh = self._numbered(replace(piece, before=self._gap(piece)))
        self._blanks, self._dropped = [], None
        if piece.text.endswith(":") and piece.shape is Shape.SENTENCE:
            self._label = fresh
            return given
        self.has_shown = True
        return given + fresh.before + fresh.text

    def drop(self, piece: Piece) -> None:
        """Leave a piece out."""
        if not piece.text:
            return
        self.has_dropped = True
        self._blanks.append(piece.before)
        self._dropped = piece
        if piece.number is not None:
            less, last = self._less.get(piece.indent, (0, 0))
            less = 0 if piece.number <= last else less
            self._less[piece.indent] = (less + 1, piece.number)

    def end(self) -> str:
        """Write what waits, and the blanks at the end where nothing was left out before them."""
        if self._dropped is not None:
            return ""
        label, self._label = self._label, None
        self.has_shown |= label is not None
        given = label.before + label.text if label is not None else ""
        return given + "".join(self._blanks)

    def _introduced(self, piece: Piece) -> str:
        """Return the line that waits, unless what it introduced was left out."""
        label, self._label = self._label, None
        if label is None:
            return ""
        left = self._dropped
        if left is not None and (_is_listed(left) != _is_listed(piece) or piece.opens_block):
            self._blanks.insert(0, label.before)
            return ""
        self.has_shown = True
        return label.before + label.text

    def _gap(self, piece: Piece) -> str:
        """Return what stands before a piece, in the place of all that was left out before it."""
        if self._dropped is None and not self._blanks:
            return piece.before
        if not self.has_shown and self._label is None:
            return " " * piece.indent
        widest = max((*self._blanks, piece.before), key=lambda blanks: blanks.count("\n"))
        if "\n" not in widest:
            return piece.before
        return widest[: widest.rfind("\n") + 1] + " " * piece.indent

    def _numbered(self, piece: Piece) -> Piece:
        number = piece.number
        if number is None:
            if piece.shape is Shape.SENTENCE and piece.indent == 0 and piece.opens_block:
                self._less.clear()
            return piece
        less, last = self._less.get(piece.indent, (0, 0))
        if number <= last:
            less = 0
        self._less[piece.indent] = (less, number)
        return piece.numbered(number - less) if less else piece


def _is_listed(piece: Piece) -> bool:
    return piece.shape in (Shape.ITEM, Shape.ROW)
