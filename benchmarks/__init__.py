"""Measurements against the naive way; never part of the test run."""
