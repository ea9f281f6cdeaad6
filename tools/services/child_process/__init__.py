"""Send from a process of its own that the kernel ends at the call's deadline."""
