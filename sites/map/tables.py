"""The tables of the map, and the queries by which its pages read them."""

from __future__ import annotations

from sites._kit.declare import Table

TABLES = (
    Table("visitors", "name TEXT PRIMARY KEY", ("name",)),
    Table("countries", "size TEXT, number INTEGER, PRIMARY KEY (size, number)", ("size", "number")),
    Table(
        "places",
        "id INTEGER PRIMARY KEY, type TEXT, name TEXT, kind TEXT, label TEXT, address TEXT,"
        " street TEXT, district TEXT, postcode TEXT, city TEXT, province TEXT, lat REAL, lon REAL,"
        " junction INTEGER, importance INTEGER, chain TEXT",
        ("id",),
        index=("kind", "district", "name"),
    ),
    Table(
        "facts",
        "place INTEGER, fact TEXT, value TEXT, PRIMARY KEY (place, fact)",
        ("place", "fact"),
        about={"place": "places"},
    ),
    Table(
        "notes",
        "note INTEGER PRIMARY KEY, place INTEGER, visitor TEXT, text TEXT, at REAL",
        ("note",),
        drawn=("note", "at"),
        about={"place": "places"},
    ),
)
PLACES = """
SELECT p.*, p.name AS title, printf('%.5f, %.5f', p.lat, p.lon) AS location, 16 AS zoom,
  printf('%.5f', p.lat) AS latitude, printf('%.5f', p.lon) AS longitude
FROM places p"""
DISTRICTS = """
SELECT p.district, p.district AS heading, min(p.postcode) AS postcode, count(*) AS inside
FROM places p WHERE p.district != '' GROUP BY p.district"""
NOTES = """
SELECT n.note, n.text, n.at, n.place, p.type, p.id, p.name, p.name AS of_place
FROM notes n JOIN places p ON p.id = n.place WHERE n.visitor = :me"""
KINDS = "SELECT DISTINCT kind FROM places WHERE district != '' ORDER BY kind"
COUNTRY = PLACES + " WHERE p.district = ''"
COUNTRY_KINDS = "SELECT DISTINCT kind FROM places WHERE district = '' ORDER BY kind"
PERSONAS = "SELECT name FROM visitors"
"""The visitors. The map asks nobody to sign in; a visitor is told by the notes."""
