"""Build a site from its declaration: tables, operations, pages and skins."""
