"""All services, on one port."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tests.strangers.services.accepted import Accepted
from tests.strangers.services.duplicate import Duplicate
from tests.strangers.services.eventual import Eventual
from tests.strangers.services.limiting import Limiting
from tests.strangers.services.paged import Paged
from tests.strangers.services.proxied import Proxied
from tests.strangers.services.reusing import Reusing
from tests.strangers.services.slack import Slack
from tests.strangers.services.stranger import Stranger
from tests.strangers.services.stripe_v1 import StripeV1
from tests.strangers.services.stripe_v2 import StripeV2
from tests.strangers.services.unfiltered import Unfiltered
from tests.strangers.services.wire import served
from tests.strangers.services.wrong import Wrong

SERVICES: tuple[type[Stranger], ...] = (
    StripeV1,
    StripeV2,
    Accepted,
    Eventual,
    Wrong,
    Slack,
    Proxied,
    Paged,
    Reusing,
    Duplicate,
    Limiting,
    Unfiltered,
)


@contextmanager
def open_strangers() -> Iterator[tuple[str, dict[str, Stranger]]]:
    """Serve them all; yields the address below which each has its name, and the services."""
    strangers = {service.name: service() for service in SERVICES}
    with served(strangers) as url:
        try:
            yield url, strangers
        finally:
            for stranger in strangers.values():
                stranger.go_on.set()
