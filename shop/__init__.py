"""Stand for the outside world: a shop with an HTTP API and an SMTP server of its own.

Run it with `python -m daybook.shop`. Nothing imports this package and it imports nothing of ours:
HTTP and SMTP are the contract. See `README.md` in this folder for the endpoints and the faults.
"""

if __name__ != "daybook.shop":
    # From this folder alone it would be a second package with classes of its own.
    raise ImportError("This package is daybook.shop: import it by that name.")
