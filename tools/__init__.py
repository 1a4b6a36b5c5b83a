"""Scripts for maintainers, run from a checkout: `python -m tools.<name>`."""
