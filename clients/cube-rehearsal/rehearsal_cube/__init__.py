"""Rehearsal's tasks for CUBE, played without a browser."""
