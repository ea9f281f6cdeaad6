"""What is told of a model and its answer in a span: its name, and the provider's usage."""

from __future__ import annotations

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage


def model_name(model: BaseChatModel) -> str:
    """Name a model: as its provider does, else by what it is."""
    named = getattr(model, "model_name", None)
    return named if isinstance(named, str) else model._llm_type


def usage_of(answer: AIMessage) -> dict[str, int]:
    """Return the tokens that the provider counted; nothing where it told none."""
    usage = answer.usage_metadata
    if usage is None:
        return {}
    cached = usage.get("input_token_details", {}).get("cache_read")
    counted = {"tokens_in": usage["input_tokens"], "tokens_out": usage["output_tokens"]}
    return {**counted, **({"tokens_cached": cached} if cached is not None else {})}
