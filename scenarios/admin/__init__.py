"""Families of tasks in the back office of the shop, which is declared with the kit."""
