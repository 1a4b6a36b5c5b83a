"""The commands of `rehearse` that need a module: doctor, demo, list, exemplars, replay, mcp."""
