"""Edit functions and statements of the engine in this process, by their text, and put them back."""

from __future__ import annotations

import importlib
import inspect
import sys
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from daybook.checkpoints.statements import statements


class NothingToMutate(Exception):
    """What a mutation is to change is not there (any more)."""


@dataclass(frozen=True)
class Edit:
    """A change of one function of the engine.

    Attributes:
        module: its module, below `daybook`.
        name: of the function, or of a class and its method or property.
        changes: pairs of a text that stands in it exactly once, and what stands there instead.
    """

    module: str
    name: str
    changes: tuple[tuple[str, str], ...]

    @contextmanager
    def made(self) -> Iterator[None]:
        """Make it for the length of the block.

        Raises:
            NothingToMutate: there is no such function, or it does not hold the text.
        """
        module, owner, last = self._found()
        known = vars(owner)[last]
        plain: Any = known.fget if isinstance(known, property) else known
        source = textwrap.dedent(inspect.getsource(plain))
        changed = _changed(source, self.changes, f"{self.module}.{self.name}")
        made: dict[str, Any] = {}
        code = compile(f"from __future__ import annotations\n{changed}", self.name, "exec")
        exec(code, vars(module), made)
        places = [(owner, last)] if owner is not module else _holders(known)
        try:
            for place, name in places:
                setattr(place, name, made[last])
            yield
        finally:
            for place, name in places:
                setattr(place, name, known)

    def _found(self) -> tuple[ModuleType, Any, str]:
        try:
            module = importlib.import_module(f"daybook.{self.module}")
        except ModuleNotFoundError as error:
            raise NothingToMutate(f"there is no module {self.module}") from error
        owner: Any = module
        *path, last = self.name.split(".")
        for part in path:
            owner = getattr(owner, part, None)
        if owner is None or last not in vars(owner):
            raise NothingToMutate(f"there is no {self.module}.{self.name}")
        return module, owner, last


@dataclass(frozen=True)
class SqlEdit:
    """A change of one named statement of a file in `checkpoints/sql`.

    Attributes:
        changes: as of an `Edit`.
    """

    file: str
    name: str
    changes: tuple[tuple[str, str], ...]

    @contextmanager
    def made(self) -> Iterator[None]:
        """Make it for the length of the block, wherever the statement is held.

        Raises:
            NothingToMutate: there is no such statement, or it does not hold the text.
        """
        known = statements(self.file).get(self.name)
        held = [one for one in _dicts() if known is not None and one.get(self.name) == known]
        if known is None or not held:
            raise NothingToMutate(f"there is no statement {self.name} in {self.file}")
        changed = _changed(known, self.changes, f"{self.file}: {self.name}")
        try:
            for one in held:
                one[self.name] = changed
            yield
        finally:
            for one in held:
                one[self.name] = known


def _changed(source: str, changes: Sequence[tuple[str, str]], where: str) -> str:
    for old, new in changes:
        if source.count(old) != 1:
            raise NothingToMutate(f"{where} holds {source.count(old)} times: {old}")
        source = source.replace(old, new)
    return source


def _ours() -> list[ModuleType]:
    return [module for name, module in list(sys.modules.items()) if name.startswith("daybook.")]


def _holders(known: Any) -> list[tuple[Any, str]]:
    """Find all modules that hold a function, under whatever name."""
    return [
        (module, name)
        for module in _ours()
        for name, value in list(vars(module).items())
        if value is known
    ]


def _dicts() -> list[dict[str, str]]:
    return [
        value
        for module in _ours()
        for value in list(vars(module).values())
        if isinstance(value, dict)
    ]


@contextmanager
def all_made(edits: Sequence[Edit | SqlEdit]) -> Iterator[None]:
    """Make several edits for the length of the block.

    Raises:
        NothingToMutate: one of them finds nothing to change; then none is made.
    """
    with ExitStack() as stack:
        for edit in edits:
            stack.enter_context(edit.made())
        yield
