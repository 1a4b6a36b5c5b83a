"""Families of tasks in the back office."""
