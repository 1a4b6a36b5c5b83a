"""Summaries of records: intervals, comparisons, failure modes, plans and retrieval."""
