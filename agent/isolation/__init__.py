"""Run an agent in a process of its own: its page and its model are proxies over a pipe.

`launcher` starts processes, `fork_server` is what it starts, `cage` shuts them in, `child` is the
process of one episode, `protocol` is what both sides say, `description` is what a file defines.
"""
