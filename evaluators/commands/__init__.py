"""Commands of `rehearse` other than `run`: doctor, demo, list, exemplars, replay, mcp."""
