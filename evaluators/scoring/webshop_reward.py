"""WebShop's reward for a purchase, as published, and a strict reward.

Products and goals are mappings with WebShop's field names. A product has `name` (or `Title`),
`query`, `product_category`, `Attributes`, `Title`, `BulletPoints` and `Description`. A goal has
`name`, `query`, `product_category`, `attributes`, `price_upper` and `goal_options`, a list of
values or a mapping of option type to value. Either may have `nouns`, the nouns of its name.

Source: WebShop (Yao et al., 2022), section 3, and its published code.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rapidfuzz import fuzz, utils

from sites.store.catalogue.nouns import nouns_of

Options = Mapping[str, str] | Sequence[str] | None

# In WebShop's order: `norm` returns the first of these that occurs.
_COLOR_TEXT = """
    alabaster apricot aqua ash asphalt azure banana beige black blue blush bordeaux bronze brown
    burgundy camel camo caramel champagne charcoal cheetah chestnut chocolate christmas coffee
    cognac copper coral cranberry cream crystal dark denim eggplant elephant espresso fuchsia gold
    granite grape graphite grass gray green grey heather indigo ivory ivy khaki lavender lemon
    leopard light lilac lime magenta maroon mauve merlot midnight mint mocha multicolor mushroom
    mustard natural navy nude olive orange peach pewter pink plum purple rainbow red rose royal
    rust sand sapphire seashell silver skull slate steel stone stonewash sunflower tan taupe teal
    tiger turquoise violet walnut wheat white wine yellow
"""
COLORS = tuple(_COLOR_TEXT.split())


@dataclass(frozen=True, slots=True)
class _Match:
    """A wanted attribute or option, the field that matched it, and the text in that field."""

    wanted: str
    by: str
    found: str


@dataclass(frozen=True, slots=True)
class _Kind:
    """The figures for how well a product matches the kind of product that the goal names."""

    r_type: float
    query_match: bool
    category_match: bool
    title_score: float


@dataclass(frozen=True, slots=True)
class _Wants:
    """The goal's attributes and options with their matches (None: not met), and whether the price
    fits.
    """

    attributes: tuple[_Match | None, ...]
    options: tuple[_Match | None, ...]
    affordable: bool


def reward(
    product: Mapping[str, Any], goal: Mapping[str, Any], price: float, options: Options
) -> dict[str, Any]:
    """Return WebShop's published reward for a purchase.

    Args:
        product: The product that was bought.
        goal: The goal.
        price: The price in US dollars.
        options: The chosen values, or a mapping of option type to value.

    Returns:
        `reward` (0 to 1) and its parts: `r_type, query_match, category_match, title_score`;
        `num_att, num_opt`, the numbers of attributes and options that matched; `r_att, r_option,
        r_price`, the shares, and `w_att, w_option, w_price`, their weights, which sum to 1;
        `matched`, with lists `attributes` and `options` of {wanted, by, found}. A share is None,
        with weight 0, if the goal has no attribute or no option.

    Raises:
        ValueError: A field is missing, or the price cannot be read.
    """
    chosen = _values(options)
    wants = _Wants(
        attributes=tuple(_attribute(product, wanted) for wanted in _field(goal, "attributes")),
        options=tuple(_option(wanted, chosen) for wanted in _wanted_options(goal)),
        affordable=_affordable(price, goal),
    )
    return _parts(_kind(product, goal), wants)


def strict_reward(
    product: Mapping[str, Any], goal: Mapping[str, Any], price: float, options: Options
) -> dict[str, Any]:
    """Return a reward that no look-alike earns, with the parts that `reward` returns.

    The type is right if `kind` is equal (or `query`, unless both have a `kind`). A wrong type or a
    price over the bound gives 0. An option needs exactly the wanted value, of the same type if both
    name types, and serves one wish only. An attribute must be listed by the product, or be a whole
    phrase in its title, a bullet or its description. Case and white space do not matter.

    Args:
        product: The product that was bought.
        goal: The goal.
        price: The price in US dollars.
        options: The chosen values, or a mapping of option type to value.

    Raises:
        ValueError: A field is missing, or the price cannot be read.
    """
    published = _kind(product, goal)
    kind = _Kind(
        float(_same_kind(product, goal)),
        published.query_match,
        published.category_match,
        published.title_score,
    )
    wants = _Wants(
        attributes=tuple(_exact_attribute(product, want) for want in _field(goal, "attributes")),
        options=_exact_options(goal, options),
        affordable=_affordable(price, goal),
    )
    parts = _parts(kind, wants)
    return parts if wants.affordable else parts | {"reward": 0.0}


def published_success(parts: Mapping[str, Any]) -> bool:
    """Return whether WebShop counts a purchase with these parts of `reward` as a success."""
    return bool(parts["reward"] == 1)


def norm(option: str | tuple[str, ...]) -> str | tuple[str, ...]:
    """Return the first colour word, alphabetically, that is in the option, otherwise the option.

    "In" is Python's operator: a substring of a string ("standard" becomes "tan"), but a whole
    member of a pair of type and value. So a pair whose value only contains a colour word is
    returned as is.
    """
    return next((word for word in COLORS if word in option), option)


# The published comparisons ---------------------------------------------------------------------


def _kind(product: Mapping[str, Any], goal: Mapping[str, Any]) -> _Kind:
    query_match = bool(_field(product, "query", "product") == _field(goal, "query"))
    shared = _categories(product, "product") & _categories(goal, "goal")
    category_match = len(shared) >= 2
    score = _title_score(_nouns(product, "product"), _nouns(goal, "goal"))
    factor = 1.0 if query_match or category_match or score > 0.2 else 0.5
    if score < 0.1:
        factor = 0.1 if score else 0.0
    return _Kind(factor, query_match, category_match, score)


def _title_score(product_nouns: Sequence[str], goal_nouns: Sequence[str]) -> float:
    """Return the share of the goal's nouns that the product has; the total counts repetitions."""
    if not goal_nouns:
        return 0.2
    return len(set(product_nouns) & set(goal_nouns)) / len(goal_nouns)


def _categories(mapping: Mapping[str, Any], role: str) -> set[str]:
    return {part.strip() for part in _field(mapping, "product_category", role).split("›")}


def _nouns(mapping: Mapping[str, Any], role: str) -> Sequence[str]:
    if mapping.get("nouns") is not None:
        return [noun.lower() for noun in mapping["nouns"]]
    titled = mapping.get("name") is None and mapping.get("Title") is not None
    return nouns_of(_field(mapping, "Title" if titled else "name", role))


def _attribute(product: Mapping[str, Any], wanted: str) -> _Match | None:
    for listed in product.get("Attributes") or ():
        if _alike(listed, wanted):
            return _Match(wanted, "Attributes", listed)
    for name, text in _published_texts(product):
        if wanted in text.lower():
            return _Match(wanted, name, wanted)
    return None


def _published_texts(product: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield "Title", product.get("Title") or ""
    yield "BulletPoints", " ".join(product.get("BulletPoints") or ())
    yield "Description", product.get("Description") or ""


def _option(wanted: str | tuple[str, ...], chosen: Sequence[str]) -> _Match | None:
    goal_text = str(norm(wanted))
    for value in chosen:
        if _alike(str(norm(value)), goal_text):
            return _Match(_shown(wanted), "options", value)
    return None


def _alike(first: str, second: str) -> bool:
    score = fuzz.token_set_ratio(first, second, processor=utils.default_process)
    return round(score) > 85


# The strict comparisons ------------------------------------------------------------------------


def _same_kind(product: Mapping[str, Any], goal: Mapping[str, Any]) -> bool:
    name = "kind" if "kind" in product and "kind" in goal else "query"
    return bool(product[name] == goal[name])


def _exact_attribute(product: Mapping[str, Any], wanted: str) -> _Match | None:
    phrase = _fold(wanted)
    if not phrase:
        return None
    for listed in product.get("Attributes") or ():
        if _fold(listed) == phrase:
            return _Match(wanted, "Attributes", listed)
    whole = re.compile(rf"(?<!\w){re.escape(phrase)}(?!\w)")
    for name, text in _single_texts(product):
        if whole.search(_fold(text)):
            return _Match(wanted, name, wanted)
    return None


def _single_texts(product: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield title, description and each bullet separately, so that no phrase spans two of them."""
    yield "Title", product.get("Title") or ""
    bullets = product.get("BulletPoints") or ()
    for bullet in (bullets,) if isinstance(bullets, str) else bullets:
        yield "BulletPoints", bullet
    yield "Description", product.get("Description") or ""


def _exact_options(goal: Mapping[str, Any], options: Options) -> tuple[_Match | None, ...]:
    left = _typed(options)
    return tuple(_take(wanted, left) for wanted in _wanted_options(goal))


def _take(wanted: str | tuple[str, ...], left: list[tuple[str, str]]) -> _Match | None:
    """Remove the choice that exactly matches the wanted option from `left`, and return the
    match.
    """
    kind, value = ("", wanted) if isinstance(wanted, str) else wanted
    for choice in left:
        if _fold(choice[1]) == _fold(value) and _one_type(choice[0], kind):
            left.remove(choice)
            return _Match(_shown(wanted), "options", choice[1])
    return None


def _one_type(first: str, second: str) -> bool:
    return not first or not second or _fold(first) == _fold(second)


def _typed(options: Options) -> list[tuple[str, str]]:
    """Return the choices as pairs of type and value; an unknown type is ""."""
    if isinstance(options, Mapping):
        return sorted(options.items())
    return [("", value) for value in _values(options)]


def _fold(text: str) -> str:
    return " ".join(text.casefold().split())


# Shared by both rewards ------------------------------------------------------------------------


def _parts(kind: _Kind, wants: _Wants) -> dict[str, Any]:
    attributes = [match for match in wants.attributes if match]
    options = [match for match in wants.options if match]
    n_att, n_opt = len(wants.attributes), len(wants.options)
    total = n_att + n_opt + 1
    r_price = float(wants.affordable)
    return {
        "reward": (len(attributes) + len(options) + r_price) / total * kind.r_type,
        **asdict(kind),
        "num_att": len(attributes),
        "r_att": len(attributes) / n_att if n_att else None,
        "w_att": n_att / total,
        "num_opt": len(options),
        "r_option": len(options) / n_opt if n_opt else None,
        "w_option": n_opt / total,
        "r_price": r_price,
        "w_price": 1 / total,
        "matched": {
            "attributes": [asdict(match) for match in attributes],
            "options": [asdict(match) for match in options],
        },
    }


def _wanted_options(goal: Mapping[str, Any]) -> list[str | tuple[str, ...]]:
    wanted = goal.get("goal_options") or ()
    if isinstance(wanted, str):
        raise ValueError(f"goal_options is the text {wanted!r}: give a list or a mapping")
    return list(wanted.items() if isinstance(wanted, Mapping) else wanted)


def _values(options: Options) -> list[str]:
    """Return the chosen values, sorted, so that the order of clicks does not matter."""
    if isinstance(options, str):
        raise ValueError(f"options is the text {options!r}: give a list or a mapping")
    return sorted(options.values() if isinstance(options, Mapping) else options or ())


def _shown(wanted: str | tuple[str, ...]) -> str:
    return wanted if isinstance(wanted, str) else ": ".join(wanted)


def _affordable(price: float, goal: Mapping[str, Any]) -> bool:
    try:
        amount = float(price)
    except (TypeError, ValueError):
        amount = math.nan
    if math.isnan(amount):
        raise ValueError(f"the price is {price!r}: give a number of dollars")
    return amount <= float(_field(goal, "price_upper"))


def _field(mapping: Mapping[str, Any], name: str, role: str = "goal") -> Any:
    if mapping.get(name) is None:
        raise ValueError(f"the {role} has no {name!r}: give it the fields of a WebShop {role}")
    return mapping[name]
