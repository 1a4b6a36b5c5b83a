"""The generated catalogue: the same every time, believable, and honest about what it hides."""

from __future__ import annotations

import hashlib
import itertools
import re
from collections import Counter, defaultdict

import pytest
from rapidfuzz import fuzz, utils

from sites.store.catalogue.generator import products
from sites.store.catalogue.nouns import nouns_of
from sites.store.catalogue.product import Product
from sites.store.catalogue.tables import CATEGORIES, WORDS, kinds, words
from sites.store.catalogue.webshop_files import BOUNDS
from tests.measuring import cpu_seconds, unmeasured
from tests.sites.other_processes import printed_elsewhere
from tools import draw_store_words


@pytest.fixture(scope="module")
def sample() -> list[Product]:
    return list(products(3000))


def shown(product: Product) -> str:
    return " ".join((product.name, *product.bullets, product.description)).lower()


def same(one: str, other: str) -> bool:
    return fuzz.token_set_ratio(one, other, processor=utils.default_process) > 85


def test_the_stream_is_the_same_in_another_process_hash_seed_and_time_zone() -> None:
    here = "".join(product.to_json() for product in products(700, 5))
    assert printed_elsewhere("products") == {hashlib.sha256(here.encode()).hexdigest()}


def test_a_longer_catalogue_begins_with_the_shorter_one(sample: list[Product]) -> None:
    assert list(products(100)) == sample[:100]


def test_another_seed_is_another_catalogue(sample: list[Product]) -> None:
    other = list(products(200, seed=1))
    assert not {p.asin for p in other} & {p.asin for p in sample[:200]}
    assert {p.name for p in other} != {p.name for p in sample[:200]}


@pytest.mark.wide
@unmeasured()
def test_asins_are_ten_characters_and_never_repeat() -> None:
    asins = [product.asin for product in products(20_000)]
    assert len(set(asins)) == len(asins)
    assert all(re.fullmatch(r"B0[0-9A-Z]{8}", asin) for asin in asins)


def test_the_first_300_products_show_every_type_of_eight_categories(sample: list[Product]) -> None:
    first = sample[:300]
    assert len({product.kind for product in first}) == len(kinds()) >= 40
    assert len({product.category for product in first}) == 8


def test_the_stream_does_not_make_what_nobody_asks_for() -> None:
    assert len(list(itertools.islice(products(10**9), 5))) == 5


def test_a_thousand_products_take_less_than_a_second() -> None:
    assert cpu_seconds(lambda: list(products(1000))) < 1


def test_every_product_is_well_formed(sample: list[Product]) -> None:
    for product in sample:
        assert 3 <= len(product.attributes) <= 5
        assert len(set(product.attributes)) == len(product.attributes)
        assert product.product_category.count(" › ") == 2
        assert product.pricing == tuple(sorted(product.pricing))
        assert product.pricing[0] <= product.price <= product.pricing[-1]
        assert all(round(amount, 2) == amount > 0 for amount in (product.price, *product.pricing))
        assert product.brand in product.name and product.brand in product.description
        assert 0 <= product.rating <= 5 and (product.rating == 0) == (product.review_count == 0)
        for option, values in product.options.items():
            assert option == option.lower() and values
            assert [value.lower().strip() for value in dict.fromkeys(values)] == list(values)


def test_a_page_tells_of_every_attribute_and_of_no_other(sample: list[Product]) -> None:
    every = {kind.name: kind.attributes for kind in kinds()}
    for product in sample:
        text = shown(product)
        named = {attribute for attribute in every[product.kind] if attribute in text}
        assert named == set(product.attributes), product


def test_no_attribute_of_a_type_passes_for_another() -> None:
    for kind in kinds():
        for one, other in itertools.combinations(kind.attributes, 2):
            assert not same(one, other), f"{kind.name}: {one} / {other}"


def test_each_bullet_names_its_attribute_and_no_other_of_the_type() -> None:
    for kind in kinds():
        for attribute, sentence in kind.attributes.items():
            named = [name for name in kind.attributes if name in sentence.lower()]
            assert named == [attribute], f"{kind.name}: {sentence}"
            assert "{" not in sentence


def test_families_differ_in_exactly_one_thing(sample: list[Product]) -> None:
    changes = Counter(
        tuple(changed(one, other)) for one, other in itertools.pairwise(sample) if alike(one, other)
    )
    single = {change for change in changes if len(change) == 1}
    assert {("attributes",), ("options",), ("pricing",), ("brand",)} <= single
    for change in single:
        assert changes[change] > 50


def alike(one: Product, other: Product) -> bool:
    return one.kind == other.kind


def changed(one: Product, other: Product) -> list[str]:
    fields = ("attributes", "options", "pricing", "brand")
    return [field for field in fields if getattr(one, field) != getattr(other, field)]


def test_no_product_is_offered_twice_in_a_family(sample: list[Product]) -> None:
    design = [(p.name, p.pricing, p.attributes, repr(p.options)) for p in sample]
    neighbours = (design[place : place + 6] for place in range(len(design)))
    assert all(group[0] not in group[1:] for group in neighbours)


def test_few_titles_are_shared(sample: list[Product]) -> None:
    """Of a thousand products; some are, as in real shops: what looks alike has to be opened."""
    titles = Counter(product.name for product in sample[:1000])
    shared = sum(count for count in titles.values() if count > 1)
    assert 40 < shared <= 110


def test_a_family_shares_its_kind_of_thing_and_most_have_a_series_of_their_own(
    sample: list[Product],
) -> None:
    families = [list(family) for _, family in itertools.groupby(sample, key=lambda p: p.kind)]
    titles = [[product.name for product in family] for family in families]
    assert sum(len(set(each)) == len(each) for each in titles) > 0.8 * len(titles)


def test_nothing_contradicts_itself(sample: list[Product]) -> None:
    """The pairs are written by hand, here as in the word files: these must be among them."""
    never = (
        ({"slim fit", "relaxed fit"}, "jeans"),
        ({"lightweight", "heavy duty"}, "garden hoses"),
        ({"sugar free", "Honey Glaze"}, "breakfast cereal"),
        ({"nut free", "vanilla almond"}, "breakfast cereal"),
        ({"wooden handle", "dishwasher safe"}, "knife sets"),
        ({"long battery life", "cable"}, "security cameras"),
        ({"oven safe", "plastic"}, "food storage containers"),
        ({"lace up", "Elastic Gore"}, "ankle boots"),
    )
    for pair, kind in never:
        for product in sample:
            values = itertools.chain.from_iterable(product.options.values())
            known = {*product.attributes, *values}
            held = {word for word in pair if word in known or word in product.name}
            assert product.kind != kind or held != pair, product


def test_shared_sentences_fit_their_kinds(sample: list[Product]) -> None:
    """Words that only some things can be told by, and the kinds that were told so once."""
    nonsense = {
        "electric toothbrushes": ("weddings", "midnight", "airport", "twelve months of opening"),
        "makeup brushes": ("midnight", "airport", "twelve months of opening"),
        "computer monitors": ("swipe", "in a bag", "hours of use"),
        "charging cables": ("small print", "no app", "light rain", "a cloth"),
        "desk lamps": ("coat pocket", "a cat from a visitor", "no app"),
        "jeans": ("all the way down",),
        "ankle boots": ("collar to hem",),
        "water bottles": ("program", "recipes"),
        "coffee makers": ("six people",),
        "resistance bands": ("bare feet", "rows of thread"),
        "bike helmets": ("soap and a hose", "beads a shower"),
        "outdoor rugs": ("wrench", "hook"),
        "planters": ("wrench", "paint is scratched", "first frost"),
        "pruning shears": ("hook", "meets soil"),
        "hot sauce": ("close the bag", "glaze"),
    }
    for product in sample:
        text = f"{product.description} {' '.join(product.bullets)}".lower()
        assert not [each for each in nonsense.get(product.kind, ()) if each in text], product


def test_every_sentence_of_the_word_files_is_said(sample: list[Product]) -> None:
    """A sentence that no type uses is one that nobody reads aloud."""
    for category in CATEGORIES:
        table = words(category)
        for kind in table["types"]:
            assert set(kind.get("sentences", {})) <= set(kind["attributes"]), kind["kind"]
            known = {*kind["heads"], *kind["audience"], *kind["features"], *kind["attributes"]}
            known.update(itertools.chain.from_iterable(kind["options"].values()))
            for pair in kind.get("never", ()):
                assert len(pair) == 2 and set(pair) <= known, (kind["kind"], pair)
        used = {
            name
            for kind in table["types"]
            for name in kind["attributes"]
            if name not in kind.get("sentences", {})
        }
        assert used == set(table["sentences"]), category


def test_no_price_is_a_bound_of_a_wish(sample: list[Product]) -> None:
    """So "less than", "at most" and the reward's `<=` mean the same products."""
    for product in sample:
        for amount in (product.price, *product.pricing):
            assert amount not in BOUNDS, product


def test_dearer_siblings_exceed_every_price_bound_of_the_first(sample: list[Product]) -> None:
    families = [list(family) for _, family in itertools.groupby(sample, key=lambda p: p.kind)]
    dearer = [
        (family[0], sibling)
        for family in families
        for sibling in family[1:]
        if changed(family[0], sibling) == ["pricing"]
    ]
    assert len(dearer) > 100
    assert all(dear.price > first.price + 40 for first, dear in dearer)


def test_nouns_match_within_a_type_and_rarely_across(sample: list[Product]) -> None:
    by_kind: dict[str, list[Product]] = defaultdict(list)
    for product in sample:
        by_kind[product.kind].append(product)
        assert set(product.nouns) <= set(nouns_of(product.name.lower()) + product.nouns)
        assert 4 <= len(product.nouns) <= 10
        assert all(noun in product.name.lower() for noun in product.nouns)
    for family in by_kind.values():
        assert set(family[0].nouns) & set(family[1].nouns)


def test_nouns_hold_no_attribute(sample: list[Product]) -> None:
    product = next(p for p in sample if p.kind == "frying pans" and "Ceramic Coating" in p.name)
    assert "ceramic" not in product.nouns
    assert product.brand.lower() in product.nouns


def test_some_prices_are_ranges_and_some_products_have_no_options(sample: list[Product]) -> None:
    ranges = sum(len(product.pricing) == 2 for product in sample) / len(sample)
    plain = sum(not product.options for product in sample) / len(sample)
    assert 0.05 < ranges < 0.2
    assert 0.01 < plain < 0.12


def test_to_webshop_has_the_published_names() -> None:
    product = next(iter(products(1)))
    mapping = product.to_webshop()
    assert mapping["query"] == product.kind
    assert mapping["Title"] == mapping["name"] == product.name
    assert mapping["BulletPoints"] == list(product.bullets)
    assert mapping["Attributes"] == list(product.attributes)
    assert mapping["Price"] == product.price_text


def test_price_text_is_one_amount_or_two() -> None:
    fixed = next(p for p in products(100) if len(p.pricing) == 1)
    span = next(p for p in products(100) if len(p.pricing) == 2)
    assert re.fullmatch(r"\$\d+\.\d\d", fixed.price_text)
    assert re.fullmatch(r"\$\d+\.\d\d to \$\d+\.\d\d", span.price_text)


def test_json_brings_every_product_back(sample: list[Product]) -> None:
    for product in sample[:200]:
        assert Product.from_json(product.to_json()) == product
        assert Product.from_json(product.to_json()).to_json() == product.to_json()


def test_the_names_are_those_that_the_script_draws() -> None:
    for name, text in draw_store_words.draw().items():
        assert (WORDS / name).read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    ("name", "nouns"),
    [
        ("Acme Women's Running Shoes, Black, Size 8", ["acme", "women", "shoes"]),
        ("64oz Insulated Water Bottle (2 Pack)", ["water", "bottle"]),
        ("Frying Pan with Lid, Non Stick Coating", ["pan", "lid", "stick", "coating"]),
        ("Women's Non-Slip Trail-Running Shoes", ["women", "slip", "trail", "shoes"]),
        ("Red red wine wine", ["wine", "wine"]),
        ("Ceiling Fan with Hanging String | Clothing", ["ceiling", "fan", "string", "clothing"]),
        ("", []),
        ("1234 %% 12V", []),
    ],
)
def test_the_rule_for_nouns_of_foreign_names(name: str, nouns: list[str]) -> None:
    assert list(nouns_of(name)) == nouns
