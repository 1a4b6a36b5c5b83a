"""Other products than the store's own: WebShop's files and larger catalogues, shown and served."""

from __future__ import annotations

import json
import shutil

import pytest
from click.testing import CliRunner

import rehearse
from evaluators.records import run_folder
from evaluators.run import api, catalogues
from evaluators.run.config import RunConfig
from evaluators.scoring.context import ScoringContext
from evaluators.server import serve
from scenarios import registry
from sites.store import CatalogueSource
from sites.store.shop import operations
from tests import webshop_catalogue
from tests.each import for_each
from tests.measuring import DEEP
from tests.webshop_catalogue import BLUE, DEAR, GRAND, KETTLE, LAMP, PLAIN, STEEL

KINDS = ("right", "wrong option", "wrong product", "price over")
SKILLS, TRIALS = ((0.0, 0.2, 1.0), 2) if DEEP else ((0.0, 1.0), 1)
BRASS, BLACK = {"color": "brass"}, {"color": "black"}
TABLE = [
    # goal, bought, its options, (attributes + options + price) / all, by hand; the strict reward
    (DEAR, DEAR, {"color": "blue"}, 3 / 3, 1.0),
    (DEAR, BLUE, {"color": "blue"}, 3 / 3, 1.0),  # another product that fits
    (DEAR, BLUE, {"color": "green"}, 2 / 3, 2 / 3),
    (DEAR, PLAIN, {"color": "white"}, 1 / 3, 1 / 3),
    (DEAR, PLAIN, {"color": "blue"}, 2 / 3, 2 / 3),
    (BLUE, BLUE, {"color": "blue", "size": "16 oz"}, 5 / 5, 1.0),
    (BLUE, BLUE, {"color": "blue", "size": "12 oz"}, 4 / 5, 4 / 5),
    (BLUE, BLUE, {"color": "green", "size": "16 oz"}, 4 / 5, 4 / 5),
    (BLUE, BLUE, {"color": "green", "size": "12 oz"}, 3 / 5, 3 / 5),
    (BLUE, DEAR, {"color": "blue", "size": "12 oz"}, 3 / 5, 0.0),  # $89 is too much
    (BLUE, PLAIN, {"color": "white"}, 1 / 5, 1 / 5),  # the price alone
    (PLAIN, PLAIN, {"color": "white"}, 3 / 3, 1.0),
    (PLAIN, PLAIN, {"color": "blue"}, 2 / 3, 2 / 3),
    (PLAIN, BLUE, {"color": "green"}, 1 / 3, 1 / 3),
    (KETTLE, KETTLE, {}, 2 / 2, 1.0),
    (KETTLE, STEEL, {}, 0.0, 0.0),  # no noun of the name in common
    (LAMP, LAMP, BRASS, 3 / 3, 1.0),
    (LAMP, GRAND, BRASS, 2 / 3, 0.0),
    (LAMP, GRAND, BLACK, 1 / 3, 0.0),  # of two prices the true one is too much
]


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("REHEARSE_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    return CatalogueSource(webshop_catalogue.write(tmp_path_factory.mktemp("files")))


@pytest.fixture(scope="module")
def laser_runs(source, tmp_path_factory, unmeasured):
    """LASER that errs in everything and in nothing (deep: also in most), on every goal."""
    out = tmp_path_factory.mktemp("runs") / "laser"
    with catalogues.in_use(source):
        tasks = registry.from_family("buy_item", catalogues.test_split("buy_item"))
    config = RunConfig(out=out, trials=TRIALS, catalogue=source)
    summary = api.run(["laser"], tasks, config, skills=SKILLS)
    return out, summary


def wished(scenario):
    return scenario.gold["asin"]


def scenarios():
    return {wished(each): each for each in map(drawn, range(5))}


def drawn(seed):
    return api.generate("buy_item", seed)


def cli(*arguments):
    return CliRunner().invoke(rehearse.main, list(map(str, arguments)))


# Goals and rewards -------------------------------------------------------------------------------


def test_a_purchase_has_the_reward_that_was_computed_by_hand(source):
    with catalogues.in_use(source):
        goals, data = scenarios(), registry.site_data("store")
        for goal, asin, options, reward, strict in TABLE:
            context = ScoringContext.of(goals[goal])
            world = context.family.world(goals[goal])
            operations.buy(world, operations.open_item(world, data, asin, options), options)
            score = context.score(world.snapshot())
            assert (score.reward, score.reward_strict) == pytest.approx((reward, strict)), asin


@pytest.mark.wide
def test_laser_gets_the_rewards_of_the_table(laser_runs):
    out, summary = laser_runs
    table = {(goal, asin, json.dumps(opts)): reward for goal, asin, opts, reward, _ in TABLE}
    *erring, right = sorted(summary.rows, key=lambda row: row.skill)
    assert right.success == 1.0 and right.reward == 1.0
    assert all(row.success < 0.8 for row in erring)
    kinds = {kind for record in run_folder.episodes(out) for kind in mistakes(out, record, table)}
    assert {"right", "wrong product"} <= kinds <= {*KINDS}


def mistakes(out, record, table):
    """What was wrong with the purchase of an episode, whose reward is that of the table."""
    world = json.loads((run_folder.home(out, record) / "final_world.json").read_text())
    goal = next(asin for asin, each in GOAL_TEXTS.items() if each in record.instruction)
    for row in world["purchases"]:
        asin, options = row["asin"], row["options"]
        assert record.reward == pytest.approx(table[goal, asin, options]), (goal, asin, options)
        if (goal, asin) == (LAMP, GRAND):
            yield "price over"
        elif asin != goal:
            yield "wrong product"
        else:
            yield "right" if record.reward == 1 else "wrong option"


GOAL_TEXTS = {
    DEAR: "hartwell",
    BLUE: "northfold",
    PLAIN: "aldermoor",
    KETTLE: "kettle",
    LAMP: "bedside lamp",
}


def test_a_goal_asks_in_the_words_of_its_file_with_a_price(source):
    with catalogues.in_use(source):
        goals = scenarios()
    assert len(goals) == 5
    kettle = goals[KETTLE]
    assert kettle.instruction.startswith("a stainless steel tea kettle, and price lower than ")
    assert kettle.details["split"] == "test" and kettle.gold["price_upper"] in {50, 60, 70, 80}
    assert goals[BLUE].gold["goal_options"] == {"color": "blue", "size": "16 oz"}
    assert goals[BLUE].gold["published_options"] == ["blue", "16 oz"]


def test_goals_without_annotators_are_one_for_each_combination_of_options(tmp_path):
    folder = webshop_catalogue.write(tmp_path, human=None)
    with catalogues.in_use(CatalogueSource(folder)):
        assert catalogues.test_split("buy_item") == range(3 * 2 + 1)
        texts = [drawn(seed).instruction for seed in range(7)]
        first = next(each for each in map(drawn, range(7)) if wished(each) == BLUE)
    assert len(set(texts)) == 7
    assert set(first.gold["published_options"]) == {"color", "size"}


def test_the_test_split_is_five_hundred_goals(tmp_path):
    wishes = webshop_catalogue.HUMAN[KETTLE] * 600
    folder = webshop_catalogue.write(tmp_path, human={KETTLE: wishes})
    with catalogues.in_use(CatalogueSource(folder)):
        assert catalogues.test_split("buy_item") == range(500)
        splits = [drawn(seed).details["split"] for seed in (499, 500, 599)]
    assert splits == ["test", "dev", "dev"]


# Records -----------------------------------------------------------------------------------------


@pytest.mark.wide
def test_the_records_name_the_catalogue(laser_runs, source):
    out, _ = laser_runs
    with catalogues.in_use(source) as digest:
        pass
    assert run_folder.load_manifest(out).config.catalogue == digest
    assert {record.hashes["data"] for record in run_folder.episodes(out)} == {digest}


@pytest.mark.wide
def test_a_replay_and_a_score_need_the_same_catalogue(laser_runs, source, tmp_path):
    out, _ = laser_runs
    other = webshop_catalogue.write(tmp_path / "other", items=webshop_catalogue.ITEMS[:3])
    episode = "laser@scripted-1/store/buy_item/2/0"
    for given in ([], ["--catalogue", other], ["--products", "1500"]):
        for words in (["replay", out, episode], ["score", out], ["report", out]):
            refused = cli(*words, *given)
            last = refused.stderr.splitlines()[-1]
            assert refused.exit_code == 2 and refused.stdout == "", refused.output
            assert last.startswith(f"rehearse: {out} was made with the catalogue "), last
    replayed = cli("replay", out, episode, "--catalogue", source.folder)
    assert replayed.exit_code == 0 and "no difference" in replayed.stdout
    assert cli("score", out, "--catalogue", source.folder, "--json").exit_code == 0


@pytest.mark.wide
def test_a_run_is_not_resumed_with_another_catalogue(laser_runs, source, tmp_path):
    out, _ = laser_runs
    shutil.copytree(out, tmp_path / "run")
    words = (
        "run",
        "--agent",
        "laser",
        "--skill",
        ",".join(map(str, SKILLS)),
        "--trials",
        TRIALS,
        "-o",
        tmp_path / "run",
    )
    tasks = ("--family", "buy_item", "--seeds", "0:5")
    for given in ([], ["--products", "1500"]):
        refused = cli(*words, *tasks, *given)
        last = refused.stderr.splitlines()[-1]
        assert refused.exit_code == 2 and "was begun differently (catalogue was " in last
    resumed = cli(*words, "--family", "buy_item", "--catalogue", source.folder)
    assert resumed.exit_code == 0, resumed.output


def test_a_run_with_the_stores_own_products_names_none(tmp_path):
    config = RunConfig(out=tmp_path / "run", catalogue=None)
    api.run(["nothing"], registry.from_family("buy_item", range(1)), config)
    assert run_folder.load_manifest(tmp_path / "run").config.catalogue == ""
    assert cli("score", tmp_path / "run").exit_code == 0
    refused = cli("score", tmp_path / "run", "--products", "1500")
    assert refused.exit_code == 2 and "with the store's own products, not" in refused.stderr


@pytest.mark.wide
def test_processes_of_a_run_sell_the_same_products(source, tmp_path):
    done = cli(
        *("run", "--agent", "expert", "--family", "buy_item", "--seeds", "0:1", "-n", "2"),
        *("--catalogue", source.folder, "-o", tmp_path / "run", "--json"),
    )
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["rows"][0]["success"] == 1.0
    assert f": {len(webshop_catalogue.ITEMS)} products and 5 goals" in done.stderr


# Bad input ---------------------------------------------------------------------------------------


@for_each(
    ("words", "expected"),
    [
        (["run", "--agent", "nothing", "--family", "latest_order", "--seeds", "0:1"], "buy_item"),
        (["run", "--agent", "nothing", "--suite", "store-20"], "frozen on the store's own"),
        (["run", "--agent", "nothing", "--family", "click-test", "--seeds", "0:1"], "the store"),
        (["run", "--agent", "nothing", "--family", "buy_item", "--seeds", "4:6"], "within 0:5"),
        (["generate", "--family", "buy_item", "--seed", "5"], "within 0:5"),
        (["generate", "--family", "buy_item", "--products", "2000"], "leave out --products"),
    ],
)
def test_what_the_catalogue_does_not_have_is_one_line(source, words, expected):
    refused = cli(*words, "--catalogue", source.folder)
    last = refused.stderr.splitlines()[-1]
    assert refused.exit_code == 2 and refused.stdout == "", refused.output
    assert last.startswith("rehearse: ") and expected in last, last


def test_an_own_wish_to_skip_needs_files():
    refused = cli("generate", "--family", "buy_item", "--skip-bad")
    assert refused.exit_code == 2 and "add --catalogue DIR" in refused.stderr


def test_a_bad_product_stops_unless_it_is_to_be_skipped(tmp_path):
    items = [dict(each) for each in webshop_catalogue.ITEMS]
    items[1]["pricing"], items[3]["customization_options"] = 9.0, "red"
    human = webshop_catalogue.HUMAN | {KETTLE: [{"instruction": "a kettle"}]}
    folder = webshop_catalogue.write(tmp_path, items=items, human=human)
    words = ("generate", "--family", "buy_item", "--catalogue", folder)
    refused = cli(*words)
    (line,) = refused.stderr.splitlines()
    assert refused.exit_code == 1 and refused.stdout == ""
    assert "items_shuffle.json: product 'B00MUGPLAI'" in line and '"pricing"' in line
    for _ in range(2):  # also where it is in the cache
        allowed = cli(*words, "--skip-bad")
        assert allowed.exit_code == 0, allowed.output
        first, second, *named = allowed.stderr.splitlines()
        assert first.endswith(": 5 products and 3 goals")
        assert second == "3 bad entries were skipped, such as:"
        assert '"customization_options"' in named[1] and "instruction_attributes" in named[2]


@for_each("cut", ["items_shuffle.json", "items_ins_v2.json", "items_human_ins.json"])
def test_a_file_that_is_cut_in_the_middle_is_one_line(tmp_path_factory, cut):
    folder = webshop_catalogue.write(tmp_path_factory.mktemp("cut"))
    text = (folder / cut).read_text(encoding="utf-8")
    (folder / cut).write_text(text[: len(text) // 2], encoding="utf-8")
    for skip in ([], ["--skip-bad"]):
        refused = cli("generate", "--family", "buy_item", "--catalogue", folder, *skip)
        (line,) = refused.stderr.splitlines()
        assert refused.exit_code == 1 and f"{cut}: " in line and "cut off" in line, line


@for_each(
    ("parts", "expected"),
    [
        ({"items": None}, "holds no items_shuffle*.json"),
        ({"mined": None, "human": None}, "holds neither"),
        ({"human": {"B000000000": []}}, "no goal is for a product of items_shuffle.json"),
    ],
)
def test_a_folder_that_lacks_a_file_is_one_line(tmp_path_factory, parts, expected):
    folder = webshop_catalogue.write(tmp_path_factory.mktemp("lacks"), **parts)
    refused = cli("generate", "--family", "buy_item", "--catalogue", folder)
    (line,) = refused.stderr.splitlines()
    assert refused.exit_code == 1 and expected in line


def test_two_product_files_are_one_too_many(tmp_path):
    webshop_catalogue.write(tmp_path)
    webshop_catalogue.write(tmp_path, name="_1000")
    refused = cli("generate", "--family", "buy_item", "--catalogue", tmp_path)
    assert refused.exit_code == 1
    assert "items_shuffle.json and items_shuffle_1000.json; leave one" in refused.stderr


# Other doors -------------------------------------------------------------------------------------


def test_serve_shows_the_products_of_the_files(source):
    with catalogues.in_use(source), serve.serve(["store"]) as served:
        assert served.sessions.families() == [("store", "buy_item")]
        opened = served.sessions.draw()
        assert opened.scenario.seed in range(5)
        with pytest.raises(ValueError, match="one below 5"):
            served.sessions.draw("store", "buy_item", 5)
        client = served.sites["store"].server.app.test_client()
        session = client.get(opened.url, follow_redirects=True).request.path
        shown = client.get(f"/search_results{session}/['mug']/1").text
        assert "Northfold Stoneware Coffee Mug" in shown and "$12.50" in shown
        item = client.get(f"/item_page{session}/{BLUE}/['mug']/1/{{}}")
        assert item.status_code == 200 and "light | grey" in item.text


def test_a_larger_catalogue_begins_with_the_stores_own_products():
    own = registry.site_data("store")
    with catalogues.in_use(CatalogueSource(products=1500)) as digest:
        data = registry.site_data("store")
        assert len(data.catalogue) == 1500 and data.digest == digest != own.digest
        assert list(data.catalogue)[:1000] == list(own.catalogue)
        assert catalogues.test_split("buy_item") is None
    assert registry.site_data("store") is own


@pytest.mark.wide
def test_python_takes_a_catalogue_too(source, tmp_path):
    config = RunConfig(out=tmp_path / "run", catalogue=source)
    summary = api.run(["expert"], registry.from_family("buy_item", range(2)), config)
    assert summary.rows[0].success == 1.0
    scored = api.score(tmp_path / "run", catalogue=source)
    assert scored.rows[0].success == 1.0
