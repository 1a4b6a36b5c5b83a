"""The whole desk: journeys of several people, in the fronts of three airlines."""
