"""Tests with a real Postgres, a fake service and SIGKILL."""
