"""How much of what people write the stand-in understands: `python -m evals.talk`."""
