"""The airline CRM: a call centre's desk for flights and bookings (after the one in "SteP")."""

from sites.crm.app import create_app
from sites.crm.clock import NOW
from sites.crm.world import CrmData, Knobs, load_data, new_world

__all__ = ["NOW", "CrmData", "Knobs", "create_app", "load_data", "new_world"]
