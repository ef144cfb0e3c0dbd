"""The compiled playout: many games in lockstep, one in each lane."""
