"""Statistics over records: summaries, intervals, comparisons, failure modes, plans and
retrieval.
"""
