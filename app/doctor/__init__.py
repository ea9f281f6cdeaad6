"""What is set up, reachable and migrated."""
