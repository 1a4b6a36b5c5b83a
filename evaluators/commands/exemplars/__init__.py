"""Build the exemplars (recorded trajectories as examples) and the exemplar memory of Synapse, and
measure them.
"""
