"""The HTTP transports between the `openai` client and a server, or a source that replaces the
server.
"""
