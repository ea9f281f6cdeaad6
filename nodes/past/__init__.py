"""The past of a thread: ended plans, branches, lessons and memory."""
