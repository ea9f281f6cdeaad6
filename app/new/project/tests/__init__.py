"""Tests on a real Postgres, with the service as a process, and with SIGKILL."""
