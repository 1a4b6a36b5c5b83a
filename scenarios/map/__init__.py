"""Families of tasks on the map that is declared with the kit."""
