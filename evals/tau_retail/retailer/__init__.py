"""Stand for the outside world of tau-bench retail: a retailer with its own books.

It imports nothing of ours: `evals.tau_retail.outside` serves it over HTTP, which is the contract.
What each tool does is written in TOOLS.md beside the data.
"""
