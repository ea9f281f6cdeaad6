"""The settings from the environment."""
