"""Adapters that run episodes from other frameworks, such as Gymnasium, Inspect and pytest."""
