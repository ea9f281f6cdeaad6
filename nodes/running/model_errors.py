"""One error for whatever a model's client raises."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from daybook.state.errors import NOTHING_DONE, ModelUnavailable


@contextmanager
def model_errors() -> Iterator[None]:
    """Raise what the client of a model raises in this block as ModelUnavailable.

    Raises:
        ModelUnavailable: names the type of the error and nothing of its text, which may quote the
            key or the prompt.
    """
    try:
        yield
    except ModelUnavailable:
        raise
    except Exception as error:
        raise ModelUnavailable(
            f"The model gave no decision ({type(error).__name__}). {NOTHING_DONE}"
        ) from error
