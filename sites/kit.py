"""The front of the kit for all that is no site."""

from sites._kit.app import create_app
from sites._kit.declare import (
    Do,
    Field,
    Form,
    Invalid,
    Link,
    Listing,
    Operation,
    Page,
    Site,
    Skin,
    Table,
    one,
    operation,
)
from sites._kit.map import Map, Place, Spot
from sites._kit.rows import GONE, NEW, Change, changes, plain, schema, triggers
from sites._kit.skins.labels import Label, labels

__all__ = [
    "GONE", "NEW", "Change", "Do", "Field", "Form", "Invalid", "Label", "Link", "Listing", "Map",
    "Operation", "Page", "Place", "Site", "Skin", "Spot", "Table", "changes", "create_app",
    "labels", "one", "operation", "plain", "schema", "triggers",
]  # fmt: skip
