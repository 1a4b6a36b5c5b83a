"""A lane without a browser: it calls a site's application in this process and reads the HTML."""
