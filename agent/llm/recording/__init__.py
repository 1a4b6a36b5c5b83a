"""Cassettes: record the requests and replies of an episode, and replay them."""
