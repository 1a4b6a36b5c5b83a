"""The back office's skins: products with the same tables, operations and pages."""

from sites.admin.skins import counter

SKINS = (counter.SKIN,)

__all__ = ["SKINS"]
