"""The handbook of the desk at level 3: rules, tables, procedures and bulletins of an edition."""
