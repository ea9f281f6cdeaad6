"""Runs of threads: checkpoints, the one runner of each, jobs, what stalled."""
