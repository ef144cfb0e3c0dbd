"""Matches between GTP engines.

- `config`: the configuration of a match
- `engine_process`: a GTP engine as a child process
- `timekeeping`: a player's clock as the referee applies it
- `referee`: plays one game under foogo's rules and clock
- `openings`: balanced random openings
- `results_file`: the finished games, on disk
- `tournament`: plays many games, several at a time
- `summary`: what the games say about the engines' strength
"""
