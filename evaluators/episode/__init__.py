"""Run one episode: the environment, the metered page and model, the budget, the ending, the
trace.
"""
