"""Run episodes from other frameworks: Gymnasium and pytest."""
