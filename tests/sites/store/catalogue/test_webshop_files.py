"""WebShop's own files: read by the published rules, refused by file, product and field."""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sites.store.catalogue.catalogue import build
from sites.store.catalogue.product import Product
from sites.store.catalogue.search import Search
from sites.store.catalogue.webshop_files import (
    NO_BOUND,
    WebShopFileError,
    human_goals,
    price_bound,
    price_suffix,
    read_products,
    synthetic_goals,
)
from tests.measuring import DEEP

ITEM: dict[str, Any] = {
    "asin": "B09KP78G37",
    "name": "Women's Running Shoes, Mesh",
    "query": "  Women's Shoes ",
    "category": "fashion",
    "product_category": "Clothing › Women › Shoes",
    "full_description": "A light shoe.",
    "small_description": ["Rubber sole", "Lace up"],
    "pricing": "$49.99",
    "customization_options": {
        "Color": [{"value": " Black/White ", "image": "x.jpg"}, {"value": "Red", "image": None}],
        "SIZE": [{"value": "8 Wide"}],
        "style": None,
    },
    "images": ["main.jpg"],
    "seller": "ignored",
}
ASIN = ITEM["asin"]
FIELDS = sorted(set(ITEM) - {"images", "seller"})


def written(folder: Path, name: str, value: Any) -> Path:
    file = folder / name
    file.write_text(json.dumps(value), encoding="utf-8")
    return file


def read(folder: Path, *items: Any, **changes: Any) -> list[Product]:
    file = written(folder, "items_shuffle.json", list(items or [ITEM | changes]))
    return list(read_products(file))


# Products --------------------------------------------------------------------------------------


def test_a_product_is_cleaned_by_the_published_rules(tmp_path: Path) -> None:
    (product,) = read(tmp_path)
    assert product == Product(
        asin="B09KP78G37",
        name="Women's Running Shoes, Mesh",
        brand="",
        kind="women's shoes",
        category="fashion",
        product_category="Clothing › Women › Shoes",
        price=49.99,
        pricing=(49.99,),
        description="A light shoe.",
        bullets=("Rubber sole", "Lace up"),
        options={"color": ("black | white", "red"), "size": ("8 wide",)},
        attributes=(),
        nouns=("women", "shoes", "mesh"),
        rating=0.0,
        review_count=0,
    )


def test_mined_attributes_come_from_the_other_file(tmp_path: Path) -> None:
    items = written(tmp_path, "items_shuffle.json", [ITEM, ITEM | {"asin": "B2"}])
    mined = written(tmp_path, "items_ins_v2.json", {ASIN: {"attributes": ["Lace Up"]}, "B2": {}})
    assert [product.attributes for product in read_products(items, mined)] == [("lace up",), ()]


def test_nan_long_and_repeated_asins_are_left_out(tmp_path: Path) -> None:
    asins = ["nan", "B01234567890", "B1", "B2", "B1"]
    items = [ITEM | {"asin": asin, "name": str(n)} for n, asin in enumerate(asins)]
    assert [(p.asin, p.name) for p in read(tmp_path, *items)] == [("B1", "2"), ("B2", "3")]


@pytest.mark.parametrize(
    ("pricing", "shown"),
    [
        (None, "$100.00"),
        ("", "$100.00"),
        ("$7", "$7.00"),
        ("$1,299.50", "$1299.50"),
        ("$10.00 - $30.00", "$10.00 to $30.00"),
        ("$30.00$10.00", "$10.00 to $30.00"),
        ("$1.00 $2.00 $3.00", "$1.00 to $2.00"),
    ],
)
def test_prices_as_shown(tmp_path: Path, pricing: str | None, shown: str) -> None:
    (product,) = read(tmp_path, pricing=pricing)
    assert product.price_text == shown
    assert product.pricing[0] <= product.price <= product.pricing[-1]


def test_the_price_of_a_range_is_drawn_from_the_seed_and_the_asin(tmp_path: Path) -> None:
    items = [ITEM | {"asin": f"B{n}", "pricing": "$10.00 to $90.00"} for n in range(40)]
    file = written(tmp_path, "items_shuffle.json", items)
    one, same, other = (list(read_products(file, seed=seed)) for seed in (1, 1, 2))
    assert one == same
    assert [p.price for p in one] != [p.price for p in other]
    assert len({p.price for p in one}) > 30
    single = written(tmp_path, "items_shuffle_1.json", items[20:])
    assert list(read_products(single, seed=1)) == one[20:]


@pytest.mark.parametrize(
    ("bullets", "read_as"),
    [(None, ()), ([], ()), ("", ()), ("one line", ("one line",)), (["a", "b"], ("a", "b"))],
)
def test_bullets_may_be_a_text_or_missing(
    tmp_path: Path, bullets: Any, read_as: tuple[str, ...]
) -> None:
    assert read(tmp_path, small_description=bullets)[0].bullets == read_as


@pytest.mark.parametrize("nothing", [None, "", {}, []])
def test_a_product_may_have_no_options(tmp_path: Path, nothing: Any) -> None:
    assert read(tmp_path, customization_options=nothing)[0].options == {}


@pytest.mark.parametrize(
    ("field", "value", "named"),
    [
        ("name", 5, '"name"'),
        ("query", None, '"query"'),
        ("category", ["x"], '"category"'),
        ("product_category", {}, '"product_category"'),
        ("full_description", 3, '"full_description"'),
        ("small_description", ["a", 1], '"small_description"'),
        ("small_description", {"a": 1}, '"small_description"'),
        ("pricing", 49.99, '"pricing"'),
        ("pricing", "49.99", '"pricing"'),
        ("pricing", "$free", '"pricing"'),
        ("pricing", "$" + "9" * 400, '"pricing"'),
        ("customization_options", "red", '"customization_options"'),
        ("customization_options", {"Color": "red"}, '"customization_options.Color"'),
        ("customization_options", {"Color": ["red"]}, '"customization_options.Color"'),
        ("customization_options", {"Color": [{"image": 1}]}, '.Color": field "value"'),
        ("customization_options", {"a\nb": 5}, '"customization_options.a'),
    ],
)
def test_a_field_that_does_not_match_is_named(
    tmp_path: Path, field: str, value: Any, named: str
) -> None:
    with pytest.raises(WebShopFileError) as caught:
        read(tmp_path, ITEM | {"asin": "B1"}, ITEM | {field: value})
    message = str(caught.value)
    assert message.startswith(f"items_shuffle.json: product '{ASIN}' (number 1)")
    assert named in message
    assert "\n" not in message and len(message) < 250


@pytest.mark.parametrize("field", ["asin", "name", "query", "category", "product_category"])
def test_a_field_that_is_missing_is_named(tmp_path: Path, field: str) -> None:
    item = {name: value for name, value in ITEM.items() if name != field}
    with pytest.raises(WebShopFileError, match=rf'number 0\)?: field "{field}".*but is missing'):
        read(tmp_path, item)


@pytest.mark.parametrize("asin", [None, 5, float("nan"), ""])
def test_an_asin_that_is_no_text_is_refused(tmp_path: Path, asin: Any) -> None:
    with pytest.raises(WebShopFileError, match='"asin"'):
        read(tmp_path, asin=asin)


@pytest.mark.parametrize(
    "text",
    ["", "  ", "{}", "null", "[1]", "[[]]", "[{]", '[{"asin":', "[,]", "[{} {}]", "[" * 5000, "["],
)
def test_a_file_of_another_shape_is_refused_in_one_line(tmp_path: Path, text: str) -> None:
    file = tmp_path / "items.json"
    file.write_text(text)
    with pytest.raises(WebShopFileError, match=r"items\.json: [^\n]+\Z"):
        list(read_products(file))


def test_a_file_that_is_missing_or_no_text_is_named(tmp_path: Path) -> None:
    with pytest.raises(WebShopFileError, match=r"cannot read .*none\.json: No such file"):
        list(read_products(tmp_path / "none.json"))
    (tmp_path / "items.json").write_bytes(b'[{"asin": "\xff"}]')
    with pytest.raises(WebShopFileError, match="cannot read"):
        list(read_products(tmp_path / "items.json"))


def test_products_come_before_the_file_is_read_to_its_end(tmp_path: Path) -> None:
    items = [ITEM | {"asin": f"B{n}", "full_description": "x" * 9000} for n in range(400)]
    text = json.dumps(items, indent=1)
    (tmp_path / "items.json").write_text(text[:-400])
    stream = read_products(tmp_path / "items.json")
    assert [next(stream).asin for _ in range(390)] == [f"B{n}" for n in range(390)]
    with pytest.raises(WebShopFileError, match="cut off"):
        list(stream)


def test_a_product_longer_than_what_is_read_at_once(tmp_path: Path) -> None:
    long = "long " * 600_000
    assert [p.description for p in read(tmp_path, ITEM | {"full_description": long})] == [long]


def test_half_a_character_does_no_harm(tmp_path: Path) -> None:
    options = {"c\ud800": [{"value": "r\ud800d"}]}
    (product,) = read(tmp_path, name="Shoe \ud800", customization_options=options)
    assert product.to_json().encode() and product.options == {"c?": ("r?d",)}


def test_foreign_products_make_a_shop(tmp_path: Path) -> None:
    items = [ITEM | {"asin": f"B{n}"} for n in range(5)]
    shop = build(tmp_path / "shop", read(tmp_path, *items))
    assert Search(shop.folder).search("mesh shoes in black") == [f"B{n}" for n in range(5)]


values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


@given(field=st.sampled_from(FIELDS), value=values)
@settings(derandomize=True, max_examples=200 if DEEP else 60, deadline=None)
def test_any_value_is_read_or_refused_in_one_line(folder: Path, field: str, value: Any) -> None:
    try:
        products = read(folder, ITEM | {field: value})
    except WebShopFileError as error:
        message, products = str(error), []
    else:
        message = f"items_shuffle.json: product, {field}"
    assert message.startswith("items_shuffle.json: product") and "\n" not in message
    assert field in message
    assert all(Product.from_json(product.to_json()) == product for product in products)


@given(text=st.text(alphabet='[]{},:" \\n01eE.-truefalsenull\ufeff', max_size=40))
@settings(derandomize=True, max_examples=200 if DEEP else 60, deadline=None)
def test_any_text_is_a_list_of_products_or_refused(folder: Path, text: str) -> None:
    (folder / "items.json").write_text(text, encoding="utf-8")
    try:
        products = list(read_products(folder / "items.json"))
    except WebShopFileError:
        return
    assert products == json.loads(text) == []


# Goals -----------------------------------------------------------------------------------------


@pytest.fixture
def shoes(tmp_path: Path) -> list[Product]:
    other = ITEM | {"asin": "B2", "customization_options": {}}
    return read(tmp_path, ITEM, other, ITEM | {"asin": "B3"})


def test_human_goals_are_what_the_annotators_wrote(tmp_path: Path, shoes: list[Product]) -> None:
    entry = {
        "instruction": "i need red shoes.",
        "instruction_attributes": ["lace up"],
        "instruction_options": ["red", "8 wide"],
    }
    file = written(
        tmp_path,
        "items_human_ins.json",
        {ASIN: [entry, entry | {"instruction_attributes": []}, entry], "B404": [entry]},
    )
    first, second = human_goals(shoes, file)
    assert (first.asin, first.query, first.name) == (ASIN, "women's shoes", shoes[0].name)
    assert first.goal_options == ("red", "8 wide")
    assert first.attributes == ("lace up",) and first.weight == 1
    assert first.price_upper in (60.0, 70.0, 80.0) and first.nouns == shoes[0].nouns
    suffix = f", and price lower than {first.price_upper:.2f} dollars"
    assert first.instruction_text == f"i need red shoes{suffix}"
    assert human_goals(shoes, file) == [first, second]
    bounds = {goal.price_upper for seed in range(20) for goal in human_goals(shoes, file, seed)}
    assert bounds == {60.0, 70.0, 80.0}


def test_synthetic_goals_are_every_combination(tmp_path: Path, shoes: list[Product]) -> None:
    asked = {"instruction": "find me shoes", "instruction_attributes": ["lace up"]}
    rare = {"instruction": "find me", "instruction_attributes": ["lace up", "rubber"]}
    file = written(
        tmp_path, "items_ins_v2.json", {ASIN: asked, "B2": rare, "B3": {"instruction": None}}
    )
    goals = synthetic_goals(shoes, file)
    assert [(goal.asin, goal.goal_options) for goal in goals] == [
        (ASIN, {"color": "black | white", "size": "8 wide"}),
        (ASIN, {"color": "red", "size": "8 wide"}),
        ("B2", {}),
    ]
    assert goals[1].instruction_text == "find me shoes with color: red, and size: 8 wide" + (
        price_suffix(goals[1].price_upper)
    )
    assert goals[2].instruction_text.startswith("find me, and price lower than ")
    assert [goal.weight for goal in goals] == pytest.approx([1 / 3, 1 / 3, (1 / 3 + 1) / 2])


@pytest.mark.parametrize(
    ("entry", "named"),
    [
        ("text", "should be a list of instructions"),
        ([5], "should be an object"),
        ([{}], '"instruction_attributes"'),
        ([{"instruction_attributes": ["a"]}], '"instruction"'),
        ([{"instruction_attributes": "a", "instruction": "x"}], '"instruction_attributes"'),
        ([{"instruction_attributes": ["a"], "instruction": "x"}], '"instruction_options"'),
    ],
)
def test_a_human_instruction_that_does_not_match_is_named(
    tmp_path: Path, shoes: list[Product], entry: Any, named: str
) -> None:
    file = written(tmp_path, "items_human_ins.json", {ASIN: entry})
    with pytest.raises(WebShopFileError, match=f"items_human_ins.json: product '{ASIN}'") as caught:
        human_goals(shoes, file)
    assert named in str(caught.value)


@pytest.mark.parametrize("attributes", [[], None, "lace up"])
def test_a_synthetic_instruction_without_attributes_is_named(
    tmp_path: Path, shoes: list[Product], attributes: Any
) -> None:
    entry = {"instruction": "x", "instruction_attributes": attributes}
    file = written(tmp_path, "items_ins_v2.json", {ASIN: entry})
    with pytest.raises(WebShopFileError, match=rf'{ASIN}.*"instruction_attributes"'):
        synthetic_goals(shoes, file)


@pytest.mark.parametrize("text", ["", "[]", "{", "[" * 100_000])
def test_an_instruction_file_of_another_shape_is_refused(
    tmp_path: Path, shoes: list[Product], text: str
) -> None:
    (tmp_path / "ins.json").write_text(text)
    with pytest.raises(WebShopFileError, match=r"ins\.json"):
        human_goals(shoes, tmp_path / "ins.json")


@pytest.mark.parametrize(
    ("price", "bounds"),
    [
        (4.99, {20.0, 30.0, 40.0}),
        (10.0, {30.0, 40.0, 50.0}),
        (955.0, {970.0, 980.0, 990.0}),
        (975.0, {990.0}),
        (980.0, {NO_BOUND}),
        (5000.0, {NO_BOUND}),
    ],
)
def test_the_price_bound_is_the_published_one(price: float, bounds: set[float]) -> None:
    rng = random.Random("bounds")
    assert {price_bound(price, rng) for _ in range(100)} == bounds


def test_only_a_bound_is_spoken_of() -> None:
    assert price_suffix(NO_BOUND) == ""
    assert price_suffix(60.0) == ", and price lower than 60.00 dollars"
