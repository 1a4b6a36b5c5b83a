"""Words and sentences from which the shop's products, customers and reviews are drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

_CATEGORIES = """
Kitchen / Kettles: Kettle, Stove Kettle, Travel Kettle | 0.8 l, 1.2 l, 1.7 l | 18-90
Kitchen / Pans: Frying Pan, Saucepan, Griddle | 20 cm, 24 cm, 28 cm | 15-120
Kitchen / Knives: Bread Knife, Paring Knife, Cook's Knife | 10 cm, 16 cm, 21 cm | 9-110
Kitchen / Storage Jars: Glass Jar, Tin Box, Clip-top Jar | 0.5 l, 1 l, 2 l | 4-35
Kitchen / Mugs: Mug, Espresso Cup, Camping Mug | 0.2 l, 0.3 l, 0.5 l | 5-30
Kitchen / Baking Tins: Loaf Tin, Springform, Muffin Tray | small, medium, large | 8-45
Garden / Planters: Planter, Window Box, Hanging Basket | 30 cm, 45 cm, 60 cm | 8-95
Garden / Hoses: Garden Hose, Soaker Hose, Hose Reel | 10 m, 20 m, 30 m | 15-90
Garden / Hand Tools: Trowel, Pruner, Hand Fork | short, long | 6-60
Garden / Bird Feeders: Bird Feeder, Nest Box, Bird Bath | small, large | 10-70
Garden / Lanterns: Garden Lantern, Path Light, Candle Lantern | single, pair, set of four | 12-100
Garden / Garden Chairs: Folding Chair, Bench, Deck Chair | one seat, two seats | 30-240
Office / Desk Lamps: Desk Lamp, Clip Lamp, Reading Lamp | 40 cm, 60 cm | 20-140
Office / Notebooks: Notebook, Sketchbook, Ring Binder | A6, A5, A4 | 3-28
Office / Pens: Fountain Pen, Gel Pen, Brush Pen | fine, medium, broad | 2-60
Office / Desk Chairs: Desk Chair, Stool, Kneeling Chair | low, standard, high | 60-390
Office / Shelves: Wall Shelf, Bookcase, Corner Shelf | 60 cm, 90 cm, 120 cm | 25-210
Office / Clocks: Wall Clock, Alarm Clock, Table Clock | small, large | 9-85
Outdoors / Tents: Dome Tent, Tunnel Tent, Tarp | two people, three people, four people | 70-480
Outdoors / Sleeping Bags: Sleeping Bag, Quilt, Liner | regular, long | 25-260
Outdoors / Backpacks: Backpack, Day Pack, Roll-top Bag | 18 l, 30 l, 45 l | 30-220
Outdoors / Bottles: Water Bottle, Vacuum Flask, Folding Bottle | 0.5 l, 0.75 l, 1 l | 8-55
Outdoors / Head Torches: Head Torch, Camp Light, Hand Torch | 150 lm, 300 lm, 600 lm | 12-95
Outdoors / Stoves: Gas Stove, Wood Stove, Spirit Stove | one burner, two burners | 25-190
Home / Cushions: Cushion, Floor Cushion, Bolster | 40 cm, 50 cm, 60 cm | 9-65
Home / Blankets: Blanket, Throw, Bedspread | 130 cm, 150 cm, 200 cm | 18-160
Home / Rugs: Rug, Runner, Door Mat | 60 cm, 120 cm, 170 cm | 12-290
Home / Vases: Vase, Bud Vase, Jug | 12 cm, 20 cm, 30 cm | 7-90
Home / Towels: Bath Towel, Hand Towel, Beach Towel | 50 cm, 70 cm, 100 cm | 6-48
Home / Picture Frames: Picture Frame, Gallery Frame, Box Frame | 13 cm, 21 cm, 30 cm | 5-75
Play / Board Games: Board Game, Card Game, Dice Game | two players, four players, six players | 8-80
Play / Jigsaws: Jigsaw, Wooden Puzzle, Floor Puzzle | 100 pieces, 500 pieces, 1000 pieces | 9-50
Play / Model Kits: Model Ship, Model Bridge, Model Tower | 1:100, 1:50 | 15-160
Play / Kites: Kite, Stunt Kite, Box Kite | 90 cm, 140 cm, 180 cm | 12-110
Play / Juggling: Juggling Balls, Juggling Clubs, Diabolo | set of three, set of five | 8-70
Play / Paints: Watercolours, Gouache, Wax Crayons | 12 colours, 24 colours, 48 colours | 5-85
"""


@dataclass(frozen=True)
class Category:
    """A category of products.

    Attributes:
        name: Its name in addresses.
        heading: Its heading.
        department: The heading of the department that it belongs to.
        kinds: The kinds of its products.
        sizes: The sizes that its products come in.
        low: The price of its cheapest products, in dollars.
        high: The price of its dearest products, in dollars.
    """

    name: str
    heading: str
    department: str
    kinds: tuple[str, ...]
    sizes: tuple[str, ...]
    low: int
    high: int

    @classmethod
    def read(cls, text: str) -> Category:
        """Return the category of a line of `_CATEGORIES`."""
        where, _, rest = text.partition(": ")
        department, heading = where.split(" / ")
        kinds, sizes, prices = rest.split(" | ")
        low, high = prices.split("-")
        name = heading.lower().replace(" ", "-")
        of_kinds, of_sizes = tuple(kinds.split(", ")), tuple(sizes.split(", "))
        return cls(name, heading, department, of_kinds, of_sizes, int(low), int(high))


CATEGORIES: Mapping[str, Category] = {
    each.name: each for each in map(Category.read, _CATEGORIES.strip().splitlines())
}
"""All categories by name."""
DEPARTMENTS = tuple(dict.fromkeys(each.department for each in CATEGORIES.values()))
BRANDS = (
    *("Aldermoor", "Brackwell", "Corvane", "Dunlea", "Estwick", "Fenholm", "Garrow", "Hollin"),
    *("Iverdale", "Jarrick", "Kestrow", "Lindmark", "Morvane", "Northay"),
)
MANNERS = (
    *(
        "Classic",
        "Everyday",
        "Folding",
        "Light",
        "Sturdy",
        "Compact",
        "Premium",
        "Plain",
        "Striped",
    ),
    *("Round", "Slim", "Handmade", "Rustic", "Modern"),
)
SIGNS = "ABCDEFGHKLMNPRST"
"""The letters of the names of models."""
COLOURS = ("Black", "White", "Blue", "Green", "Red", "Grey", "Yellow", "Brown")
FIRST_NAMES = (
    *("Ada", "Bruno", "Clara", "Dario", "Elin", "Felix", "Greta", "Hugo", "Ines", "Jonas", "Kaya"),
    *("Leo", "Mira", "Nils", "Olga", "Pavel", "Quentin", "Rosa", "Sven", "Tilda", "Udo", "Vera"),
    *("Willem", "Xenia", "Yara", "Zeno"),
)
LAST_NAMES = (
    *("Abbot", "Berger", "Costa", "Dahl", "Ekman", "Fischer", "Gallo", "Hansen", "Ito", "Jansen"),
    *("Keller", "Lund", "Moreau", "Novak", "Olsen", "Petrov", "Quist", "Rossi", "Sauer", "Tanner"),
)
STREETS = (
    *("Mill Lane", "Harbour Street", "Orchard Way", "Station Road", "Chapel Hill", "River Walk"),
    *("Linden Avenue", "Castle Street", "Market Place", "Quarry Road", "Birch Close", "Bridge Row"),
)
CITIES = (
    *("Ashbury", "Brenton", "Calder", "Dunmore", "Elmsford", "Fairhaven", "Glenrock", "Haverton"),
    *("Kingsley", "Lakeside", "Milbrook", "Oakdale"),
)
ABOUT = (
    "A {manner} {kind} by {brand} for daily use.",
    "The {kind} that {brand} is known for, in a {manner} version.",
    "{brand} makes this {kind} in small batches.",
    "A {kind} that lasts. {brand} repairs it for ten years.",
)
DETAILS = (
    "Wipe with a damp cloth.",
    "Made of recycled material.",
    "Comes in a cardboard box.",
    "Spare parts are available.",
    "Tested for ten thousand uses.",
    "Two years of warranty.",
)
TITLES = {
    1: ("Broke in a week", "Sent it back", "Not worth it", "Very disappointed"),
    2: ("Expected more", "Only just usable", "Looks better than it is", "Too flimsy"),
    3: ("Does its job", "Neither good nor bad", "Fair for the price", "Average"),
    4: ("Good buy", "Happy with it", "Nearly perfect", "Solid work"),
    5: ("Could not be better", "Love it", "Bought a second one", "Best of its kind"),
}
BODIES = {
    1: ("The handle came off after {n} days.", "It arrived scratched, and nobody answered."),
    2: ("I hoped for more from {brand}.", "After {n} weeks it looks worn."),
    3: ("A plain {kind}, no more and no less.", "It took {n} days to arrive, but it works."),
    4: ("I have used this {kind} for {n} weeks now.", "Well made, but a bit heavy."),
    5: ("Everybody asks me about this {kind}.", "I use it {n} times a week."),
}
MESSAGES = (
    "When will my parcel arrive?",
    "Do you sell spare parts for this?",
    "Please send me the invoice again.",
    "Can I change the colour of my order?",
)
