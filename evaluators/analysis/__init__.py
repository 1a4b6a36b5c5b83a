"""Statistics over the records of episodes: summaries, intervals, comparisons, failure modes, plans
and retrieval.
"""
