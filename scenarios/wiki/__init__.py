"""Families of tasks in the encyclopedia that is declared with the kit."""
