"""The airline CRM: a call centre's desk for flights and bookings (after the one in "SteP")."""

from sites.crm.app import create_app
from sites.crm.base.clock import NOW
from sites.crm.base.world import CrmData, Knobs, load_data, new_world

HOSTS = ("crm", "airline")
"""The hosts of the site's pages: the published desk and the airline desk."""
NEEDS_BROWSER = dict.fromkeys(HOSTS, "scripts draw the screens of the desk")
"""Why the pages of a host need a browser."""

__all__ = [
    "HOSTS",
    "NEEDS_BROWSER",
    "NOW",
    "CrmData",
    "Knobs",
    "create_app",
    "load_data",
    "new_world",
]
