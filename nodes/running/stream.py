"""How a model call appears in LangGraph's streams, and whether anybody reads it while it comes."""

from __future__ import annotations

from typing import Any

from langchain_core.callbacks import AsyncCallbackHandler
from langchain_core.language_models import BaseChatModel
from langchain_core.runnables import RunnableConfig
from langchain_core.runnables.config import merge_configs
from langgraph.config import get_config
from langgraph.constants import TAG_NOSTREAM


class StreamWatch(AsyncCallbackHandler):
    """Notice whether text of a model call was streamed.

    A chat model streams where a client listens, or where it is set to; tokens arrive here then.

    Attributes:
        was_read: text was streamed that a client may have shown.
    """

    def __init__(self) -> None:
        self.was_read = False

    async def on_llm_new_token(self, token: Any, **options: Any) -> None:
        """Take note of streamed text."""
        self.was_read |= bool(token)

    def config(self, *, is_shown: bool = True) -> RunnableConfig:
        """Return what a model call of the running node is configured with.

        Args:
            is_shown: clients see it in the `messages` stream.
        """
        return merge_configs(
            get_config(),
            {"callbacks": [self], "tags": [] if is_shown else [TAG_NOSTREAM]},
        )

    def on(self, model: BaseChatModel) -> BaseChatModel:
        """Return a model whose calls are watched."""
        callbacks = model.callbacks if isinstance(model.callbacks, list) else []
        return model.model_copy(update={"callbacks": [*callbacks, self]})


def hidden_call() -> RunnableConfig:
    """Configure a model call that no client sees: a sub-agent's."""
    return StreamWatch().config(is_shown=False)
