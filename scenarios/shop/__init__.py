"""Families of tasks in the shop that is declared with the kit."""
