"""Words and sentences from which the forum's names, titles and texts are drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

_TOPICS = """
sailing: sails, winches, anchors, tide tables | reading the tide, mooring alone | tangled sheets
boats: hulls, planks, varnishes, oarlocks | steaming a plank, sealing a seam | leaking seams
knitting: needles, yarns, stitch markers, cuffs | turning a heel, blocking a shawl | dropped stitches
weaving: looms, shuttles, warps, reeds | threading the heddles, mixing twill and plain | broken threads
quilting: quilt blocks, battings, borders, thimbles | squaring a block, basting in layers | puckered rows
beekeeping: hives, smokers, frames, veils | wintering a hive, catching a swarm | robber wasps
chess: openings, endgames, pawn chains, chess clocks | defending with rooks, playing for a draw | blunders
board-games: dice, tokens, rule books, card sleeves | teaching a new game, keeping score | missing pieces
puzzles: jigsaws, ciphers, riddles, number grids | sorting the edge, checking a clue | lost corner pieces
astronomy: telescopes, eyepieces, star charts, mounts | finding a nebula, sketching a crater | street lights
pottery: kilns, glazes, potter's wheels, clays | throwing a bowl, trimming a foot | cracked handles
cycling: tyres, saddles, panniers, bicycle bells | truing a wheel, climbing in the rain | slow punctures
baking: loaves, sourdoughs, rolling pins, tins | proving a dough, scoring a loaf | flat loaves
bakers: market stalls, price boards, flour sacks, crates | selling before dawn, planning a batch | unsold rolls
gardening: seedlings, trellises, raised beds, hedges | pruning a pear tree, sowing in rows | hungry slugs
gardens: labyrinths, rose walks, ponds, glasshouses | visiting with children, drawing a border | closed gates
composting: heaps, worms, leaf moulds, sieves | turning a heap, layering straw | sour heaps
climbing: harnesses, belay devices, chalk bags, holds | falling well, resting on a ledge | sore fingers
woodwork: chisels, clamps, dovetails, work benches | cutting a joint, oiling a table | warped boards
carving: spoons, gouges, strops, blanks | carving a ladle, finishing with wax | split grain
photography: lenses, tripods, flashguns, darkrooms | printing in black and white, waiting for light | blurred hands
drumming: cymbals, snares, drum sticks, metronomes | playing brushes, keeping a slow beat | uneven rolls
singing: hymn books, altos, rounds, scales | breathing low, holding the second part | flat tenors
origami: paper cranes, squares, crease patterns, stars | folding wet paper, drawing a diagram | torn corners
birding: binoculars, warblers, hides, checklists | telling gulls apart, counting at dawn | silent woods
birdhouses: nest boxes, entrance holes, perches, tin roofs | hanging a box, facing it east | curious squirrels
kayaking: paddles, spray decks, dry bags, rudders | rolling upright, landing on stones | cross winds
hiking: boots, trail maps, rucksacks, walking poles | crossing a stream, packing light | washed-out paths
running: laces, hill sprints, split times, trail shoes | pacing a long run, running with a dog | side stitches
swimming: goggles, lanes, kickboards, wetsuits | breathing on both sides, turning at the wall | cold mornings
fencing: foils, masks, lunges, parries | beating the blade, holding the distance | late parries
archery: bows, quivers, target faces, fletchings | anchoring at the chin, reading the wind | lost arrows
juggling: clubs, rings, beanbags, cascades | passing with a partner, juggling four | low ceilings
puppetry: marionettes, strings, small stages, glove puppets | building a head, walking a figure | stuck joints
calligraphy: nibs, inks, broad pens, ruled sheets | spacing capitals, gilding an initial | smeared lines
printing: presses, linocuts, rollers, type cases | mixing a colour, cutting a block | crooked margins
cartography: contour lines, compasses, legends, projections | surveying a field, lettering a river | wrong scales
mosaics: tesserae, grouts, nippers, pebbles | laying a border, copying a floor | loose pebbles
bonsai: junipers, shallow pots, copper wires, root balls | wiring a branch, repotting in spring | yellow needles
foraging: mushrooms, elderberries, nettles, baskets | drying a harvest, walking after rain | look-alikes
"""  # noqa: E501
"""A forum's name, then its things, what its members do, and what goes wrong."""


@dataclass(frozen=True)
class Topic:
    """The vocabulary of a forum.

    Attributes:
        name: The forum's name.
        things: Nouns in the plural. No two topics share one.
        acts: What members do, in the -ing form.
        trouble: What goes wrong, in the plural.
    """

    name: str
    things: tuple[str, ...]
    acts: tuple[str, ...]
    trouble: str

    @classmethod
    def read(cls, line: str) -> Topic:
        """Return the topic of a line of `_TOPICS`."""
        name, _, words = line.partition(": ")
        things, acts, trouble = (part.split(", ") for part in words.split(" | "))
        return cls(name, tuple(things), tuple(acts), trouble[0])


TOPICS: Mapping[str, Topic] = {
    topic.name: topic for topic in map(Topic.read, _TOPICS.strip().splitlines())
}
"""All topics by the name of their forum."""
THINGS = tuple(thing for topic in TOPICS.values() for thing in topic.things)
PLACES = (
    *("harbour", "valley", "kitchen", "attic", "garden", "workshop", "island", "station"),
    *("bridge", "market", "meadow", "tower", "orchard", "library", "barn", "quay"),
)
NAMES = (
    *("wren", "otter", "maple", "ridge", "quill", "ember", "lark", "fern", "basil", "comet"),
    *("delta", "ivory", "juniper", "linden", "mango", "nettle", "olive", "pepper", "quartz"),
    *("raven", "sable", "tulip", "umber", "violet", "willow", "yarrow", "zephyr", "birch"),
)
MONTHS = ("January", "March", "April", "May", "July", "September", "October", "December")
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
CONTEXTS = (
    *("in a small flat", "on a balcony", "near the coast", "in winter", "after a wet week"),
    *("with children around", "on a tight budget", "without a car", "after work", "at sixty"),
    *("in a shared shed", "before breakfast", "on a windy day", "with a bad knee", "by lamp light"),
    *("for the first time", "in the rain", "with old tools", "in a cold room", "on holiday"),
)
TITLES = (
    "What do you do about {trouble}?",
    "Anyone else tired of {trouble} {context}?",
    "First time {act}: what should I know?",
    "{things} or {others} for a beginner?",
    "Is {act} worth it {context}?",
    "How long did {act} take you to learn?",
    "Where do you keep your {things} {context}?",
    "Good {things} for under {n} crowns?",
    "How many {things} are too many?",
    "Can {things} be mended at home?",
    "Who taught you {act}?",
    "Notes after {n} days of {act}",
    "{things} that I bought twice",
    "I finally managed {act} {context}",
    "A cure for {trouble}, of sorts",
    "{n} years of {act}, in five lessons",
    "Please label your {things}",
    "Weekly thread on {things}, {month}",
    "Report from {month}: {act} {context}",
    "Old {things} against new {others}",
    "A short guide to {act}",
    "Stop blaming the {things}",
    "Found {n} {things} in an attic",
    "In praise of cheap {things}",
    "{things} matter less than you think",
    "Swap: my {things} for your {others}",
    "Looking for company: {act} {context}",
    "Help with {trouble} since {month}",
    "My list of {things} for {month}",
    "Lost in the {place}: {things}",
)
LINK_TITLES = (
    "A long read on {act}",
    "Museum opens a room of {things}",
    "Survey: {n} clubs on {act} {context}",
    "An old pattern book of {things}, scanned",
    "How the {place} in the north saved its {things}",
    "Free talk in {month}: {act}",
)
PICTURE_TITLES = (
    "My {things} {context}",
    "View from the {place} while {act}",
    "{month} sketch: {things}",
    "The {place} at dawn, after {act}",
    "Result of {n} evenings of {act}",
)
BODIES = (
    "I have been {act} for {n} years and still get it wrong.",
    "Last {day} I tried it {context}, and it went better than I feared.",
    "My neighbour swears by {things}, but I am not convinced.",
    "The {things} came from a house clearance, so I cannot say how old they are.",
    "Before you ask: yes, I checked for {trouble} first.",
    "It took me {n} evenings, and most of that was waiting.",
    "I keep a notebook, and it says that {day} is always the worst.",
    "The shop at the {place} told me to buy {others} instead.",
    "Nobody in my family understands why I need more {things}.",
    "I borrowed {n} {things} from the club, and now I do not want to give them back.",
    "Has anybody tried {act} {context}?",
    "A friend who works at the {place} showed me a trick, and I will write it up in {month}.",
    "The cheap ones broke within {n} weeks.",
    "I would rather mend my {things} than buy new ones.",
    "My plan is simple: start with {act}, then see about the {others}.",
    "If there is a rule against asking this, tell me and I will take it down.",
    "I learned {act} from my aunt, who did it {context} all her life.",
    "Between us, {trouble} nearly made me give up in {month}.",
    "The {place} is the only room with enough space for the {things}.",
    "Every guide says something else about {act}.",
    "I measured twice and still ended up with {trouble}.",
    "Pictures will follow when the {place} is tidy again.",
    "Thanks to everybody who answered my last question about {things}.",
    "What would you do with {n} crowns and one free {day}?",
)
COMMENTS = (
    "Same here. In my case it was the {things}.",
    "I would start with the {others} and leave the rest for {month}.",
    "Not my experience: {act} {context} never gave me {trouble}.",
    "Which {things} do you use?",
    "Thank you, that saved me {n} crowns.",
    "Ask at the {place}; they helped me within a day.",
    "I disagree. The {things} are not the problem, the hurry is.",
    "It gets easier after about {n} tries.",
    "Could you show a picture of the {things}?",
    "This should be pinned.",
    "My teacher forbade {act} {context}, and she was right.",
    "Do not throw the old {things} away.",
    "Try it on a {day}, when nobody is at the {place}.",
    "I had {trouble} for months until I changed the {others}.",
    "There are {n} answers to this and all of them start with patience.",
    "Wrong forum, but a good question.",
    "You are overthinking it. Just keep {act}.",
    "That is how my grandfather did it, {context}.",
    "I tried this twice. It went well once.",
    "The second picture made my {day}.",
    "Count me in for {month}.",
    "Cheap {things} are fine if you look after them.",
    "For {trouble} I use a drop of oil and a kind word.",
    "Never heard of that. Where did you read it?",
    "I sold all my {things} and do not miss them.",
    "Your {place} must be very tidy.",
    "Nice, but {act} at that price is a joke.",
    "Please report back after {month}.",
    "This is bad advice for beginners.",
    "Works for {others} too.",
)
ABOUT = (
    "Questions and finds about {all}.",
    "For people who care about {all}.",
    "Everything on {all}, for beginners and old hands.",
    "Show, ask and swap: {all}.",
)
RULES = (
    "Be kind to beginners.",
    "No sales on weekdays.",
    "Say which {things} you use.",
    "One question a day is plenty.",
    "Search before you ask about {trouble}.",
    "Pictures are welcome.",
)
BIOGRAPHIES = (
    "I like {act}, tea and my {place}.",
    "Collects {things}. Gives away {others}.",
    "Mostly here for {act} {context}.",
    "{n} years of {things}, no regrets.",
    "Ask me about {trouble}.",
)
