"""Names that ucpify imports from PayPal's SDK, which is not installed: no merchant needs it."""


class Client:
    """Say at once that whoever makes one has no such SDK."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        raise RuntimeError("PayPal's SDK is not installed: this merchant takes none of its money.")


Environment = OrdersController = OrderRequest = CheckoutPaymentIntent = Client
PurchaseUnitRequest = AmountWithBreakdown = Client
