"""Modules of the commands doctor, demo, list, exemplars, replay and mcp of `rehearse`."""
