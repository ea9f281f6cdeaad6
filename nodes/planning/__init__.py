"""From a model's answer to a recorded plan: which calls, approved by whom, in which order."""
