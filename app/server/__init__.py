"""The server's side: who signs in, what is open, how it is started."""
