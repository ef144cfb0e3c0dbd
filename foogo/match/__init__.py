"""Matches between GTP engines: `tournament` plays many games, `referee` one, and `summary` says who is stronger."""
