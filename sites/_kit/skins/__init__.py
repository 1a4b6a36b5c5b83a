"""The parts that the skins of a declared site are made of, and the drawing of a skin by a number."""
