"""The generated catalogue: families of products that a shopper could mistake for each other.

A family consists of up to six variants of a design. They differ in exactly one thing that a
shopping task can ask for: an attribute, the values of an option, the price, or the brand. Most
variants have their own title, which names their series and their extra feature. The families of all
product types take turns.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from sites.store.catalogue.cache import digest_of
from sites.store.catalogue.nouns import nouns_of
from sites.store.catalogue.product import Product, asin_at
from sites.store.catalogue.tables import WORDS, Kind, kinds

VARIANTS = 5
SAME_TITLE = 0.16
"""The share of variants in a family of similar products that keep the title of their design.

It applies to variants with the brand and price of the design; only their own pages tell these
apart.
"""
OFFSET = 963_741_852_071
ACRONYMS = ("bpa", "gmo", "led", "usb", "usda", "uv")
SMALL_WORDS = ("and", "of", "to")
CENTS = (0.99, 0.99, 0.95, 0.49, 0.0)
BOUND_STEP = 1_000
"""Price limits in shopping tasks are multiples of this number of cents.

No price is such a multiple, so that "less than" and "at most" mean the same products, both for the
shopper and for WebShop's reward.
"""


@dataclass(frozen=True, slots=True)
class Design:
    """The parts of a generated product before they are put into words."""

    kind: Kind
    pattern: int
    brand: str
    line: str
    head: str
    audience: str
    feature: str
    attributes: tuple[str, ...]
    attribute_in_description: bool
    options: dict[str, tuple[str, ...]]
    pricing: tuple[float, ...]
    price: float


def products(count: int, seed: int = 0) -> Iterator[Product]:
    """Yield the first products of a seed's endless stream; the first 300 include every type.

    The stream is the same in every process, and a longer catalogue begins with the shorter one.
    Memory does not grow with `count`.

    Args:
        count: How many products to yield.
        seed: The seed of the stream.
    """
    designs = itertools.islice(_designs(seed), count)
    return (_product(design, place, seed) for place, design in enumerate(designs))


@cache
def digest() -> str:
    """Return the SHA-256 of all sources of the generated products: word files and this code."""
    code = Path(__file__).parent
    sources = [code / f"{name}.py" for name in ("generator", "nouns", "product", "tables")]
    return digest_of(sorted([*sources, *WORDS.glob("*.toml")], key=lambda file: file.name))


def _designs(seed: int) -> Iterator[Design]:
    for turn in itertools.count():
        rng = random.Random(f"store/products/{seed}/{turn}")
        for kind in rng.sample(kinds(), len(kinds())):
            yield from _family(_design(kind, rng), rng)


def _family(design: Design, rng: random.Random) -> list[Design]:
    """Return a family of similar products: a design and up to VARIANTS different variants of it."""
    family, titled = [design], [design]
    for _ in range(rng.randint(0, VARIANTS)):
        variant = rng.choice(CHANGES)(design, rng)
        renamed = _renamed(variant, titled, rng)
        if variant not in family and _is_sound(renamed):
            family.append(variant)
            titled.append(renamed)
    return titled


def _renamed(variant: Design, family: list[Design], rng: random.Random) -> Design:
    """Return the variant with a series name that is new to its family and another extra feature.

    Some variants keep the title of their design.
    """
    looks = (variant.brand, variant.pricing) == (family[0].brand, family[0].pricing)
    if looks and rng.random() < SAME_TITLE:
        return variant
    taken = {each.line for each in family}
    line = rng.choice([line for line in variant.kind.lines if line not in taken])
    return replace(variant, line=line, feature=rng.choice(variant.kind.features))


def _design(kind: Kind, rng: random.Random) -> Design:
    """Draw a design of a product of this kind that does not contradict itself."""
    while not _is_sound(design := _any_design(kind, rng)):
        pass
    return design


def _is_sound(design: Design) -> bool:
    """Return whether no words of a design contradict each other."""
    values = itertools.chain.from_iterable(design.options.values())
    words = {design.head, design.audience, design.feature, *design.attributes, *values}
    return not any(never <= words for never in design.kind.never)


def _any_design(kind: Kind, rng: random.Random) -> Design:
    pricing = _pricing(kind, rng)
    return Design(
        kind=kind,
        pattern=rng.randrange(len(PATTERNS)),
        brand=rng.choice(kind.brands),
        line=rng.choice(kind.lines),
        head=rng.choice(kind.heads),
        audience=rng.choice(kind.audience),
        feature=rng.choice(kind.features),
        attributes=tuple(rng.sample(tuple(kind.attributes), rng.randint(3, 5))),
        attribute_in_description=rng.random() < 0.4,
        options=_options(kind, rng),
        pricing=pricing,
        price=_true_price(pricing, rng),
    )


def _options(kind: Kind, rng: random.Random) -> dict[str, tuple[str, ...]]:
    """Draw some values for most of the options of a product; a few products have no options."""
    if rng.random() < 0.05:
        return {}
    first, *others = kind.options
    chosen = [first, *(name for name in others if rng.random() < 0.85)]
    return {name: _some(kind.options[name], rng) for name in chosen}


def _some(values: tuple[str, ...], rng: random.Random) -> tuple[str, ...]:
    """Draw at least two of the values, and return them in their original order."""
    places = rng.sample(range(len(values)), rng.randint(2, len(values)))
    return tuple(values[place] for place in sorted(places))


def _pricing(kind: Kind, rng: random.Random) -> tuple[float, ...]:
    """Draw a price, or for an eighth of the products the two ends of a range.

    Low prices are more common than high ones.
    """
    low = _ending(kind.lowest + (kind.highest - kind.lowest) * rng.betavariate(1.3, 2.6), rng)
    if rng.random() < 0.875:
        return (low,)
    return (low, _ending(low * rng.uniform(1.2, 1.8) + 2, rng))


def _ending(amount: float, rng: random.Random) -> float:
    """Return an amount with usual cents, such as .99, that is no possible price limit of a task."""
    return _beside_bounds(int(amount) + rng.choice(CENTS))


def _beside_bounds(amount: float) -> float:
    """Return an amount in whole cents; if it is a possible price limit of a task, return a cent
    less.
    """
    cents = round(100 * amount)
    return (cents - (cents % BOUND_STEP == 0)) / 100


def _true_price(pricing: tuple[float, ...], rng: random.Random) -> float:
    return pricing[0] if len(pricing) == 1 else _beside_bounds(rng.uniform(*pricing))


# One change each -------------------------------------------------------------------------------


def _another_attribute(design: Design, rng: random.Random) -> Design:
    others = [name for name in design.kind.attributes if name not in design.attributes]
    changed = list(design.attributes)
    changed[rng.randrange(len(changed))] = rng.choice(others)
    return replace(design, attributes=tuple(changed))


def _other_values(design: Design, rng: random.Random) -> Design:
    if not design.options:
        return _another_attribute(design, rng)
    name = rng.choice(tuple(design.options))
    every = design.kind.options[name]
    missing = rng.choice(design.options[name])
    values = tuple(v for v in every if v != missing and rng.random() < 0.7)
    return replace(design, options={**design.options, name: values or every[:1]})


def _another_price(design: Design, rng: random.Random) -> Design:
    """Return the design with a price above every price limit that a task about the first product of
    its family (of similar products) may have.
    """
    price = _ending(max(design.pricing) * rng.uniform(1.1, 1.6) + 41, rng)
    return replace(design, pricing=(price,), price=price)


def _another_brand(design: Design, rng: random.Random) -> Design:
    others = [brand for brand in design.kind.brands if brand != design.brand]
    return replace(design, brand=rng.choice(others))


CHANGES = (_another_attribute, _other_values, _another_price, _another_brand)

# In words --------------------------------------------------------------------------------------


def _product(design: Design, place: int, seed: int) -> Product:
    kind = design.kind
    rng = random.Random(f"store/product/{seed}/{place}")
    review_count = _review_count(rng)
    rating = round(rng.triangular(2.6, 5.0, 4.4), 1)
    return Product(
        asin=asin_at(place, "B0", seed * 7_919 + OFFSET),
        name=PATTERNS[design.pattern](design),
        brand=design.brand,
        kind=kind.name,
        category=kind.category,
        product_category=kind.breadcrumb,
        price=design.price,
        pricing=design.pricing,
        description=_description(design),
        bullets=_bullets(design),
        options=design.options,
        attributes=design.attributes,
        nouns=_nouns(design),
        rating=rating if review_count else 0.0,
        review_count=review_count,
    )


def _review_count(rng: random.Random) -> int:
    """Draw a product's number of reviews: mostly a handful, rarely thousands, and
    sometimes none.
    """
    if rng.random() < 0.07:
        return 0
    return min(3 * int(rng.paretovariate(0.9)) + rng.randrange(-2, 3), 4000)


def _for_with(design: Design) -> str:
    return (
        f"{design.brand} {design.line} {design.head} for {design.audience},"
        f" {_title(design.attributes[0])}, {design.feature}"
    )


def _attribute_first(design: Design) -> str:
    return (
        f"{design.brand} {design.line} {_title(design.attributes[0])} {design.head}"
        f" with {design.feature}, for {design.audience}"
    )


def _by(design: Design) -> str:
    return (
        f"{design.head} for {design.audience} by {design.brand}, {design.feature},"
        f" {_title(design.attributes[0])} and {_title(design.attributes[1])} ({design.line})"
    )


def _short(design: Design) -> str:
    return f"{design.brand} {design.line} {design.head}, {design.feature} | {design.audience}"


PATTERNS = (_for_with, _attribute_first, _by, _short)


@cache
def _title(attribute: str) -> str:
    return " ".join(map(_title_word, attribute.split()))


def _title_word(word: str) -> str:
    if word in SMALL_WORDS:
        return word
    return word.upper() if word in ACRONYMS else word.capitalize()


@cache
def _noun_parts(*parts: str) -> tuple[str, ...]:
    return nouns_of(", ".join(parts))


def _nouns(design: Design) -> tuple[str, ...]:
    """Return the nouns in the parts of a product's name, without the attributes, which are
    adjectives.
    """
    brand = design.brand.lower()
    return (brand, *_noun_parts(design.line, design.head, design.audience, design.feature))


def _bullets(design: Design) -> tuple[str, ...]:
    shown = design.attributes[:-1] if design.attribute_in_description else design.attributes
    sentences = (design.kind.attributes[name] for name in shown)
    return (*sentences, design.kind.care[design.pattern % len(design.kind.care)])


def _description(design: Design) -> str:
    kind = design.kind
    story = (*kind.story[design.pattern % 2 :], f"{design.head} of the {design.line} series.")
    shown = (kind.attributes[design.attributes[-1]],) if design.attribute_in_description else ()
    return " ".join((f"{design.brand} {design.line}.", *story, *shown, *_choices(design)))


def _choices(design: Design) -> Iterator[str]:
    for name, values in design.options.items():
        yield (
            f"Comes in {len(values)} choices of {name}." if len(values) > 1 else f"One {name} only."
        )
