"""What the agent can do: one file for each tool."""
