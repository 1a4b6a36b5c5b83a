"""Clients of WebArena on our sites: tasks in its form, its accounts, and the scores of its answers.

Source: Zhou et al. 2024, "WebArena", and the files of its repository that clients depend on.
"""
