"""Score a world: a scorer per site, answers, rewards and the progress curve."""
