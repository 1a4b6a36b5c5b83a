"""The outlet: a second shop of the store's site, which sells a third of the market's products on
different pages.
"""
