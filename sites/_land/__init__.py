"""A made-up country, drawn from a number: a city with streets and places, the country around it,
and facts about its people and works. The map and the encyclopedia show the same country.

No visit can change a country, so it is data of the sites and no part of a world.
"""
