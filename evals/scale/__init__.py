"""What a hundred thousand open threads cost whoever works beside them: `-m evals.scale`."""
