"""Commands of `rehearse` beside `run`: doctor, demo, list, exemplars, and maintenance scripts."""
