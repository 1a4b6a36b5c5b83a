"""The market: a second stock of the store, whose wishes share no words with its pages."""
