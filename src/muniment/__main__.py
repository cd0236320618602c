"""`python -m muniment` is the command line."""

from muniment.cli.main import main

main()
