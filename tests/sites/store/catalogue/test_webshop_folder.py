"""A folder of WebShop's files as a shop: built once, and every page of every product is shown."""

from __future__ import annotations

import random

import pytest

from sites.store import CatalogueSource, open_data
from sites.store.catalogue.webshop_files import Goal, human_goals, read_products
from sites.store.catalogue.webshop_folder import SHUFFLE, Goals, build, skipped, source_files
from tests import webshop_catalogue
from tests.sites.store.conftest import Shop
from tests.webshop_catalogue import item

ODD = [
    item("A", "One letter", "", "", []),
    item("B00ODD0001", "Quotes \"'<b>&amp; ümläut", "x", "$0.99", [""], **{"a/b'\"": ["", "c/d"]}),
    item("B00ODD0002", "No values", "x", "$5 - $9", ["y" * 3000], Size=[], Color=["red", "red"]),
]


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    items = [*webshop_catalogue.ITEMS, *ODD]
    folder = webshop_catalogue.write(tmp_path_factory.mktemp("files"), items=items)
    made = CatalogueSource(folder).open(tmp_path_factory.mktemp("cache"))
    yield made
    made.close()


def test_every_page_of_every_product_is_shown(data):
    shop = Shop(data)
    for product in data.catalogue:
        at = f"s1/{product.asin}/['x']/1"
        pages = [f"/item_page/{at}/{{}}"]
        pages += [f"/item_sub_page/{at}/{name}/{{}}" for name in ("Description", "Features")]
        pages += [f"/item_sub_page/{at}/Reviews/{{}}", "/search_results/s1/['x']/1"]
        for page in pages:
            shown = shop.client.get(page)
            assert shown.status_code == 200, (page, shown.text[-300:])


def test_goals_are_in_the_order_of_webshops_shuffle(data, tmp_path):
    folder = webshop_catalogue.write(tmp_path)
    files = source_files(folder)
    goals = human_goals(list(read_products(files.items, files.mined)), files.human)
    random.Random(SHUFFLE).shuffle(goals)
    assert [data.goals[place] for place in range(len(data.goals))] == goals
    assert SHUFFLE == 233
    with pytest.raises(IndexError, match="has 5"):
        data.goals[5]


@pytest.mark.parametrize("human", [webshop_catalogue.HUMAN, None])
def test_a_goal_is_the_same_from_its_line(tmp_path, human):
    place = build(webshop_catalogue.write(tmp_path / "in", human=human), cache=tmp_path / "cache")
    goals = Goals(place)
    for goal in (goals[number] for number in range(len(goals))):
        assert Goal.from_json(goal.to_json()) == goal


def test_it_is_built_once_and_again_where_a_file_changes(tmp_path):
    folder = webshop_catalogue.write(tmp_path / "files")
    first = build(folder, cache=tmp_path / "cache")
    made = (first / "goals.sqlite").stat().st_mtime_ns
    assert build(folder, cache=tmp_path / "cache") == first
    assert (first / "goals.sqlite").stat().st_mtime_ns == made and skipped(first) == (0, [])
    digest = open_data(first).digest
    webshop_catalogue.write(tmp_path / "files", human=None)
    (folder / "items_human_ins.json").unlink()
    second = build(folder, cache=tmp_path / "cache")
    assert second != first and open_data(second).digest != digest
    assert open_data(second).catalogue.digest == open_data(first).catalogue.digest


def test_a_build_that_fails_leaves_nothing(tmp_path):
    folder = webshop_catalogue.write(tmp_path / "files", human={"B00KETTLE1": 5})
    with pytest.raises(Exception, match="should be a list of instructions, not 5"):
        build(folder, cache=tmp_path / "cache")
    assert list((tmp_path / "cache" / "store").iterdir()) == []
