"""Agents: methods, prompts, the model's door and the browser."""
