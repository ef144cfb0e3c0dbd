"""Matches between GTP engines: a referee, openings, results that are kept, and what they say of the strength."""
