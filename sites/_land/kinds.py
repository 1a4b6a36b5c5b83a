"""The kinds of places of a city: how often each occurs, how it is named and what it tells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

_KINDS = """
cafe, cafes | amenity | node | 14 | {thing} Cafe | hours phone website cuisine | 3
restaurant, restaurants | amenity | node | 16 | {thing} Kitchen; The {thing} Table; Restaurant {thing} | hours phone website cuisine | 3
fast food restaurant, fast food restaurants | amenity | node | 5 | {thing} Burgers; {thing} Noodles | hours cuisine | 2
pub, pubs | amenity | node | 7 | The {thing} Inn; The {thing} Arms | hours phone | 2
ice cream parlour, ice cream parlours | amenity | node | 3 | {thing} Ices | hours | 1
pharmacy, pharmacies | amenity | node | 6 | {thing} Pharmacy | hours phone operator | 3
hospital, hospitals | amenity | way | 3 | {street} Hospital | phone website operator | 9
clinic, clinics | amenity | way | 3 | {district} Clinic | hours phone | 4
dentist, dentists | amenity | node | 4 | Dentist {surname} | hours phone | 1
veterinary surgery, veterinary surgeries | amenity | node | 2 | Veterinary Surgery {surname} | hours phone | 1
school, schools | amenity | way | 8 | {street} School; {surname} School | phone website operator | 4
kindergarten, kindergartens | amenity | way | 4 | {thing} Kindergarten | phone operator | 2
university, universities | amenity | way | 1 | University of {city} | phone website | 9
college, colleges | amenity | way | 2 | {surname} College | phone website | 6
library, libraries | amenity | way | 4 | {district} Library | hours phone website | 5
concert hall, concert halls | amenity | way | 3 | {thing} Concert Hall | phone website | 6
cinema, cinemas | amenity | way | 3 | {thing} Cinema | phone website | 5
community centre, community centres | amenity | way | 3 | {district} Community Centre | hours phone | 3
bank, banks | amenity | node | 3 | {surname} Bank | hours website | 3
post office, post offices | amenity | node | 5 | {district} Post Office | hours operator | 4
police station, police stations | amenity | way | 3 | {district} Police Station | phone | 5
fire station, fire stations | amenity | way | 3 | {street} Fire Station | phone | 4
fuel station, fuel stations | amenity | node | 3 | {street} Fuel | hours operator | 2
bicycle rental, bicycle rentals | amenity | node | 4 | {thing} Cycles for Rent | hours phone | 1
car rental, car rentals | amenity | node | 2 | {surname} Car Rental | hours phone website | 2
market hall, market halls | amenity | way | 2 | {street} Market Hall | hours | 5
town hall, town halls | amenity | way | 1 | {city} Town Hall | hours phone website | 8
courthouse, courthouses | amenity | way | 1 | {city} Courthouse | phone | 7
chapel, chapels | amenity | way | 5 | {street} Chapel | - | 3
railway station, railway stations | railway | way | 2 | {city} Central Station; {district} Station | website operator | 9
supermarket, supermarkets | shop | way | 4 | {thing} Supermarket | hours phone | 3
bakery, bakeries | shop | node | 8 | {surname} Bakery; {thing} Bakery | hours | 2
butcher, butchers | shop | node | 3 | {surname} & Sons Butchers | hours phone | 1
greengrocer, greengrocers | shop | node | 3 | {thing} Greengrocer | hours | 1
convenience store, convenience stores | shop | node | 5 | {street} Corner Store | hours | 1
department store, department stores | shop | way | 2 | {surname} Department Store | hours phone website | 6
bookshop, bookshops | shop | node | 4 | {thing} Books | hours phone website | 2
clothes shop, clothes shops | shop | node | 6 | {thing} Clothes | hours website | 2
shoe shop, shoe shops | shop | node | 3 | {surname} Shoes | hours | 1
bicycle shop, bicycle shops | shop | node | 3 | {thing} Bicycles | hours phone | 2
hardware store, hardware stores | shop | node | 3 | {surname} Hardware | hours phone | 2
electronics shop, electronics shops | shop | node | 3 | {thing} Electronics | hours phone website | 2
furniture shop, furniture shops | shop | way | 2 | {surname} Furniture | hours phone website | 2
florist, florists | shop | node | 4 | {thing} Flowers | hours phone | 1
hairdresser, hairdressers | shop | node | 6 | {thing} Hair | hours phone | 1
optician, opticians | shop | node | 2 | {surname} Opticians | hours phone | 1
toy shop, toy shops | shop | node | 2 | {thing} Toys | hours | 1
stationery shop, stationery shops | shop | node | 2 | {thing} Paper | hours | 1
launderette, launderettes | shop | node | 3 | {street} Launderette | hours | 1
car repair shop, car repair shops | shop | node | 3 | {surname} Motors | hours phone | 1
garden centre, garden centres | shop | way | 2 | {thing} Garden Centre | hours phone website | 2
hotel, hotels | tourism | way | 8 | Hotel {thing}; {street} Hotel | phone website stars | 5
hostel, hostels | tourism | node | 3 | {thing} Hostel | phone website | 2
museum, museums | tourism | way | 5 | Museum of {topic} | hours phone website | 8
gallery, galleries | tourism | node | 3 | {surname} Gallery | hours phone | 4
zoo, zoos | tourism | way | 1 | {city} Zoo | hours phone website | 8
viewpoint, viewpoints | tourism | node | 2 | {thing} Viewpoint | - | 3
stadium, stadiums | leisure | way | 3 | {thing} Ground; {street} Stadium | website operator | 8
sports centre, sports centres | leisure | way | 4 | {district} Sports Centre | hours phone | 4
swimming pool, swimming pools | leisure | way | 3 | {district} Swimming Pool | hours phone | 4
playground, playgrounds | leisure | node | 4 | {thing} Playground | - | 1
newspaper office, newspaper offices | office | node | 2 | {city} {paper} | phone website | 4
insurance office, insurance offices | office | node | 3 | {surname} Insurance | hours phone website | 1
law office, law offices | office | node | 4 | {surname} Law Office | hours phone | 1
estate agent, estate agents | office | node | 3 | {surname} Homes | hours phone | 1
"""  # noqa: E501
"""The word and its plural | the group | the form on the map | how many a medium city has |
patterns of the name | the facts of its page | its importance."""


@dataclass(frozen=True)
class Kind:
    """A kind of places.

    Attributes:
        name: The word for a single place of the kind.
        plural: The word for several of them.
        group: The group, such as `shop`.
        form: The form on the map: `node`, `way` or `relation`.
        many: The number of them in a medium city, without branches of chains.
        patterns: The patterns of the names.
        facts: The facts that a page of such a place tells.
        importance: How well known such a place is, from 1 to 9.
    """

    name: str
    plural: str
    group: str
    form: str
    many: int
    patterns: tuple[str, ...]
    facts: tuple[str, ...]
    importance: int

    @classmethod
    def read(cls, line: str) -> Kind:
        """Return the kind of a line of `_KINDS`."""
        words, group, form, many, patterns, facts, importance = line.split(" | ")
        name, plural = words.split(", ")
        listed = tuple(facts.split()) if facts != "-" else ()
        named = tuple(patterns.split("; "))
        return cls(name, plural, group, form, int(many), named, listed, int(importance))

    @cached_property
    def words(self) -> tuple[str, str]:
        """The words that a search knows the kind by."""
        return self.name, self.plural


KINDS: Mapping[str, Kind] = {
    kind.name: kind for kind in map(Kind.read, _KINDS.strip().splitlines())
}
"""All kinds by name."""
PARK = Kind("park", "parks", "leisure", "relation", 0, ("{thing} Park",), (), 6)
BRANCHES = {
    "supermarket": 2, "cafe": 2, "fast food restaurant": 1, "bank": 2, "pharmacy": 1,
    "fuel station": 1, "hotel": 1, "clothes shop": 1,
}  # fmt: skip
"""The number of chains of a kind."""
