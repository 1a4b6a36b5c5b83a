"""The front of the kit for all that is no site."""

from sites._kit.app import create_app, held, hold
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
from sites._kit.rows import GONE, NEW, Change, changes, drafts, plain, schema, triggers

__all__ = [
    "GONE", "NEW", "Change", "Do", "Field", "Form", "Invalid", "Link", "Listing", "Map",
    "Operation", "Page", "Place", "Site", "Skin", "Spot", "Table", "changes", "create_app", "drafts", "held", "hold",
    "one", "operation", "plain", "schema", "triggers",
]  # fmt: skip
