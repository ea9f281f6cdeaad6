"""The reviewer: an agent as a tool. It reads reviews in a scope of its own and gives a verdict."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from daybook.state.prompt.cut import cut
from daybook.tools.kinds import read
from daybook.tools.services.http import resource
from daybook.tools.shop.agents import REVIEWER_SYSTEM
from daybook.tools.shop.offered.reads import MINUTE, Context, Sku
from daybook.tools.shop.offered.verdict import MOST_PRODUCTS, Verdict, usable

_MOST_READ = 1_000
"""Estimated tokens of one product's reviews that are read at most."""

_MOST_ASKED = 200
"""Characters of the question."""


@read(lifetime=60 * MINUTE, within=60)
async def compare_reviews(
    skus: Annotated[list[Sku], Field(min_length=1, max_length=MOST_PRODUCTS)],
    question: Annotated[
        str, Field(max_length=_MOST_ASKED, description="what matters, such as warmth")
    ] = "",
    *,
    ctx: Context,
) -> Any:
    """Let the reviewer read the reviews of up to five products and give a short verdict."""
    shop = ctx.services.shop
    products = await asyncio.gather(
        *(shop.get(resource("products", sku)) for sku in dict.fromkeys(skus))
    )
    found = await asyncio.gather(
        *(shop.get(resource("products", product["sku"], "reviews")) for product in products)
    )
    read_by_it = [
        written(product, reviews["reviews"])
        for product, reviews in zip(products, found, strict=True)
    ]
    asked = f"Question: {' '.join(question.split()) or 'which one is reviewed best?'}"
    text = "\n\n".join([asked, *read_by_it])
    of_these = [product["sku"] for product in products]
    verdict, tokens = await ctx.scope.ask(
        REVIEWER_SYSTEM, text, Verdict, lambda given: usable(given, of_these)
    )
    return {"verdict": verdict.model_dump(mode="json"), "tokens": tokens}


def written(product: Mapping[str, Any], reviews: list[Mapping[str, Any]]) -> str:
    """Write a product's reviews for the reviewer, cut to what may be read of one product."""
    head = f"## {product['sku']} | {product['name']} | {product['rating']} of 5"
    rows = [" | ".join(_line(review) for review in _parts(one)) for one in reviews]
    return cut("\n".join([head, *(rows or ["no reviews"])]), _MOST_READ)


def _parts(review: Mapping[str, Any]) -> tuple[str, str, str]:
    return f"{review['rating']} of 5", str(review["title"]), str(review["text"])


def _line(text: str) -> str:
    # A stranger's line break could begin a heading.
    return " ".join(text.split())
