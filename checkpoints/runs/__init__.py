"""Runs of threads: checkpoints, runner leases, jobs, stalled threads."""
