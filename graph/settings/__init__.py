"""What the environment says."""
