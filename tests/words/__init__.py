"""Sentences: what the stand-in makes of what people say, and what is found in what a model says."""
