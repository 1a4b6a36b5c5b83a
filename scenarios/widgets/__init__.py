"""Families of the widget tasks: one task page each, with advice read from the page itself."""
