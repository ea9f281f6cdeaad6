"""Try a service at its sandbox, and see which declared guarantees hold."""
