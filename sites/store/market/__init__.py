"""The market: the store's second stock of products, for which tasks describe products in words that
the pages do not use.
"""
