"""Scenarios: each has an instruction, a start state (world), a solution, advice and near misses.

A near miss is a wrong end state that looks right.
"""
