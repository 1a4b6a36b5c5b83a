"""The bundled sites: Flask application factories over site data and worlds."""
