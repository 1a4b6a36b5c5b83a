"""WebShop's own product and instruction files, read into products and goals.

`items_shuffle*.json` holds the products, `items_ins_v2*.json` the mined attributes and synthetic
instructions, and `items_human_ins.json` the annotators' instructions (WebShop, Yao et al. 2022, and
its published code). An entry of another shape raises an error that names file, product and field.
"""

from __future__ import annotations

import itertools
import json
import math
import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from io import TextIOWrapper
from pathlib import Path
from typing import Any, TextIO

from rehearsal_errors import RunFailed
from sites.store.catalogue.nouns import nouns_of
from sites.store.catalogue.product import Product
from sites.store.catalogue.webshop_limits import (
    LONGEST_BULLET,
    LONGEST_DESCRIPTION,
    LONGEST_TEXT,
    MOST_COMBINATIONS,
    MOST_GOAL_LETTERS,
    MOST_GOALS,
    MOST_LISTED,
    MOST_OPTIONS,
    MOST_PRICE,
    MOST_PRODUCTS,
    MOST_STREAMED,
    MOST_VALUES,
    MOST_WHOLE,
    opened,
)
from sites.sums import in_order

NO_PRICE = (100.0,)
NO_BOUND = 1_000_000.0
BOUNDS = tuple(10.0 * step for step in range(1, 100))
CHUNK = 1 << 20
LONGEST = 32 << 20
"""The largest number of characters of one product as JSON."""
BLANK = re.compile(r"[ \t\n\r]*")
ASIN = re.compile(r"[A-Za-z0-9]{1,10}")
AMOUNT = re.compile(r"\d[\d,]*(?:\.\d+)?|\.\d+")


class WebShopFileError(RunFailed):
    """A file differs from what WebShop publishes; the message is a single line."""


OnBad = Callable[[WebShopFileError], None]
"""A function that takes the error of a bad entry; the entry is then left out."""


@dataclass(frozen=True, slots=True)
class Goal:
    """A goal of WebShop: an instruction with the product that it asks for.

    In annotators' goals, `goal_options` are values; in synthetic goals they map option types to
    values. The limit `price_upper` is `NO_BOUND` if the instruction names no price. `nouns` are the
    nouns of the name.
    """

    asin: str
    category: str
    query: str
    name: str
    product_category: str
    instruction_text: str
    attributes: tuple[str, ...]
    price_upper: float
    goal_options: tuple[str, ...] | Mapping[str, str]
    nouns: tuple[str, ...]
    weight: float = 1.0

    def to_json(self) -> str:
        """Return one canonical line with the values of all fields, in their order."""
        row = [getattr(self, field.name) for field in fields(self)]
        return json.dumps(row, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, line: str) -> Goal:
        """Return the goal that `to_json` wrote."""
        values = dict(zip((field.name for field in fields(cls)), json.loads(line), strict=True))
        for name in ("attributes", "nouns"):
            values[name] = tuple(values[name])
        if isinstance(values["goal_options"], list):
            values["goal_options"] = tuple(values["goal_options"])
        return cls(**values)


@dataclass(frozen=True, slots=True)
class SourceRecord:
    """A JSON object in a file; `where` names it in messages."""

    where: str
    fields: Mapping[str, Any]

    def fail(self, field: str, wanted: str) -> WebShopFileError:
        """Return the error that a field of the object is missing or not as `wanted`, which
        describes the right value.
        """
        found = f"not {_short(self.fields[field])}" if field in self.fields else "but is missing"
        return WebShopFileError(f"{self.where}: field {_short(field)} should be {wanted}, {found}")

    def text(self, field: str, most: int = LONGEST_TEXT) -> str:
        """Return the value of a field that must be a text of at most `most` characters. Raises
        `WebShopFileError`.
        """
        value = self.fields.get(field)
        if not isinstance(value, str):
            raise self.fail(field, "a text")
        if len(value) > most:
            raise self.fail(field, f"a text of at most {most:,} characters")
        return _sound(value)

    def texts(self, field: str) -> tuple[str, ...]:
        """Return the value of a field that must be a list of texts. Raises `WebShopFileError`."""
        value = self.fields.get(field)
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise self.fail(field, "a list of texts")
        if len(value) > MOST_LISTED or any(len(one) > LONGEST_BULLET for one in value):
            size = f"{MOST_LISTED:,} texts of at most {LONGEST_BULLET:,} characters"
            raise self.fail(field, f"a list of at most {size}")
        return tuple(_sound(one) for one in value)


# Products --------------------------------------------------------------------------------------


def read_products(
    items: Path,
    attributes: Path | None = None,
    seed: int = 0,
    on_bad: OnBad | None = None,
) -> Iterator[Product]:
    """Yield the products of an `items_shuffle*.json`, with the mined attributes of the other file.

    The file is streamed. Products are left out if their asin is "nan", longer than ten characters,
    or repeated. The true price of a range is drawn from `seed` and the asin. A product without
    mined attributes has none; WebShop's published code gives it a dummy, which does not match
    anything either. The files hold no brands, ratings or reviews.

    Args:
        items: The file of products.
        attributes: The file of mined attributes; None for no attributes.
        seed: The seed for the true prices.
        on_bad: Takes the error of a bad product, which is then left out; None to raise it.

    Raises:
        WebShopFileError: If a file is unreadable, of another format, or has too many products.
    """
    mined = _by_asin(attributes) if attributes else {}
    seen: set[str] = set()
    for number, element in enumerate(_elements(items)):
        if number >= MOST_PRODUCTS:
            raise WebShopFileError(f"{items.name}: holds more than {MOST_PRODUCTS:,} products")
        with _bad(on_bad):
            entry = _entry(items, number, element)
            asin = entry.text("asin")
            if asin == "nan" or len(asin) > 10 or asin in seen:
                continue
            product = _product(entry, asin, _mined(attributes, mined, asin), seed)
            seen.add(asin)
            yield product


@contextmanager
def _bad(on_bad: OnBad | None) -> Iterator[None]:
    """Catch the error of a bad entry in this context manager and give it to `on_bad`; without
    `on_bad`, let it pass.
    """
    try:
        yield
    except WebShopFileError as error:
        if on_bad is None:
            raise
        on_bad(error)


def _entry(items: Path, number: int, element: Any) -> SourceRecord:
    asin = element.get("asin") if isinstance(element, dict) else None
    named = f"{asin[:20]!r} (number {number})" if isinstance(asin, str) else f"number {number}"
    return _record(f"{items.name}: product {named}", element)


def _mined(file: Path | None, mined: Mapping[str, Any], asin: str) -> tuple[str, ...]:
    if file is None or asin not in mined:
        return ()
    entry = _named(file, asin, mined[asin])
    return entry.texts("attributes") if "attributes" in entry.fields else ()


def _product(entry: SourceRecord, asin: str, attributes: tuple[str, ...], seed: int) -> Product:
    if not ASIN.fullmatch(asin):
        raise entry.fail("asin", "a text of one to ten letters and digits")
    name, pricing = entry.text("name"), _pricing(entry)
    return Product(
        asin=asin,
        name=name,
        brand="",
        kind=entry.text("query").lower().strip(),
        category=entry.text("category"),
        product_category=entry.text("product_category"),
        price=_true_price(pricing, random.Random(f"store/webshop/price/{seed}/{asin}")),
        pricing=pricing,
        description=_description(entry),
        bullets=_bullets(entry),
        options=_options(entry),
        attributes=tuple(attribute.lower() for attribute in attributes),
        nouns=nouns_of(name),
        rating=0.0,
        review_count=0,
    )


def _description(entry: SourceRecord) -> str:
    if not entry.fields.get("full_description"):
        return ""
    return entry.text("full_description", LONGEST_DESCRIPTION)


def _bullets(entry: SourceRecord) -> tuple[str, ...]:
    value = entry.fields.get("small_description") or []
    if isinstance(value, str):
        return (entry.text("small_description", LONGEST_BULLET),)
    return entry.texts("small_description") if value else ()


def _pricing(entry: SourceRecord) -> tuple[float, ...]:
    """Return the shown price: one amount, or the first two of several, the lower first.

    A product without a price costs $100.
    """
    value = entry.fields.get("pricing")
    if not value:
        return NO_PRICE
    parts = entry.text("pricing").split("$", 3)[1:] if isinstance(value, str) else []
    amounts = [_amount(part) for part in parts[:2]]
    if not amounts or not all(amount <= MOST_PRICE for amount in amounts):
        raise entry.fail("pricing", 'amounts such as "$10.00" or "$10.00 to $20.00"')
    return tuple(sorted(amounts))


def _amount(part: str) -> float:
    found = AMOUNT.search(part)
    return round(float(found.group().replace(",", "")), 2) if found else math.nan


def _true_price(pricing: tuple[float, ...], rng: random.Random) -> float:
    return pricing[0] if len(pricing) == 1 else round(rng.uniform(*pricing), 2)


def _options(entry: SourceRecord) -> dict[str, tuple[str, ...]]:
    """Return the options as lower-case values by lower-case name, with " | " for each slash in a
    value.

    A name without values is left out, because there is nothing to choose.
    """
    value = entry.fields.get("customization_options") or {}
    if not isinstance(value, dict):
        raise entry.fail("customization_options", "an object")
    if len(value) > MOST_OPTIONS or any(len(name) > LONGEST_TEXT for name in value):
        size = f"{MOST_OPTIONS} options with names of at most {LONGEST_TEXT:,} characters"
        raise entry.fail("customization_options", f"an object of at most {size}")
    return {
        _sound(name).lower(): _values(entry, name, contents)
        for name, contents in value.items()
        if contents is not None and contents != []
    }


def _values(entry: SourceRecord, name: str, contents: Any) -> tuple[str, ...]:
    field = f"customization_options.{name}"
    if not isinstance(contents, list):
        raise SourceRecord(entry.where, {field: contents}).fail(field, "a list")
    if len(contents) > MOST_VALUES:
        size = f"a list of at most {MOST_VALUES:,} values"
        raise SourceRecord(entry.where, {field: contents}).fail(field, size)
    inner = (
        SourceRecord(f"{entry.where}, {_short(field)}", _object(entry, field, one))
        for one in contents
    )
    values = (one.text("value").replace("/", " | ").lower() for one in inner)
    return tuple(" ".join(value.split()) for value in values)  # as a page shows it


def _object(entry: SourceRecord, field: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise SourceRecord(entry.where, {field: value}).fail(field, "a list of objects")
    return value


# Goals -----------------------------------------------------------------------------------------


def human_goals(
    products: Iterable[Product], instructions: Path, seed: int = 0, on_bad: OnBad | None = None
) -> list[Goal]:
    """Return the annotators' goals of an `items_human_ins.json`, in the order of the products.

    Instructions without attributes are left out. Price limits are drawn from `seed`, the asin and
    the instruction's number.

    Args:
        products: The products.
        instructions: The file of instructions.
        seed: The seed for the price limits.
        on_bad: Takes the error of a bad instruction, which is then left out; None to raise it.

    Raises:
        WebShopFileError: If the file is unreadable, of another format, or has too many goals.
    """
    known = _by_asin(instructions)
    goals = _Goals(instructions)
    for product in products:
        listed: list[Any] = []
        with _bad(on_bad):
            listed = _listed(instructions, product.asin, known)
        for number, value in enumerate(listed):
            with _bad(on_bad):
                entry = _named(instructions, product.asin, value)
                if entry.texts("instruction_attributes"):
                    rng = random.Random(f"store/webshop/bound/{seed}/{product.asin}/{number}")
                    goals.keep(_human_goal(product, entry, price_bound(product.price, rng)))
    return goals.kept


def synthetic_goals(
    products: Iterable[Product], instructions: Path, seed: int = 0, on_bad: OnBad | None = None
) -> list[Goal]:
    """Return the goals of an `items_ins_v2*.json`: one for each combination of a product's options.

    The weight of a goal is the mean of 1 / (number of goals with the attribute) over its
    attributes, so that goals with rare attributes weigh more.

    Args:
        products: The products.
        instructions: The file of instructions.
        seed: The seed for the price limits.
        on_bad: Takes the error of a bad instruction, which is then left out; None to raise it.

    Raises:
        WebShopFileError: If the file is unreadable, of another format, or has too many goals.
    """
    known = _by_asin(instructions)
    goals = _Goals(instructions)
    for product in products:
        found: Iterator[Goal] = iter(())
        with _bad(on_bad):
            entry = _named(instructions, product.asin, known.get(product.asin, {}))
            if entry.fields.get("instruction") is not None:
                rng = random.Random(f"store/webshop/bound/{seed}/{product.asin}")
                found = _combinations(product, entry, price_bound(product.price, rng))
        for goal in found:
            goals.keep(goal)
    asked = Counter(attribute for goal in goals.kept for attribute in goal.attributes)
    return [replace(goal, weight=_weight(goal, asked)) for goal in goals.kept]


class _Goals:
    """The goals of one of WebShop's files, limited in number and in total length."""

    def __init__(self, file: Path) -> None:
        self.kept: list[Goal] = []
        self._file, self._letters = file, 0

    def keep(self, goal: Goal) -> None:
        """Add a goal. Raises `WebShopFileError` if there are too many."""
        self._letters += len(goal.instruction_text)
        if len(self.kept) >= MOST_GOALS or self._letters > MOST_GOAL_LETTERS:
            raise WebShopFileError(
                f"{self._file.name}: product {goal.asin!r} makes one goal too many: a catalogue has"
                f" at most {MOST_GOALS:,} goals of {MOST_GOAL_LETTERS:,} characters in all"
            )
        self.kept.append(goal)


def price_bound(price: float, rng: random.Random) -> float:
    """Draw a price limit: the larger of two of the first four multiples of ten above the price.

    Limits go up to 990. `NO_BOUND` if fewer than two are left (WebShop's published code).
    """
    above = [bound for bound in BOUNDS if bound > price][:4]
    return max(rng.sample(above, 2)) if len(above) >= 2 else NO_BOUND


def price_suffix(bound: float) -> str:
    """Return the words of the instruction about a price limit; "" if there is no limit."""
    return "" if bound == NO_BOUND else f", and price lower than {bound:.2f} dollars"


def _human_goal(product: Product, entry: SourceRecord, bound: float) -> Goal:
    text = entry.text("instruction").strip(".") + price_suffix(bound)
    attributes, options = entry.texts("instruction_attributes"), entry.texts("instruction_options")
    return _goal(product, text, attributes, bound, options)


def _combinations(product: Product, entry: SourceRecord, bound: float) -> Iterator[Goal]:
    """Yield one synthetic goal for each combination of a product's option values.

    A `WebShopFileError` is raised by the call itself, before the first goal.
    """
    attributes = entry.texts("instruction_attributes")
    if not attributes:
        raise entry.fail("instruction_attributes", "a list of at least one text")
    count = math.prod(map(len, product.options.values()))
    if count > MOST_COMBINATIONS:
        message = f"{count:,}" if count < 10**15 else "more than 10^15"
        raise WebShopFileError(
            f'{entry.where}: field "customization_options" makes {message} goals;'
            f" leave options out until it makes at most {MOST_COMBINATIONS:,}"
        )
    return _combined(product, entry.text("instruction"), attributes, bound)


def _combined(
    product: Product, text: str, attributes: tuple[str, ...], bound: float
) -> Iterator[Goal]:
    names = sorted(product.options)
    for values in itertools.product(*(product.options[name] for name in names)):
        options = dict(zip(names, values, strict=True))
        listed = ", and ".join(f"{name}: {value}" for name, value in options.items())
        wanted = f"{text} with {listed}" if listed else text
        yield _goal(product, wanted + price_suffix(bound), attributes, bound, options)


def _goal(
    product: Product,
    text: str,
    attributes: tuple[str, ...],
    bound: float,
    options: tuple[str, ...] | Mapping[str, str],
) -> Goal:
    return Goal(
        asin=product.asin,
        category=product.category,
        query=product.kind,
        name=product.name,
        product_category=product.product_category,
        instruction_text=text,
        attributes=attributes,
        price_upper=bound,
        goal_options=options,
        nouns=product.nouns,
    )


def _weight(goal: Goal, asked: Mapping[str, int]) -> float:
    shares = (1 / asked[attribute] for attribute in goal.attributes)
    return in_order(shares) / len(goal.attributes)


# Files -----------------------------------------------------------------------------------------


def _by_asin(file: Path) -> Mapping[str, Any]:
    """Return the JSON content of a file that maps asins (product codes) to values."""
    try:
        with TextIOWrapper(opened(file, MOST_WHOLE), encoding="utf-8") as source:
            value = json.load(source)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise WebShopFileError(f"{file.name}: is cut off or not valid JSON ({place})") from None
    except (OSError, ValueError, RecursionError) as error:
        raise _unreadable(file, error) from None
    if not isinstance(value, dict):
        raise WebShopFileError(f"{file.name}: should be an object of asins, not {_short(value)}")
    return value


def _named(file: Path, asin: str, value: Any) -> SourceRecord:
    return _record(f"{file.name}: product {asin!r}", value)


def _record(where: str, value: Any) -> SourceRecord:
    if not isinstance(value, dict):
        raise WebShopFileError(f"{where} should be an object, not {_short(value)}")
    return SourceRecord(where, value)


def _listed(file: Path, asin: str, known: Mapping[str, Any]) -> list[Any]:
    value = known.get(asin, [])
    if not isinstance(value, list):
        raise WebShopFileError(
            f"{file.name}: product {asin!r} should be a list of instructions, not {_short(value)}"
        )
    return value


def _elements(file: Path) -> Iterator[Any]:
    """Yield the elements of a file's JSON array one after another, because the largest published
    file has gigabytes.
    """
    try:
        with TextIOWrapper(opened(file, MOST_STREAMED), encoding="utf-8") as source:
            yield from _Array(source, file.name)
    except (OSError, UnicodeError) as error:
        raise _unreadable(file, error) from None


class _Array:
    """A JSON array in a file, whose elements are yielded as soon as they are read."""

    def __init__(self, source: TextIO, name: str) -> None:
        self._source, self._name = source, name
        self._text, self._place = "", 0
        self._decode = json.JSONDecoder().raw_decode

    def __iter__(self) -> Iterator[Any]:
        if self._mark() != "[":
            raise WebShopFileError(f"{self._name}: should be a JSON array of products")
        self._place += 1
        if self._mark() == "]":
            return
        for number in itertools.count():
            self._mark()
            yield self._element(number)
            mark = self._mark()
            self._place += 1
            if mark == "]":
                return
            if mark != ",":
                raise WebShopFileError(f"{self._name}: no comma or ] after product number {number}")

    def _mark(self) -> str:
        """Skip white space and return the next character without reading it, "" at the end."""
        while True:
            self._place = BLANK.match(self._text, self._place).end()  # type: ignore[union-attr]
            if self._place < len(self._text) or not self._more(CHUNK):
                return self._text[self._place : self._place + 1]

    def _more(self, size: int) -> bool:
        """Read `size` more characters of the file, and return whether there were any."""
        read = self._source.read(size)
        self._text, self._place = self._text[self._place :] + read, 0
        return bool(read)

    def _element(self, number: int) -> Any:
        """Return the JSON value that begins at the current position; while it is incomplete, read
        more of the file.
        """
        while True:
            try:
                value, end = self._decode(self._text, self._place)
            except RecursionError:
                where = f"{self._name}: product number {number}"
                raise WebShopFileError(f"{where} is nested too deep") from None
            except ValueError:
                known = len(self._text) - self._place
                if known < LONGEST and self._more(max(CHUNK, known)):
                    continue
                where = f"{self._name}: product number {number}"
                raise WebShopFileError(f"{where} is cut off or not valid JSON") from None
            self._place = end
            return value


def _unreadable(file: Path, error: Exception) -> WebShopFileError:
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return WebShopFileError(f"cannot read {file}: {reason}")


def _sound(text: str) -> str:
    """Return a text with lone surrogates replaced, which JSON can hold but no page can show."""
    return text.encode(errors="replace").decode()


def _short(value: Any) -> str:
    """Return the beginning of a value as JSON, without writing a large value to its end."""
    text = ""
    for part in json.JSONEncoder().iterencode(value):
        text += part[:61]
        if len(text) > 60:
            return f"{text[:57]}..."
    return text
