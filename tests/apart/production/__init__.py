"""The API in several processes: `make production`, with Aegra in an environment of its own."""
