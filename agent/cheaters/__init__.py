"""Null agents that try to succeed without the work: `--agent cheat:restart`.

Each uses only `page`, except `comply` and `decline`, which a family's advice leads to a wrong end.
They are methods in a folder of their own, so that lists of methods do not show them. A contract
test checks on every family that none succeeds more often than chance allows.
"""
