"""Agents: their methods, prompts, access to models, and the browser."""
