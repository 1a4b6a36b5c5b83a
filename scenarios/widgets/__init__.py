"""Families of the widget tasks (MiniWoB-like pages): one page each, with advice read from the
page.
"""
