"""A ground to train agents on: many episodes in one process, without a browser."""
