"""Places of the map, as families of the map and of other sites draw them."""

NAMED = """SELECT p.* FROM places p WHERE p.chain = '' AND p.district != ''
  AND p.kind NOT LIKE 'closed%' AND p.street != '' AND p.label = p.name"""
"""The places of the city that have a street and a name of their own."""
OF_KIND = "SELECT p.* FROM places p WHERE p.kind = ? AND p.district != '' ORDER BY p.id"
SOUGHT = {
    "pharmacy": "pharmacies", "supermarket": "supermarkets", "cafe": "cafes", "bank": "banks",
    "bakery": "bakeries", "post office": "post offices", "library": "libraries",
    "hairdresser": "hairdressers", "restaurant": "restaurants", "hotel": "hotels", "pub": "pubs",
    "school": "schools",
}  # fmt: skip
"""Kinds with several places in each city, and the words that a search takes."""
