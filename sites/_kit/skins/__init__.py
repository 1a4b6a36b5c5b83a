"""The parts of a site's skins, and skins that are drawn by a number."""
