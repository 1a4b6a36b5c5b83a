"""The scorers: a module for each site, with the site's name."""
