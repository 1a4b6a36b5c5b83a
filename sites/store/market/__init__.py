"""The market: the store's second stock, in which wishes share no words with the pages."""
