"""Run the command line as `python -m daybook.app`."""

from daybook.__main__ import main

main()
