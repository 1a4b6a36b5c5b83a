"""Run many episodes: arguments, scheduling, workers, costs, resuming and merging."""
