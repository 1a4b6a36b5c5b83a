"""The widgets: small task pages modelled on MiniWoB (Shi et al. 2017, Liu et al. 2018)."""

from sites.widgets.app import create_app
from sites.widgets.operations import Reports
from sites.widgets.world import (
    ACTION_MS,
    PIXELS,
    SECONDS_OUTSIDE,
    VARIANTS,
    WidgetsData,
    load_data,
    new_world,
    variants_of,
)

NEEDS_BROWSER = {"widgets": "a widget is a script"}
"""Why the pages of a host need a browser."""
NOW = 1_768_478_400.0
"""The time at which a page loads in a run: noon UTC on 15 January 2026, in epoch seconds."""

__all__ = [
    "ACTION_MS",
    "NEEDS_BROWSER",
    "NOW",
    "PIXELS",
    "SECONDS_OUTSIDE",
    "VARIANTS",
    "Reports",
    "WidgetsData",
    "create_app",
    "load_data",
    "new_world",
    "variants_of",
]
