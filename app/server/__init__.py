"""The server: sign-in, access rules, resources and start."""
