"""Names of cities, provinces, streets, people and chains, all made up."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

STARTS = (
    "Vel", "Ost", "Mar", "Tar", "Bren", "Kal", "Lis", "Dor", "Fen", "Gal", "Hol", "Jor", "Kes",
    "Lor", "Nor", "Pel", "Quen", "Ros", "Sel", "Tol", "Ulm", "Var", "Wex", "Yar", "Zel", "Am",
    "Bor", "Cal", "Del", "Est", "Far", "Gren", "Hal", "Ing", "Kor", "Mel", "Ner", "Or", "Pren",
    "Rav", "San", "Thal", "Ver", "Wol",
)  # fmt: skip
MIDDLES = ("", "", "", "a", "e", "o", "en", "or", "in", "ul")
CITY_ENDS = ("mar", "wick", "stad", "haven", "burg", "vale", "dorn", "mere", "holm", "quist")
PROVINCE_ENDS = ("onia", "esse", "mark", "ane", "ovia", "uria", "ance", "elia")
SURNAME_ENDS = ("man", "sen", "ley", "ric", "ova", "etti", "ak", "und", "elin", "ard", "ow", "ine")
FIRST_NAMES = (
    "Adela", "Anton", "Beatrix", "Bruno", "Clara", "Caspar", "Dora", "Edmund", "Elin", "Felix",
    "Greta", "Hugo", "Ida", "Ivor", "Jana", "Jonas", "Karin", "Konrad", "Lena", "Lorenz", "Mira",
    "Matthias", "Nora", "Oskar", "Paula", "Quentin", "Rosa", "Rufus", "Selma", "Simon", "Tessa",
    "Theo", "Ursula", "Viktor", "Wanda", "Willem", "Yvonne", "Zeno",
)  # fmt: skip
STREET_WORDS = (
    "Alder", "Anchor", "Apple", "Arbor", "Barley", "Beacon", "Birch", "Bishop", "Bramble",
    "Brewer", "Brick", "Canal", "Candle", "Castle", "Cedar", "Chapel", "Cherry", "Church",
    "Clover", "Cooper", "Copper", "Crane", "Crown", "Dove", "Elm", "Falcon", "Farrier", "Fern",
    "Ferry", "Field", "Forge", "Foundry", "Fountain", "Garden", "Gate", "Glass", "Granary",
    "Grove", "Harbor", "Hawthorn", "Hazel", "Heron", "Hill", "Holly", "Iron", "Juniper", "King",
    "Lantern", "Larch", "Laurel", "Lavender", "Linden", "Lock", "Magnolia", "Maple", "Market",
    "Meadow", "Mill", "Mint", "Monk", "Nettle", "Nightingale", "Oak", "Orchard", "Otter", "Pear",
    "Pepper", "Pilgrim", "Pine", "Plum", "Poplar", "Potter", "Prince", "Priory", "Quarry",
    "Queen", "Quince", "Raven", "Reed", "River", "Robin", "Rope", "Rose", "Rowan", "Saddler",
    "Sage", "Sail", "School", "Silver", "Smith", "Sparrow", "Spring", "Station", "Stone",
    "Swan", "Tanner", "Temple", "Thistle", "Tower", "Vine", "Violet", "Walnut", "Water",
    "Weaver", "Well", "Willow", "Windmill", "Wool", "Yew",
)  # fmt: skip
STREET_ENDS = ("Street", "Road", "Lane", "Avenue", "Way")
DISTRICTS = (
    "Old Town", "Harborside", "Northgate", "Southbank", "Millfields", "The Terraces", "Eastcliff",
    "Westmoor", "Gardenham", "Stonebridge", "Lakeside", "Highfield", "Brookside", "Kingsmead",
    "Fairview", "Ashgrove",
)  # fmt: skip
THINGS = (
    "Acorn", "Amber", "Arrow", "Badger", "Bell", "Blue Door", "Bluebird", "Cobalt", "Comet",
    "Compass", "Coral", "Cricket", "Daisy", "Dolphin", "Eagle", "Ember", "Feather", "Fiddle",
    "Firefly", "Fox", "Ginger", "Golden Key", "Green Man", "Harvest", "Hare", "Hedgehog", "Honey",
    "Indigo", "Ivory", "Ivy", "Jade", "Jasmine", "Kestrel", "Kite", "Lark", "Lemon", "Lion",
    "Lotus", "Lynx", "Marigold", "Moon", "Moss", "North Star", "Olive", "Opal", "Orbit", "Owl",
    "Parrot", "Peacock", "Pebble", "Pelican", "Phoenix", "Plume", "Poppy", "Quill", "Red Lion",
    "Rocket", "Saffron", "Scarlet", "Ship", "Snowdrop", "Stag", "Starling", "Sunflower",
    "Swallow", "Tangerine", "Tiger", "Topaz", "Tulip", "Turtle", "Velvet", "Walrus", "White Horse",
    "Wren", "Zephyr",
)  # fmt: skip
BRANDS = (
    "Bravenna", "Cortelli", "Dunmere", "Everlin", "Fintra", "Gromond", "Hexley", "Innoreva",
    "Jaspero", "Kettner", "Lumaro", "Montavi", "Nordequa", "Ottaro", "Pellinor", "Quadrela",
    "Rimaldi", "Soltera", "Trevanio", "Umbrel", "Vantoro", "Wendlow", "Xandrel", "Yorvane",
    "Zimbrel",
)  # fmt: skip


class Names:
    """Draws names, each of them once.

    Args:
        rng: The source of the draws.
    """

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._used: set[str] = set()
        self._starts: set[tuple[str, tuple[str, ...]]] = set()

    def city(self) -> str:
        """Return the name of a city. No two cities start alike."""
        return self._apart(CITY_ENDS)

    def province(self) -> str:
        """Return the name of a province or a national park. No two of them start alike."""
        return self._apart(PROVINCE_ENDS)

    def surname(self) -> str:
        """Return a surname."""
        return self._new(SURNAME_ENDS)

    def person(self) -> str:
        """Return a first name and a surname."""
        return f"{self._rng.choice(FIRST_NAMES)} {self.surname()}"

    def streets(self) -> Iterator[str]:
        """Yield names of streets; the last words change most slowly, so near names are rare."""
        words = [*STREET_WORDS]
        self._rng.shuffle(words)
        for before in ("", "Upper ", "Lower ", "Old ", "New "):
            for end in STREET_ENDS:
                for word in words:
                    yield f"{before}{word} {end}"

    def _apart(self, ends: tuple[str, ...]) -> str:
        """Return a name whose first three letters no other name with these ends has."""
        while True:
            name = self._new(ends)
            if (name[:3], ends) not in self._starts:
                self._starts.add((name[:3], ends))
                return name

    def _new(self, ends: tuple[str, ...]) -> str:
        while True:
            parts = self._rng.choice(STARTS), self._rng.choice(MIDDLES), self._rng.choice(ends)
            name = "".join(parts)
            if name not in self._used and "aa" not in name and "ee" not in name:
                self._used.add(name)
                return name
