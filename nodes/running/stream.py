"""How a model call appears in LangGraph's streams, and whether a client reads it as it comes."""

from __future__ import annotations

from langchain_core.callbacks import BaseCallbackManager
from langchain_core.runnables import RunnableConfig
from langchain_core.runnables.config import merge_configs
from langgraph.config import get_config
from langgraph.constants import TAG_NOSTREAM


def is_streamed() -> bool:
    """Tell whether a client reads the text of model calls of this run while it comes.

    Each of LangGraph's and LangChain's streams of messages is a callback handler that taps output.
    """
    callbacks = get_config().get("callbacks") or []
    handlers = callbacks.handlers if isinstance(callbacks, BaseCallbackManager) else callbacks
    return any(hasattr(handler, "tap_output_aiter") for handler in handlers)


def hidden_call() -> RunnableConfig:
    """Configure a model call whose text is no message of the thread: a sub-agent's."""
    return merge_configs(get_config(), {"tags": [TAG_NOSTREAM]})
