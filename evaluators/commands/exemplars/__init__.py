"""Build and measure the exemplars and the exemplar memory of Synapse."""
