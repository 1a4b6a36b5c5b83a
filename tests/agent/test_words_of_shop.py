"""The held-out skin of the shop: no prompt and no exemplar has its words or its addresses."""

from pathlib import Path

import agent
from sites.shop import SITE
from sites.shop.skins import HELD_OUT

FOLDER = Path(agent.__file__).parent
FILES = sorted(
    path
    for path in FOLDER.rglob("*")
    if "shop" in path.relative_to(FOLDER).parts or path.name == "shop.toml"
    if path.is_file()
)


def test_no_file_for_the_shop_has_a_label_or_an_address_of_the_held_out_skin():
    held_out, *_ = (each for each in SITE.skins if each.name == HELD_OUT)
    shown = {text for each in SITE.skins if each != held_out for text in each.words.values()}
    labels = {text for text in held_out.words.values() if " " in text and "{" not in text} - shown
    addresses = {text.partition("<")[0] for text in held_out.addresses.values()} - {"/"}
    usual = {page.address.partition("<")[0] for page in SITE.pages}
    own = labels | {text for text in addresses - usual if len(text) > 3}
    assert len(own) > 20 and len(FILES) > 20
    found = {path.name: [text for text in own if text in path.read_text()] for path in FILES}
    assert {name: texts for name, texts in found.items() if texts} == {}


def test_a_label_of_a_skin_that_is_shown_is_found():
    text = "".join(path.read_text() for path in FILES)
    assert SITE.skins[0].words["add_wish"] in text
