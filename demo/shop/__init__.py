"""The outside world of the demo: a shop with an HTTP API and an SMTP server.

Run it with `python -m daybook.demo.shop`. Nothing imports this package and it imports nothing of
ours: HTTP and SMTP are the contract. See `demo/README.md` for the endpoints and the faults.
"""
