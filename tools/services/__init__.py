"""Services: what their answers prove, and how a request is sent once."""
