"""The airline CRM: a call centre's desk for flights and bookings (after the one in "SteP")."""

from sites.crm.app import create_app
from sites.crm.clock import NOW
from sites.crm.world import CrmData, Knobs, load_data, new_world

HOSTS = ("crm", "airline")
"""The names under which its pages are served: the first desk, and the whole one."""

__all__ = ["HOSTS", "NOW", "CrmData", "Knobs", "create_app", "load_data", "new_world"]
