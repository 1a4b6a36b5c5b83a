"""Families of tasks in the store."""
