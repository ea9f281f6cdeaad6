"""Send from a child process that the kernel kills at the call's deadline."""
