"""Null agents that try to succeed without the work: `--agent cheat:restart`.

Each uses `page` alone, but for `comply` and `decline`, which a family leads to a wrong end. They
are methods, in a folder of their own so that no list shows them; a contract holds each to its
ceiling on every family.
"""
