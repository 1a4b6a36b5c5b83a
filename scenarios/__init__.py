"""Scenarios: from a seed to a world, a goal, an instruction, advice, a solution, near misses."""
