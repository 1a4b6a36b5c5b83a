"""The front of the kit for all that is no site."""

from sites._kit.app import create_app
from sites._kit.calls import MENU, REORDER, TURN, filters, follows, opens
from sites._kit.checking import check
from sites._kit.declare import (
    KEYWORD,
    BadDeclaration,
    Column,
    Computed,
    Do,
    Field,
    Form,
    Invalid,
    Link,
    Listing,
    Operation,
    Page,
    Show,
    Site,
    Skin,
    Table,
    one,
    operation,
)
from sites._kit.forms import held, hold
from sites._kit.map import Map
from sites._kit.places import Place, Shown, Spot
from sites._kit.rows import GONE, NEW, Change, changes, drafts, plain, schema, triggers
from sites._kit.skins.labels import Label, labels

__all__ = [
    "GONE",
    "KEYWORD",
    "MENU",
    "NEW",
    "REORDER",
    "TURN",
    "BadDeclaration",
    "Change",
    "Column",
    "Computed",
    "Do",
    "Field",
    "Form",
    "Invalid",
    "Label",
    "Link",
    "Listing",
    "Map",
    "Operation",
    "Page",
    "Place",
    "Show",
    "Shown",
    "Site",
    "Skin",
    "Spot",
    "Table",
    "changes",
    "check",
    "create_app",
    "drafts",
    "filters",
    "follows",
    "held",
    "hold",
    "labels",
    "one",
    "opens",
    "operation",
    "plain",
    "schema",
    "triggers",
]
