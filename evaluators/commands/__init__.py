"""Commands of `rehearse` beside `run`: doctor, demo, list, exemplars, replay."""
