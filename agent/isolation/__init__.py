"""Runs an agent in a process of its own, with proxies for its page and its model over a pipe.

`launcher` starts processes, `fork_server` is the program that it starts, `cage` restricts them,
`child` is the process of one episode, `protocol` defines the messages of both sides, and
`description` describes the definitions of a file.
"""
