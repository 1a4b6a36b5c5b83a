"""The families of declared sites: a family draws rows and says what is right, and this package
derives the start world, the solution, the near misses and the advice.
"""
