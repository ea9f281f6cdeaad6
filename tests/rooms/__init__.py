"""A second domain, as an adopter would write it: meeting rooms. It shares no line with the shop."""
