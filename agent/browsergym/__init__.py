"""Environments of BrowserGym: their process, and a lane whose browser is theirs."""
