"""The compiled double-dummy search."""
