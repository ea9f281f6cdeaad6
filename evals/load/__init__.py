"""The load: people shop over HTTP at a server of several processes, in a closed loop."""
