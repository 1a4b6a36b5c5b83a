"""Build the exemplars and the exemplar memory of Synapse, and measure them."""
