"""Whether a client reads a model's text as it comes."""

from __future__ import annotations

from langchain_core.callbacks import BaseCallbackManager
from langgraph.config import get_config


def is_streamed() -> bool:
    """Tell whether a client reads the text of model calls of this run while it comes.

    Each of LangGraph's and LangChain's streams of messages is a callback handler that taps output.
    """
    callbacks = get_config().get("callbacks") or []
    handlers = callbacks.handlers if isinstance(callbacks, BaseCallbackManager) else callbacks
    return any(hasattr(handler, "tap_output_aiter") for handler in handlers)
