"""Score the final state of an episode: a scorer per site, answers, rewards and the progress
curve.
"""
