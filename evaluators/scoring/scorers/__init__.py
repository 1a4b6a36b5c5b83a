"""One scorer a site; the file's name is the site's."""
