"""Run many episodes (an agent on a task each): arguments, scheduling, workers, costs, resuming and
merging.
"""
