"""Playing cards: fast random samples and exact answers, with the tools that play Go.

Import a game's package by name: `from foogo.cards import poker`. `foogo.cards.card` defines the cards, their text and
their masks, which all of them share. Nothing of Go imports this package, and it imports only `foogo.core` and
`foogo.stats`.
"""
