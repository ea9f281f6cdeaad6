"""The tools of the agent, one file each."""
