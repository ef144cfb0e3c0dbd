"""A player, without any protocol: it keeps a game and its clocks, and chooses moves by searching."""
