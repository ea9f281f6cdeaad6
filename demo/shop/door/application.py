from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from daybook.demo.shop.door import routes_catalogue, routes_control, routes_effects
from daybook.demo.shop.door.connection import Severed
from daybook.demo.shop.refusal import Refusal
from daybook.demo.shop.ucp.asked import control, mcp, page, rest
from daybook.demo.shop.waiting import Abandoned
from daybook.demo.shop.world import World

CODES = {404: "not_found", 405: "method_not_allowed"}


async def refuse(request: Request, error: Exception) -> Response:
    """Answer a refusal in the shape that all errors of the shop have."""
    assert isinstance(error, Refusal)
    return JSONResponse(error.body, error.status)


async def misroute(request: Request, error: Exception) -> Response:
    """Answer what Starlette refuses by itself in the same shape."""
    assert isinstance(error, HTTPException)
    code = CODES.get(error.status_code, "refused")
    body = {"error": code, "message": f"{error.detail}."}
    return JSONResponse(body, error.status_code, error.headers)


async def sever(request: Request, error: Exception) -> Response:
    """Close the connection of a caller that gets no answer."""
    return Severed()


async def fail(request: Request, error: Exception) -> Response:
    """Answer a mistake of the shop's own; the traceback goes to the log."""
    return JSONResponse({"error": "internal", "message": "The shop failed."}, 500)


def application(world: World) -> Starlette:
    """Return the HTTP application that serves this world."""
    app = Starlette(
        routes=[
            *routes_effects.ROUTES,
            *routes_catalogue.ROUTES,
            *routes_control.ROUTES,
            *rest.ROUTES,
            *mcp.ROUTES,
            *page.ROUTES,
            *control.ROUTES,
        ],
        exception_handlers={
            Refusal: refuse,
            HTTPException: misroute,
            Abandoned: sever,
            Exception: fail,
        },
    )
    app.router.redirect_slashes = False
    app.state.world = world
    return app
