"""Runs on recorded tasks of Mind2Web, and their figures."""
