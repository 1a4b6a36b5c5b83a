"""The files that `rehearse new` writes; `NAME` and other words in capitals are replaced."""

PACKAGE = '''"""NAME: each member has a note, which only the member changes."""

from pathlib import Path

from flask import Flask

from sites._kit.app import create_app as create_kit_app
from sites._kit.bases import Bases
from sites.NAME.site import NOW, SITE, draw
from sites.world import Worlds

__all__ = ["NOW", "SITE", "create_app", "load_data"]
HERE = Path(__file__).parent
DATA = Bases(SITE, draw, (HERE / "site.py",), bases=4)


def load_data() -> Bases:
    """Return the data of the site."""
    return DATA


def create_app(data: Bases, worlds: Worlds) -> Flask:
    """Return the application that serves the site."""
    return create_kit_app(data.site, HERE, worlds)
'''

SITE = '''"""The declaration of the site NAME: one table, one operation, one page and one skin."""

from random import Random

from sites._kit.bases import Rows
from sites._kit.declare import Do, Field, Form, Invalid, Link, Page, Site, Skin, Table, operation
from sites.world import World

NOW = 1_768_478_400.0
MEMBERS = ("ash", "birch", "cedar", "elm", "fir", "hazel", "larch", "maple", "oak", "pine")

TABLES = (Table("members", "name TEXT PRIMARY KEY, note TEXT", ("name",)),)


@operation("members", member="members")
def write_note(world: World, member: str, note: str) -> None:
    """Replace the note of the member who is signed in."""
    if member != world.about["me"]:
        raise Invalid(note="This note belongs to another member.")
    world.write("UPDATE members SET note = ? WHERE name = ?", (note.strip(), member))


PAGES = (
    Page(
        "home",
        "/",
        "SELECT name AS me, note FROM members",
        ("me",),
        forms=(
            Form(
                "save",
                write_note,
                (Field("note", held="note", most=80),),
                given={"member": "me"},
            ),
        ),
    ),
)
WORDS = {
    "site": "NAME",
    "signed_in": "Signed in as {me}",
    "footer": "NAME",
    "home": "My note",
    "title_home": "{note}",
    "note": "Note",
    "save": "Save",
}
SKINS = (Skin("plain", WORDS, (Link("home"),), "top"),)


def stray(world: World) -> Do:
    """Return a change that no task asks for."""
    return write_note(world.about["me"], "Away")


SITE = Site(
    "NAME",
    TABLES,
    (write_note,),
    PAGES,
    SKINS,
    home="home",
    personas="SELECT name FROM members",
    stray=stray,
)


def draw(rng: Random, size: str) -> Rows:
    """Draw the rows of a base world, by table."""
    notes = [{"name": name, "note": f"Room {rng.randrange(10, 100)}"} for name in MEMBERS]
    return {"members": notes}
'''

TASKS = '''"""Tasks on the site NAME."""
'''

SCORER = '''"""Score a visit to the site NAME, as to any declared site."""

from evaluators.scoring.joint import reads, score

__all__ = ["reads", "score"]
'''

FAMILY = '''"""Send a form of the site SITE (change this)."""

from scenarios.kit import Draw, Family, Right
from MODULE import OPERATION

WORDINGS = ("Placeholder: OPERATION, TOLD.",)


def draw(d: Draw) -> Right:
    DRAWN
    return Right({SLOTS}, do=[OPERATION(GIVEN)])


FAMILY = Family(__file__, draw, WORDINGS)
'''
