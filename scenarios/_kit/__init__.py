"""What a family needs on a declared site: it says what is drawn and what is right, and all else is
derived."""
