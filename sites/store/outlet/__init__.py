"""The outlet: a second shop of the store's site, with a third of the market's goods."""
