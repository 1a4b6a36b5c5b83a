"""Tasks in the back office of the shop."""
