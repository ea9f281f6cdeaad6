"""Decides as the reviewer: a verdict on products by the ratings of their reviews.

What is read here was written by strangers, so nothing of their words is passed on.
"""

import re
from statistics import fmean
from typing import Final

from daybook.demo.model.commands import Reply, calls

TOOL: Final = "verdict"

_HEAD: Final = re.compile(r"## ([A-Za-z]+-\d+) \| ")
_RATING: Final = re.compile(r"^([1-5])(?:\.\d)? of 5 \| ", re.MULTILINE)


def verdict(text: str) -> Reply:
    """Give the verdict on the products whose reviews a text holds: the mean of their ratings."""
    rated: dict[str, list[int]] = {}
    for part in re.split(r"^(?=## )", text, flags=re.MULTILINE):
        if head := _HEAD.match(part):
            rated[head[1].upper()] = [int(rating) for rating in _RATING.findall(part)]
    means = {sku: fmean(ratings) for sku, ratings in rated.items() if ratings}
    best = max(means, key=lambda sku: means[sku], default=None)
    products = [{"sku": sku, "rating": round(means.get(sku, 3))} for sku in rated]
    said = f"{best} has the best mean rating, {means[best]:.1f} of 5." if best is not None else ""
    return calls(TOOL, products=products, best=best, summary=said)
