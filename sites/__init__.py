"""The bundled sites: Flask applications that show site data and the database of each visit
(world).
"""
