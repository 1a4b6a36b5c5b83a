"""Families of the widgets: a task page each, advice from what the page says and shows."""
