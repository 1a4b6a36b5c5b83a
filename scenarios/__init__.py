"""Scenarios: each gives a world, a goal, an instruction, advice, a solution and near misses."""
