"""Tasks on the code host."""
