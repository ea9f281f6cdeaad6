"""The protocol's AP2 extension, where a setting says so: orders are taken by mandate alone."""
