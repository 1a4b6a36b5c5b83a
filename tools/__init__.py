"""Maintainers' scripts, run from a checkout: `python -m tools.<name>`."""
