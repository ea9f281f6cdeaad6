"""What the merchant tells by itself: what becomes of orders, to whoever placed them."""
