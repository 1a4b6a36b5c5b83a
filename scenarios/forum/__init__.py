"""Families of tasks on the forum."""
