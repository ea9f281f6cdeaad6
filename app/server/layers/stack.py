"""The layers in their order, the same for whoever serves."""

from starlette.middleware import Middleware

from daybook.app.server.layers.asked import AsAsked
from daybook.app.server.layers.born import Born
from daybook.app.server.layers.fence import Fence
from daybook.app.server.layers.headers import SafeHeaders
from daybook.app.server.layers.lapsing import Lapsing
from daybook.app.server.layers.of_domain import OfDomain
from daybook.app.server.layers.redacting import Redacting
from daybook.app.server.layers.room import Room
from daybook.app.server.layers.spelling import Spelling

LAYERS = (
    Middleware(SafeHeaders),
    Middleware(OfDomain),
    Middleware(Fence),
    Middleware(Spelling),
    Middleware(Room),
    Middleware(Redacting),
    Middleware(Born),
    Middleware(Lapsing),
    Middleware(AsAsked),
)
"""In the order in which a request meets them: closed routes before ids, ids before what is read."""
