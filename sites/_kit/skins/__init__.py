"""The parts of which the skins of a declared site are made, and skins drawn by a number."""
