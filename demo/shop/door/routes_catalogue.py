from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from daybook.demo.shop import people
from daybook.demo.shop.clock import now
from daybook.demo.shop.door.requests import query_of, world_of
from daybook.demo.shop.goods import products
from daybook.demo.shop.goods.policies import POLICIES
from daybook.demo.shop.refusal import Refusal


class SearchQuery(BaseModel):
    """Ask for products: words, a category, a highest price in cents (inclusive)."""

    model_config = ConfigDict(extra="forbid")

    query: Annotated[str, Field(max_length=300)] = ""
    category: Annotated[str, Field(max_length=60)] | None = None
    max_price: Annotated[int, Field(ge=0, le=10**12)] | None = None
    limit: Annotated[int, Field(ge=1, le=100)] = 10


async def search(request: Request) -> Response:
    """Rank the products that fit; `match` says whether they fit all words or some."""
    asked = query_of(request, SearchQuery)
    if not asked.query.strip() and not asked.category:
        raise Refusal(400, "nothing_asked", "Give words to search for, or a category.")
    world = world_of(request)
    category = asked.category or None
    if category is not None and category not in world.search.categories:
        raise Refusal(
            404,
            "unknown_category",
            "There is no such category.",
            categories=sorted(world.search.categories),
        )
    hits = await world.database.transact(lambda connection: products.hits(connection, now()))
    affordable = {
        sku: hit
        for sku, hit in hits.items()
        if asked.max_price is None or hit["price"] <= asked.max_price
    }
    found = world.search.rank(asked.query, category, affordable)
    return JSONResponse(
        {"products": [hits[sku] for sku in found.skus[: asked.limit]], "match": found.match}
    )


async def product(request: Request) -> Response:
    """Show one product."""
    sku = request.path_params["sku"]
    return JSONResponse(
        await world_of(request).database.transact(
            lambda connection: products.product(connection, sku, now())
        )
    )


async def reviews(request: Request) -> Response:
    """Show what customers wrote about a product."""
    sku = request.path_params["sku"]
    return JSONResponse(
        await world_of(request).database.transact(
            lambda connection: {"sku": sku, "reviews": products.reviews(connection, sku)}
        )
    )


async def categories(request: Request) -> Response:
    """List the categories with how many products each has."""
    found = await world_of(request).database.transact(products.categories)
    return JSONResponse({"categories": found})


async def policy(request: Request) -> Response:
    """Say what holds on a topic, such as shipping."""
    topic = request.path_params["topic"]
    if topic not in POLICIES:
        raise Refusal(404, "unknown_topic", "There is no such topic.", topics=sorted(POLICIES))
    return JSONResponse({"topic": topic, "text": POLICIES[topic]})


async def user(request: Request) -> Response:
    """Show a user's profile; an unseen user is signed up."""
    user_id = request.path_params["user_id"]
    return JSONResponse(
        await world_of(request).database.transact(
            lambda connection: people.profile(connection, user_id)
        )
    )


ROUTES = [
    Route("/products", search),
    Route("/products/{sku}", product),
    Route("/products/{sku}/reviews", reviews),
    Route("/categories", categories),
    Route("/policies/{topic}", policy),
    Route("/users/{user_id}", user),
]
