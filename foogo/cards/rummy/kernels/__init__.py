"""Compiled code of rummy: the least deadwood of hands."""
