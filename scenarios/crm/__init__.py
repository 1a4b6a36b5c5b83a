"""Families of tasks at the airline's desk: the six types of SteP's simulator (section 5)."""
