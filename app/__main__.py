"""Run the command line as `python -m daybook.app`."""

from daybook.app.cli import main

main()
