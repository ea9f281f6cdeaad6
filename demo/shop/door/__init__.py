"""How the shop is asked over HTTP: routes, what a request holds, its way through fault and key."""
