"""The names that ucpify imports from PayPal's SDK, which is not installed: no merchant here has it.

Whoever makes one of them is told so at once.
"""


class _Absent:
    def __init__(self, *args: object, **kwargs: object) -> None:
        raise RuntimeError("PayPal's SDK is not installed: this merchant takes none of its money.")


class Client(_Absent):
    """See above."""


class Environment(_Absent):
    """See above."""


class OrdersController(_Absent):
    """See above."""


class OrderRequest(_Absent):
    """See above."""


class CheckoutPaymentIntent(_Absent):
    """See above."""


class PurchaseUnitRequest(_Absent):
    """See above."""


class AmountWithBreakdown(_Absent):
    """See above."""
