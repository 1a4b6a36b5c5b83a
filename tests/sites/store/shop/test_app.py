from __future__ import annotations

import pytest

from sites.store import create_app, new_world
from sites.store.catalogue.reviews import reviews
from sites.store.shop.address import Visit
from sites.world import Worlds

BROAD = ("choices", "of", "color", "and", "size")
INSTRUCTION = ["Instruction:", "i need a <b>mat</b> & a strap, and price lower than 70.00 dollars"]


@pytest.fixture
def visit():
    return Visit("s1", BROAD, 1)


def chosen_in(product) -> dict[str, str]:
    return {kind: values[-1] for kind, values in product.options.items()}


def buy(shop, read, options, product=None):
    product = product or shop.product
    page = read(shop.client.get(Visit("s1").item(product.asin, options)))
    address = page.find("form", method="post")["action"]
    return shop.client.post(address, data=page.fields())


# The texts that a WebShop client reads ----------------------------------------------------------


def test_the_first_page_reads_as_webshops(shop, read):
    answer = shop.client.get("/s1")
    page = read(answer)
    assert answer.status_code == 200
    assert page.texts == ["WebShop", *INSTRUCTION, "Search"]
    assert page.buttons == ["Search"]
    assert page.find("input", id="search_input")["name"] == "search_query"


def test_every_page_shows_the_instruction_in_its_place(shop, read, visit):
    product = shop.product
    buy(shop, read, {})
    addresses = [
        visit.index,
        visit.results(),
        visit.item(product.asin, {}),
        *(visit.sub_page(product.asin, name, {}) for name in ("Description", "Reviews", "Nope")),
        visit.done(product.asin, {}),
        visit.results(77),
    ]
    for address in addresses:
        html = shop.client.get(address).text
        assert '<div id="instruction-text"><h4>Instruction:<br>i need a &lt;b&gt;mat' in html


def test_the_results_read_as_webshops(shop, read, visit):
    page = read(shop.client.get(visit.results()))
    hits = shop.data.search.search(" ".join(BROAD))[:10]
    products = [shop.data.catalogue.get(asin) for asin in hits]
    cards = [text for p in products for text in (p.asin, p.name, p.price_text)]
    assert page.texts == [
        *INSTRUCTION,
        "Back to Search",
        "Page 1 (Total results: 50)",
        "Next >",
        *cards,
    ]
    assert page.links == [(asin, "product-link") for asin in hits]


def test_the_pictures_of_results_keep_their_place(shop, read, visit):
    """A lazy one may come after the page was read, so nothing may move when it does."""
    found = read(shop.client.get(visit.results())).elements
    lazy = [of for tag, of in found if tag == "img" and of.get("loading") == "lazy"]
    assert len(lazy) == 10 and all(of["width"] and of["height"] for of in lazy)


def test_prev_is_there_from_the_second_page_on(shop, read, visit):
    assert read(shop.client.get(visit.results(2))).buttons == ["Back to Search", "< Prev", "Next >"]
    assert read(shop.client.get(visit.results(5))).buttons == ["Back to Search", "< Prev", "Next >"]


def test_the_item_reads_as_webshops(shop, read, visit):
    product = shop.product
    page = read(shop.client.get(visit.item(product.asin, {})))
    options = [text for kind, values in product.options.items() for text in (kind, *values)]
    assert page.texts == [
        *INSTRUCTION,
        "Back to Search",
        "< Prev",
        product.product_category,
        *options,
        product.name,
        f"Price: {product.price_text}",
        f"Rating: {product.rating or 'N.A.'}",
        "Description",
        "Features",
        "Reviews",
        "Buy Now",
    ]
    assert page.buttons[:2] == ["Back to Search", "< Prev"]
    assert page.buttons[2:] == ["Description", "Features", "Reviews", "Buy Now"]
    assert page.labels == [value for values in product.options.values() for value in values]


def test_a_product_without_reviews_has_no_rating(shop, read):
    product = next(p for p in shop.data.catalogue if not p.review_count)
    assert "Rating: N.A." in read(shop.client.get(Visit("s1").item(product.asin, {}))).texts
    sub = shop.client.get(Visit("s1").sub_page(product.asin, "Reviews", {}))
    assert "Nobody has reviewed this yet." in read(sub).texts


def test_sub_pages_show_their_content(shop, read, visit):
    product = next(p for p in shop.data.catalogue if p.review_count > 2)
    texts = {
        name: read(shop.client.get(visit.sub_page(product.asin, name, {}))).texts
        for name in ("Description", "Features", "Reviews")
    }
    for name, shown in texts.items():
        head = [*INSTRUCTION, "Back to Search", "< Prev", product.name, name]
        assert shown[: len(head)] == head
    assert texts["Description"][-1] == product.description
    assert tuple(texts["Features"][-len(product.bullets) :]) == product.bullets
    bodies = [review.body for review in reviews(product, 8)]
    assert [text for text in texts["Reviews"] if text in bodies] == bodies
    assert bodies


# Ways between the pages -------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["get", "post"])
def test_a_search_leads_to_its_results(shop, method):
    how = {"query_string" if method == "get" else "data": {"search_query": "Red  shoes/boots"}}
    answer = getattr(shop.client, method)("/s1", **how)
    assert answer.status_code == 302
    address = answer.headers["Location"]
    assert address == Visit("s1", ("Red", "shoes/boots")).results()
    assert shop.client.get(address).status_code == 200
    assert shop.world.snapshot()["log_queries"][0]["query"] == "Red shoes/boots"


@pytest.mark.parametrize(
    "keywords", ["red+shoes", "['red',%20'shoes']", "%5B%22red%22,%22shoes%22]"]
)
def test_keywords_of_every_client_find_the_same(shop, read, keywords):
    page = read(shop.client.get(f"/search_results/s1/{keywords}/1"))
    usual = read(shop.client.get(Visit("s1", ("red", "shoes")).results()))
    assert page.texts == usual.texts
    assert page.addresses() == usual.addresses()


def test_each_option_leads_to_the_item_with_it_chosen(shop, read, visit):
    product = shop.product
    chosen: dict[str, str] = {}
    for kind, values in product.options.items():
        page = read(shop.client.get(visit.item(product.asin, chosen)))
        radio = page.find("input", type="radio", name=kind, value=values[-1])
        assert "checked" not in radio
        chosen[kind] = values[-1]
        assert radio["data-url"] == visit.item(product.asin, chosen)
    page = read(shop.client.get(visit.item(product.asin, chosen)))
    checked = [have["value"] for tag, have in page.elements if tag == "input" and "checked" in have]
    assert checked == list(chosen.values())
    assert page.find("form", method="post")["action"] == visit.done(product.asin, chosen)
    other = page.find("input", name=kind, value=values[0])
    assert other["data-url"] == visit.item(product.asin, {**chosen, kind: values[0]})


def test_every_radio_has_its_label(shop, read, visit):
    page = read(shop.client.get(visit.item(shop.product.asin, {})))
    radios = [have["id"] for tag, have in page.elements if have.get("type") == "radio"]
    labels = [have["for"] for tag, have in page.elements if tag == "label"]
    assert radios == labels
    assert len(set(radios)) == len(radios) > 0


def test_without_script_the_form_of_options_does_the_same(shop, visit):
    product = shop.product
    kinds = list(product.options)
    first = {kinds[0]: product.options[kinds[0]][0]}
    second = {kinds[1]: product.options[kinds[1]][0]}
    answer = shop.client.get(visit.item(product.asin, first), query_string=second)
    assert answer.status_code == 302
    assert answer.headers["Location"] == visit.item(product.asin, {**first, **second})


def test_the_button_for_visitors_without_script_is_no_text(shop, read, visit):
    page = read(shop.client.get(visit.item(shop.product.asin, {})))
    assert page.find("input", type="submit")["value"] == "Choose"
    assert "Choose" not in page.texts  # clients without script read texts, and would show it


def test_options_are_kept_on_the_way_to_a_sub_page_and_back(shop, read, visit):
    product = shop.product
    chosen = chosen_in(product)
    item = read(shop.client.get(visit.item(product.asin, chosen)))
    reviews_page = visit.sub_page(product.asin, "Reviews", chosen)
    assert reviews_page in item.addresses()
    assert visit.item(product.asin, chosen) in read(shop.client.get(reviews_page)).addresses()
    assert visit.results() in item.addresses()


def test_an_opened_product_is_marked_visited(shop, read, visit):
    asin = shop.data.search.search(" ".join(BROAD))[3]
    shop.client.get(visit.item(asin, {}))
    page = read(shop.client.get(visit.results()))
    assert page.visited() == [asin]
    assert {of for _, of in page.links} == {"product-link"}  # text clients compare with that


# Buying -----------------------------------------------------------------------------------------


def test_buying_leads_to_a_receipt_without_a_score(shop, read):
    product = shop.product
    chosen = chosen_in(product)
    answer = buy(shop, read, chosen)
    assert answer.status_code == 303
    assert answer.headers["Location"] == Visit("s1").done(product.asin, chosen)
    receipt = shop.client.get(answer.headers["Location"])
    page = read(receipt)
    assert "Thank you for shopping with us!" in page.texts
    assert {product.name, product.asin, f"${product.price:.2f}", *chosen.values()} <= set(
        page.texts
    )
    for word in ("reward", "score", "goal"):
        assert word not in receipt.text.replace("".join(INSTRUCTION), "").lower()
    assert len(shop.world.snapshot()["purchases"]) == 1


def test_the_form_that_buys_says_so(shop, read, visit):
    page = read(shop.client.get(visit.item(shop.product.asin, {})))
    committing = [have for tag, have in page.elements if "data-commits" in have]
    assert committing == [page.find("form", method="post")]


def test_a_double_click_buys_once(shop, read):
    product = shop.product
    page = read(shop.client.get(Visit("s1").item(product.asin, {})))
    address = page.find("form", method="post")["action"]
    answers = [shop.client.post(address, data=page.fields()) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [303, 409]
    assert Visit("s1").done(product.asin, {}) in read(answers[1]).addresses()
    assert len(shop.world.snapshot()["purchases"]) == 1


def test_going_back_to_buy_again_buys_nothing(shop, read):
    buy(shop, read, {})
    before = shop.world.digest()
    answer = buy(shop, read, {})
    assert answer.status_code == 409
    assert "See the receipt" in read(answer).buttons
    assert shop.world.digest() == before


def test_another_item_can_be_bought_from_a_fresh_page_only(shop, read):
    one, two = list(shop.data.catalogue)[:2]
    stale = read(shop.client.get(Visit("s1").item(two.asin, {})))
    assert buy(shop, read, {}, one).status_code == 303
    address = stale.find("form", method="post")["action"]
    assert shop.client.post(address, data=stale.fields()).status_code == 409
    assert buy(shop, read, {}, two).status_code == 303
    assert [row["asin"] for row in shop.world.snapshot()["purchases"]] == [one.asin, two.asin]


def test_a_get_never_buys(shop, read):
    address = Visit("s1").done(shop.product.asin, {})
    answer = shop.client.get(address)
    assert answer.status_code == 405
    assert "POST" in answer.headers["Allow"]
    assert "press “Buy Now”" in answer.text
    assert shop.world.snapshot()["purchases"] == []


@pytest.mark.parametrize("field", ["csrf", "order"])
@pytest.mark.parametrize("value", [None, "", "x", "-1", "1e3", "9" * 30, "é"])
def test_a_form_that_is_not_ours_buys_nothing(shop, read, field, value):
    page = read(shop.client.get(Visit("s1").item(shop.product.asin, {})))
    fields = {**page.fields(), field: value}
    sent = {name: text for name, text in fields.items() if text is not None}
    answer = shop.client.post(page.find("form", method="post")["action"], data=sent)
    assert answer.status_code == 400
    assert shop.world.snapshot()["purchases"] == []


def test_nothing_is_bought_with_options_that_do_not_exist(shop, read):
    page = read(shop.client.get(Visit("s1").item(shop.product.asin, {})))
    address = Visit("s1").done(shop.product.asin, {"no such": "thing"})
    assert shop.client.post(address, data=page.fields()).status_code == 400
    assert shop.world.snapshot()["purchases"] == []


def test_after_the_visit_pages_are_shown_and_nothing_is_bought(shop, read):
    page = read(shop.client.get(Visit("s1").item(shop.product.asin, {})))
    shop.world.close()
    before = shop.world.snapshot()
    address = page.find("form", method="post")["action"]
    assert shop.client.post(address, data=page.fields()).status_code == 409
    assert shop.client.get("/s1").status_code == 200
    assert shop.client.get(Visit("s1", BROAD).results()).status_code == 200
    assert shop.world.snapshot() == before


# Whose world ------------------------------------------------------------------------------------


def test_the_root_leads_to_the_named_scenario(shop):
    assert shop.client.get("/?scenario=s1").headers["Location"] == "/s1"
    for address in ("/", "/?scenario=", "/?scenario=other", "/?scenario=//evil.example"):
        answer = shop.client.get(address)
        assert answer.status_code == 404
        assert "Location" not in answer.headers
    assert shop.worlds.find(None, "other") is None


def test_the_root_leads_an_episode_to_its_own_session(shop):
    shop.client.set_cookie("rehearse", shop.worlds.admit(new_world("mine", "x")))
    assert shop.client.get("/").headers["Location"] == "/mine"
    assert shop.client.get("/?scenario=mine").headers["Location"] == "/mine"
    assert shop.client.get("/?scenario=s1").status_code == 404
    assert shop.client.get("/s1").status_code == 404
    assert shop.client.get("/mine").status_code == 200


def test_two_episodes_of_one_scenario_do_not_meet(shop, read):
    worlds = [new_world("same", "x") for _ in range(2)]
    clients = [shop.app.test_client() for _ in worlds]
    for world, client in zip(worlds, clients, strict=True):
        client.set_cookie("rehearse", shop.worlds.admit(world))
    page = read(clients[0].get(Visit("same").item(shop.product.asin, {})))
    address = page.find("form", method="post")["action"]
    assert clients[1].post(address, data=page.fields()).status_code == 400
    assert clients[0].post(address, data=page.fields()).status_code == 303
    assert [len(world.snapshot()["purchases"]) for world in worlds] == [1, 0]


def test_a_shop_with_the_flag_has_webshops_tab_of_attributes(data, shop, read, visit):
    """Without it there is neither the tab nor the page."""
    product = shop.product
    worlds = Worlds()
    worlds.publish(new_world("s1", INSTRUCTION[1]))
    client = create_app(data, worlds, attributes=True).test_client()
    tabs = ["Description", "Features", "Reviews", "Attributes"]
    assert read(client.get(visit.item(product.asin, {}))).buttons[2:6] == tabs
    page = read(client.get(visit.sub_page(product.asin, "Attributes", {})))
    about = [product.category, product.kind, product.product_category]
    end = ["category", about[0], "query", about[1], "product category", about[2]]
    assert page.texts[-len(product.attributes) - 6 :] == [*product.attributes, *end]
    assert page.buttons == ["Back to Search", "< Prev"]
    nope = client.get(visit.sub_page(product.asin, "Prices", {}))
    assert nope.status_code == 404 and "Open Description, Features, Reviews or Attri" in nope.text
    assert "Attributes" not in shop.client.get(visit.item(product.asin, {})).text
    assert shop.client.get(visit.sub_page(product.asin, "Attributes", {})).status_code == 404


def test_sessions_open_as_webshops_do_where_that_is_asked_for(data):
    worlds = Worlds()
    app = create_app(data, worlds, lambda session: new_world(session, f"goal of {session}"))
    client = app.test_client()
    assert client.get("/").headers["Location"] == "/abc"
    assert "goal of fixed_12" in client.get("/fixed_12").text
    assert worlds.find(None, "fixed_12") is not None
    assert client.get("/evaluate").status_code == 404


# What cannot be done ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "status", "sentence"),
    [
        ("/s1?search_query=", 400, "There is nothing to search for."),
        ("/s1?search_query=%20%0a", 400, "There is nothing to search for."),
        ("/search_results/s1/[]/1", 400, "There is nothing to search for."),
        ("/search_results/s1/['red'/1", 400, "keywords in this address cannot be read"),
        ("/search_results/s1/red/x", 404, "no page number"),
        ("/search_results/s1/red/-1", 404, "no page number"),
        ("/search_results/s1/red/0", 404, "There is no page 0 of these results."),
        ("/search_results/s1/red/99", 404, "There is no page 99 of these results."),
        ("/item_page/s1/NOPE/red/1/{}", 404, "We do not sell “NOPE”."),
        ("/item_page/s1/ASIN/red/1/{", 400, "options in this address cannot be read"),
        ("/item_page/s1/ASIN/red/1/[]", 400, "options in this address cannot be read"),
        ("/item_page/s1/ASIN/red/1/{'x':'y'}", 400, "no “x” to choose"),
        ("/item_page/s1/ASIN/red/1/{'KIND':'y'}", 400, "does not come in KIND “y”"),
        ("/item_page/s1/ASIN/red/1/{}?x=y", 400, "no “x” to choose"),
        ("/item_sub_page/s1/ASIN/red/1/Attributes/{}", 404, "There is no “Attributes” page."),
        ("/done/s1/NOPE/{}", 404, "We do not sell “NOPE”."),
        ("/done/s1/ASIN/x", 400, "options in this address cannot be read"),
        ("/picture/NOPE.svg", 404, "We do not sell “NOPE”."),
        ("/nobody", 404, "Nobody has opened a visit at this address."),
        ("/evaluate?scenario=s1", 404, "Nobody has opened a visit at this address."),
        ("/generate-random-scenario", 404, "Nobody has opened a visit at this address."),
        ("/s1/what/is/this", 404, "There is no such page."),
        ("/favicon.ico", 404, "Nobody has opened a visit at this address."),
    ],
)
def test_what_cannot_be_done_is_a_page_with_a_sentence(shop, read, address, status, sentence):
    product, before = shop.product, shop.world.digest()
    kind = next(iter(product.options))
    at = address.replace("ASIN", product.asin).replace("KIND", kind)
    answer = shop.client.get(at)
    assert answer.status_code == status
    assert answer.mimetype == "text/html"
    assert sentence.replace("KIND", kind) in " ".join(read(answer).texts)
    assert shop.world.digest() == before


def test_a_long_query_is_cut_with_a_sentence(shop, read):
    answer = shop.client.get("/s1", query_string={"search_query": "lamp " * 2000})
    assert answer.status_code == 302
    assert len(answer.headers["Location"]) < 3000
    texts = read(shop.client.get(answer.headers["Location"])).texts
    assert any(text.startswith("Your query was long:") for text in texts)


def test_no_match_says_what_to_do(shop, read):
    texts = read(shop.client.get("/search_results/s1/qqqqzzzz/1")).texts
    assert "Page 1 (Total results: 0)" in texts
    assert "Nothing matches. Try fewer or other words." in texts


def test_pictures_are_served_to_be_kept(shop):
    product = shop.product
    address = f"/picture/{product.asin}.svg"
    answer = shop.client.get(address)
    assert answer.mimetype == "image/svg+xml"
    assert answer.headers["Cache-Control"] == "public, max-age=86400"
    repeated = shop.client.get(address, headers={"If-None-Match": answer.headers["ETag"]})
    assert repeated.status_code == 304


def test_equal_visits_get_equal_pages(data, shop, read, visit):
    other = type(shop)(data)
    for address in (visit.index, visit.results(), visit.sub_page(shop.product.asin, "Reviews", {})):
        assert shop.client.get(address).data == other.client.get(address).data
    item = visit.item(shop.product.asin, {})
    pages = [read(one.client.get(item)) for one in (shop, other)]
    assert pages[0].texts == pages[1].texts
    assert pages[0].addresses() == pages[1].addresses()
