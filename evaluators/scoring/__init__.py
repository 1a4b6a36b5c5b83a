"""Score a world: scorers by site, answers, rewards and the progress curve."""
