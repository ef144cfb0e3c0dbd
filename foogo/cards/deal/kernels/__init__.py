"""The compiled part of dealing."""
