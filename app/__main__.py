"""Run the command line as `python -m app`."""

from app.cli import main

main()
