"""What every request passes before it is answered: closed routes, spelling, redaction, headers."""
