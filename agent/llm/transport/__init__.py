"""The HTTP transports between the `openai` client and a server, or whatever answers instead."""
