"""An agent whose effects on the world happen exactly once, or are put before a human."""
