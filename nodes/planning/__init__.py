"""From a model's answer to a plan that is written: which calls, judged by whom, in which order."""
