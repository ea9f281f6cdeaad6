"""Run an effect at a sandbox and compare what happens with its declared guarantees."""
