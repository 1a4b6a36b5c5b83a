"""Environments of BrowserGym: their process, and a lane whose browser belongs to the
environment.
"""
