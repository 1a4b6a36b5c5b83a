"""The client of the environment's server."""

from __future__ import annotations

from openenv.core.mcp_client import MCPToolClient


class RehearsalEnv(MCPToolClient):
    """Opens tasks by `reset(split=..., index=...)`; `step` and `call_tool` call the tools."""
