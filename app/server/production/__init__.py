"""The API in several processes on one Postgres: Aegra, with our door, fence and graph."""
