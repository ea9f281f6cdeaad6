"""The outside world of the demo: a shop, and a stand-in for a model provider.

Both are processes of their own, reached over the wire. Nothing of ours imports this package, and it
imports nothing of ours. See `README.md` in this folder.
"""

if __name__ != "daybook.demo":
    # From this folder alone it would be a second package with classes of its own.
    raise ImportError("This package is daybook.demo: import it by that name.")
