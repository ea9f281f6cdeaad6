"""The API in several processes on one Postgres: Aegra with Daybook's access rules and graph."""
