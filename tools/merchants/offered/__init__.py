"""The tools that the model is offered, and the effects of its plans."""
