"""The held-out skins of the shop, the map, the code host and the back office: no prompt and no
exemplar has their words or their addresses.
"""

from importlib import import_module
from pathlib import Path

import agent
from tests.each import for_each

FOLDER = Path(agent.__file__).parent
SITES = ("shop", "map", "codehost", "admin")


def files(site: str) -> list[Path]:
    """The prompts and exemplars of a site."""
    return sorted(
        path
        for path in FOLDER.rglob("*")
        if site in path.relative_to(FOLDER).parts or path.name == f"{site}.toml"
        if path.is_file() and path.suffix != ".py"
    )


@for_each("name", SITES)
def test_no_file_for_a_site_has_a_label_or_an_address_of_its_held_out_skin(name):
    site = import_module(f"sites.{name}").SITE
    held = import_module(f"sites.{name}.skins").HELD_OUT
    held_out, *_ = (each for each in site.skins if each.name == held)
    shown = {text for each in site.skins if each != held_out for text in each.words.values()}
    labels = {text for text in held_out.words.values() if " " in text and "{" not in text} - shown
    addresses = {text.partition("<")[0] for text in held_out.addresses.values()} - {"/"}
    usual = {page.address.partition("<")[0] for page in site.pages}
    own = labels | {text for text in addresses - usual if len(text) > 3}
    assert len(own) > 20 and len(files(name)) > 20
    found = {path.name: [text for text in own if text in path.read_text()] for path in files(name)}
    assert {name: texts for name, texts in found.items() if texts} == {}


@for_each(("name", "word"), [("shop", "add_wish"), ("map", "reverse")])
def test_a_label_of_a_skin_that_is_shown_is_found(name, word):
    text = "".join(path.read_text() for path in files(name))
    assert import_module(f"sites.{name}").SITE.skins[0].words[word] in text
