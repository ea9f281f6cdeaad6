"""Stand for the outside world of tau-bench retail: a retailer with an HTTP API and its own books.

Run it with `python -m evals.tau_retail.retailer.server FOLDER`. It imports nothing of ours: HTTP is
the contract. What each tool does is written in TOOLS.md beside the data.
"""
