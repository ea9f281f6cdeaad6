"""Questions that wait for a person: what is asked, how clients show it, and what is answered."""
