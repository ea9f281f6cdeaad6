"""Run the command line as `python -m daybook`."""

from daybook.app.cli import main

main()
