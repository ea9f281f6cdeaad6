"""The layers in their order, the same for each way to serve."""

from starlette.middleware import Middleware

from daybook.app.server.layers.domain_routes import DomainRoutes
from daybook.app.server.layers.fence import Fence
from daybook.app.server.layers.headers import SafeHeaders
from daybook.app.server.layers.redaction import Redaction
from daybook.app.server.layers.revocation import Revocation
from daybook.app.server.layers.thread_ids import ThreadIds

LAYERS = (
    Middleware(SafeHeaders),
    Middleware(DomainRoutes),
    Middleware(Fence),
    Middleware(ThreadIds),
    Middleware(Redaction),
    Middleware(Revocation),
)
"""In the order in which a request meets them: closed routes before ids, ids before bodies."""
