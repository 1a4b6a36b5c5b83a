"""The handbook of the airline desk at task level 3: the rules, tables, procedures and bulletins of
one edition.
"""
