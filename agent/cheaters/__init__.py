"""Null agents that try to get a success without doing the task, such as `--agent cheat:restart`.

Each uses only `page`, except `comply` and `decline`, which receive advice to a wrong end from the
task's generator. They are methods in a folder of their own, so that lists of methods do not show
them. A contract test checks on every kind of task that none succeeds more often than chance allows.
"""
