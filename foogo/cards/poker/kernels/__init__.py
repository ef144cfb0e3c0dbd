"""Compiled code of `foogo.cards.poker`."""
