"""Tests on a real Postgres, with a fake service, and with SIGKILL."""
