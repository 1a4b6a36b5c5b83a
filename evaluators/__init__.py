"""Scores, the control plane, the engine that runs episodes, statistics and the report."""
