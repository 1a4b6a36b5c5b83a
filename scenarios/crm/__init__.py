"""Families of tasks in the airline CRM: the six types of SteP's simulator (section 5)."""
