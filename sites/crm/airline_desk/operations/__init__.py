"""What can be done at the whole desk, as functions of a world: for its pages and for solutions."""
