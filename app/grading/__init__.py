"""Grade the steps of a thread, and ask a model again for one of them."""
