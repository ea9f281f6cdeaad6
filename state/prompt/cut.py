"""Cut text that takes more tokens than it may, and say that it was cut."""

from __future__ import annotations

from daybook.state.prompt.tokens import estimated


def cut(text: str, most: int) -> str:
    """Return a text of at most `most` estimated tokens: whole lines, else the beginning of one.

    The line that says so comes on top.
    """
    if estimated(text) <= most:
        return text
    lines, taken, used = text.split("\n"), [], 0
    for line in lines:
        used += estimated(line) + 1
        if used > most:
            break
        taken.append(line)
    if not taken:
        taken = [_begun(lines[0], most)]
    left = len(lines) - len(taken)
    told = f"[cut: {left} more lines]" if left else "[cut]"
    return "\n".join([*taken, told])


def cut_inside(text: str, most: int) -> str:
    """Return a text of at most `most` estimated tokens: its first and its last lines, in turn.

    A line that is too long by itself is left out, and those behind it are not. The line that says
    so comes on top.
    """
    if estimated(text) <= most:
        return text
    lines = text.split("\n")
    kept, used, near, far = set[int](), 0, 0, len(lines) - 1
    while near <= far:
        for at in dict.fromkeys((near, far)):
            tokens = estimated(lines[at]) + 1
            if used + tokens <= most:
                kept.add(at)
                used += tokens
        near, far = near + 1, far - 1
    gone = [at for at in range(len(lines)) if at not in kept]
    told = {gone[0]: f"[cut: {len(gone)} more lines]"}
    return "\n".join(
        told.get(at, line) for at, line in enumerate(lines) if at in kept | told.keys()
    )


def _begun(line: str, most: int) -> str:
    """Return the longest half, quarter, ... of a line that fits."""
    while line and estimated(line) > most:
        line = line[: len(line) // 2]
    return line
