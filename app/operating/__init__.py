"""Operation: the worker and the metrics."""
